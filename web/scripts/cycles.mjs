// Fails if files under src/ import each other in a circle (type imports count too).
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', 'src');

async function sources(dir) {
  const found = [];
  for (const entry of await readdir(dir, { withFileTypes: true })) {
    const full = path.join(dir, entry.name);
    if (entry.isDirectory()) found.push(...(await sources(full)));
    else if (entry.name.endsWith('.ts')) found.push(full);
  }
  return found;
}

const graph = new Map();
for (const file of await sources(root)) {
  const text = await readFile(file, 'utf8');
  const edges = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(m =>
    path.resolve(path.dirname(file), m[1].replace(/\.js$/, '') + '.ts'),
  );
  graph.set(file, edges);
}

const done = new Set();
const cycles = [];
function visit(file, trail) {
  const at = trail.indexOf(file);
  if (at >= 0) {
    cycles.push([...trail.slice(at), file]);
    return;
  }
  if (done.has(file)) return;
  if (!graph.has(file)) throw new Error(`${trail.at(-1)} imports ${file}, which does not exist`);
  for (const next of graph.get(file)) visit(next, [...trail, file]);
  done.add(file);
}
for (const file of graph.keys()) visit(file, []);

for (const cycle of cycles)
  console.error('import cycle: ' + cycle.map(f => path.relative(root, f)).join(' → '));
if (cycles.length) process.exit(1);
console.log(`no import cycle in ${graph.size} files`);
