// Writes THIRD_PARTY.md: what of npm is shipped inside the page, with its licence text. `--check` only
// compares.
import { readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const web = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const file = path.join(web, 'THIRD_PARTY.md');
const lock = JSON.parse(await readFile(path.join(web, 'package-lock.json'), 'utf8'));

const remarks = {
  '@lichess-org/chessground':
    'Includes the “cburnett” piece drawings by Colin M. L. Burnett (GPL-2.0-or-later).',
};

async function licenceText(dir) {
  const name = (await readdir(dir)).find(n => /^licen[cs]e/i.test(n));
  return name ? (await readFile(path.join(dir, name), 'utf8')).trim() : null;
}

const parts = [
  '# Third-party software in the page',
  '',
  'The page as built contains these npm packages. Adjourn itself is GPL-3.0-or-later; the text of the',
  'GNU General Public License is in the file LICENSE at the top of the source.',
  '',
];
const shipped = Object.entries(lock.packages).filter(([at, entry]) => at && !entry.dev);
for (const [at] of shipped) {
  const dir = path.join(web, at);
  const { name, version, license, author, repository, homepage } = JSON.parse(
    await readFile(path.join(dir, 'package.json'), 'utf8'),
  );
  const who = typeof author === 'string' ? author : author?.name;
  const where = homepage ?? (typeof repository === 'string' ? repository : repository?.url);
  parts.push(
    `## ${name} ${version}`,
    '',
    `Licence: ${license}. ${who ? `By ${who}. ` : ''}${where ?? ''}`.trim(),
    '',
  );
  if (remarks[name]) parts.push(remarks[name], '');
  const text = await licenceText(dir);
  if (text && !/GENERAL PUBLIC LICENSE/.test(text))
    parts.push(...text.split(/\r?\n/).map(line => (line.trim() ? `    ${line.trimEnd()}` : '')), '');
}
const text = parts.join('\n');

if (process.argv.includes('--check')) {
  const present = await readFile(file, 'utf8').catch(() => '');
  if (present !== text) {
    console.error('THIRD_PARTY.md is out of date: npm run licences');
    process.exit(1);
  }
  console.log(`THIRD_PARTY.md names all ${shipped.length} shipped packages`);
} else {
  await writeFile(file, text);
}
