// Fails if files under src/ import each other in a circle (type imports count too), or against the layers.
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', 'src');

// Each imports from itself and from those before it.
const layers = ['data', 'chess', 'site', 'ui', 'setup', 'dialogs', 'pages'];
// The record of the page, for everybody; it names the states of all.
const record = ['ctx', 'state', 'router'];

async function sources(dir) {
  const found = [];
  for (const entry of await readdir(dir, { withFileTypes: true })) {
    const full = path.join(dir, entry.name);
    if (entry.isDirectory()) found.push(...(await sources(full)));
    else if (entry.name.endsWith('.ts')) found.push(path.relative(root, full).replace(/\.ts$/, ''));
  }
  return found;
}

const graph = new Map();
for (const file of await sources(root)) {
  const text = await readFile(path.join(root, `${file}.ts`), 'utf8');
  const edges = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(m =>
    path.join(path.dirname(file), m[1].replace(/\.js$/, '')),
  );
  graph.set(file, edges);
}

const done = new Set();
const problems = [];
function visit(file, trail) {
  const at = trail.indexOf(file);
  if (at >= 0) {
    problems.push(`import cycle: ${[...trail.slice(at), file].join(' → ')}`);
    return;
  }
  if (done.has(file)) return;
  if (!graph.has(file)) throw new Error(`${trail.at(-1)} imports ${file}, which does not exist`);
  for (const next of graph.get(file)) visit(next, [...trail, file]);
  done.add(file);
}
for (const file of graph.keys()) visit(file, []);

// What is wrong with an import from one file to another; null: nothing.
function against(from, to) {
  if (record.includes(from) || record.includes(to)) return null;
  const [layer, feature, more] = to.split('/');
  const [own, ownFeature, ownMore] = from.split('/');
  const [above, below] = [layers.indexOf(layer), layers.indexOf(own)];
  if (below < 0) return null; // what puts the page together knows everything
  if (above < 0) return 'only what puts the page together may know it';
  if (above > below) return `${own}/ may not know ${layer}/`;
  const page = own === 'pages' && layer === 'pages' && more !== undefined && ownMore !== undefined;
  return page && feature !== ownFeature ? 'pages do not know each other' : null;
}
for (const [file, edges] of graph)
  for (const to of edges) {
    const why = against(file, to);
    if (why) problems.push(`${file} imports ${to}: ${why}`);
  }

for (const problem of problems) console.error(problem);
if (problems.length) process.exit(1);
console.log(`no import cycle in ${graph.size} files, none against the layers`);
