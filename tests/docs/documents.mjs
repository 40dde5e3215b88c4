// What the tests of the documents share: which files there are, and what stands in them.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
export const build = path.resolve(root, process.env.ADJOURN_BUILD ?? 'build/release');

// What is made or fetched, and nobody's to mend.
const made = new Set(['.git', 'build', 'node_modules', 'dist']);

// Paths of all files below a folder, from the top of the checkout.
export function files(folder = '') {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap(entry => {
    const name = path.join(folder, entry.name);
    if (entry.isDirectory()) return made.has(entry.name) ? [] : files(name);
    return entry.isFile() ? [name] : [];
  });
}

export const read = file => readFileSync(path.join(root, file), 'utf8');

export function exists(file) {
  try {
    statSync(path.join(root, file));
    return true;
  } catch {
    return false;
  }
}

export const documents = () => files().filter(file => file.endsWith('.md'));

// The fenced blocks of a document: {word, text, line, reason}. `word` is what stands behind the fence; `reason` is the comment
// <!-- not run: reason --> on the line before it, else ''.
export function blocks(text) {
  const lines = text.split('\n');
  const found = [];
  for (let i = 0; i < lines.length; i++) {
    const fence = /^( *)(```+)(\S*)/.exec(lines[i]);
    if (!fence) continue;
    const [, indent, ticks, word] = fence;
    const end = lines.findIndex((line, at) => at > i && line.trim() === ticks);
    if (end < 0) throw new Error(`line ${i + 1}: the block has no end`);
    found.push({
      word,
      text: lines
        .slice(i + 1, end)
        .map(line => line.slice(indent.length))
        .join('\n'),
      line: i + 1,
      reason: /<!-- not run: (.+) -->/.exec(lines[i - 1] ?? '')?.[1] ?? '',
    });
    i = end;
  }
  return found;
}

// The text without fenced blocks; lines keep their numbers.
export function prose(text) {
  const lines = text.split('\n');
  for (const { text: inner, line } of blocks(text))
    for (let i = line - 1; i <= line + inner.split('\n').length; i++) lines[i] = '';
  return lines.join('\n');
}

// The first cells of the table rows below a heading, `code` without its ticks.
export function firstCells(text, heading) {
  const start = text.indexOf(`\n${heading}\n`);
  if (start < 0) throw new Error(`there is no "${heading}"`);
  const level = /^#+/.exec(heading)[0].length;
  const rest = text.slice(start + heading.length + 2);
  const end = rest.search(new RegExp(`^#{1,${level}} `, 'm'));
  return [...(end < 0 ? rest : rest.slice(0, end)).matchAll(/^\| *`([^`]+)`/gm)].map(match => match[1]);
}
