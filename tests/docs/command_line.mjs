// The tables of docs/operate/command-line.md, made from what the program says of itself.
// ADJOURN_BUILD=build/… node command_line.mjs --write writes them; command_line.test.mjs compares.
import { execFileSync } from 'node:child_process';
import { realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, read, root } from './documents.mjs';

export const page = 'docs/operate/command-line.md';

// What a default says of this machine is left out of the page.
const environment = { ...process.env, TMPDIR: '/tmp' };

const help = words =>
  execFileSync(path.join(build, 'adjourn'), [...words, '--help'], { encoding: 'utf8', env: environment });

// The rows of one part ("Options:") of a help text: [left, right]. A right side may stand on the line below.
function rows(text, part) {
  const lines = text.split('\n');
  const found = [];
  const start = part ? lines.indexOf(part) : lines.findIndex(line => line === '');
  if (start < 0) return found;
  for (const [i, line] of lines.entries()) {
    if (i <= start) continue;
    if (/^\S/.test(line) || (line === '' && found.length)) break;
    // A left side of just the column's width is followed by one blank, a longer one by a line of its own.
    const alone = /^ {30}\S/.test(lines[i + 1] ?? '') ? /^ {2}(\S.*)$/.exec(line) : null;
    const inner =
      alone ??
      /^ {2}(\S.*?) {2,}(\S.*)$/.exec(line) ??
      /^ {2}(\S.{25}\S) (\S.*)$/.exec(line) ??
      /^ {2}(\S.*)$/.exec(line);
    if (inner) found.push([inner[1], inner[2] ?? '']);
    else if (line.trim() && found.length) found.at(-1)[1] += line.trim();
  }
  return found;
}

// "UINT:from 1 to 245" is "1 … 245", "TEXT:{main,all}" is "main, all".
function values(type) {
  const range = /from (-?\d+) to (-?\d+)/.exec(type) ?? /in \[(-?[\d.]+) - ([\d.]+)\]/.exec(type);
  if (range) return range[2].length > 16 ? `from ${range[1]}` : `${range[1]} … ${range[2]}`;
  const list = /\{(.+)\}/.exec(type);
  return list ? list[1].split(',').join(', ') : type.replace('REQUIRED', '').replace('TEXT', 'text').trim();
}

// "--all Excludes: --game" → name, values and what it cannot be with.
function option(left) {
  const [, names, rest] = /^(\S+) ?(.*)$/.exec(left);
  const [type, excludes] = rest.split(/(?:^| )Excludes: /);
  const again = / ?\.\.\.$/.test(type ?? '');
  const all = names
    .split(',')
    .map(name => `\`${name}\``)
    .join(' ');
  return [all, values((type ?? '').replace(/ ?\.\.\.$/, '')) + (again ? ', repeatable' : ''), excludes ?? ''];
}

const cell = text => text.replaceAll('|', '\\|');
const table = (head, list) =>
  [head, head.map(() => '---'), ...list].map(row => `| ${row.map(cell).join(' | ')} |`).join('\n');

function describe(words) {
  const text = help(words);
  const bench = words[0] === 'bench' && words.length > 1;
  const commands = rows(text, 'Subcommands:');
  const given = rows(text, 'Positionals:').map(([left, right]) => [
    `\`${left.split(' ')[0]}\``,
    values(left.replace(/^\S+ /, '').replace(/^\.\.\.$/, '')),
    right,
  ]);
  const options = bench
    ? rows(text, 'Options:').map(([left, right]) => {
        const [name, ...rest] = left.split(' ');
        return [
          `\`${name}\``,
          rest.join(' ').split('|').join(', '),
          right.replace(/\(default: \/.*\)|\(default \/.*\)/, '').trim(),
        ];
      })
    : rows(text, 'Options:')
        .filter(([left]) => !left.startsWith('-h'))
        .map(([left, right]) => {
          const [name, type, excludes] = option(left);
          return [
            name,
            type,
            right +
              (excludes
                ? `; not with ${excludes
                    .split(' ')
                    .map(one => `\`${one}\``)
                    .join(', ')}`
                : ''),
          ];
        });
  const parts = [];
  if (commands.length)
    parts.push(
      table(
        ['command', 'does'],
        commands.map(([name, does]) => [`\`${name}\``, does]),
      ),
    );
  if (given.length || options.length)
    parts.push(table(['argument', 'values', 'meaning'], [...given, ...options]));
  return { text: parts.join('\n\n'), commands: commands.map(([name]) => name) };
}

// All commands with their tables, in the order in which the program names them: [["analyse"], "| …"].
export function commands(words = []) {
  const { text, commands: below } = describe(words);
  return [[words, text], ...below.flatMap(name => commands([...words, name]))];
}

const begin = words => `<!-- from: ${['adjourn', ...words].join(' ')} --help -->`;
const end = '<!-- end -->';

// What stands in the page for each of them; undefined where the place is missing.
export const written = (text, words) => {
  const from = text.indexOf(`${begin(words)}\n`);
  const to = text.indexOf(end, from);
  return from < 0 || to < 0 ? undefined : text.slice(from + begin(words).length + 1, to).trim();
};

export const places = text =>
  [...text.matchAll(/<!-- from: adjourn ?(.*?) ?--help -->/g)].map(match => match[1]);

function write() {
  let text = read(page);
  for (const [words, tables] of commands()) {
    if (written(text, words) === undefined) throw new Error(`${page} has no place for ${begin(words)}`);
    const from = text.indexOf(begin(words)) + begin(words).length;
    text = `${text.slice(0, from)}\n${tables}\n${text.slice(text.indexOf(end, from))}`;
  }
  writeFileSync(path.join(root, page), text);
}

if (
  process.argv[1] &&
  realpathSync(process.argv[1]) === fileURLToPath(import.meta.url) &&
  process.argv[2] === '--write'
)
  write();
