// Writes golden/*.json: one response of every call, from the server that backend.mjs finds; with
// ADJOURN_WEB_SCRIPT=golden.mjs node serve_and_run.mjs from the real one. With --check it writes nothing, and
// compares: every response is as docs/openapi.yaml describes it, with the fields that the file in golden/ has.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startServer } from './backend.mjs';
import { api, make, until } from './helpers.mjs';
import { parsed, schema_of, undescribed, validators } from './openapi.test.mjs';

const folder = path.join(path.dirname(fileURLToPath(import.meta.url)), 'golden');
await mkdir(folder, { recursive: true });
const server = await startServer(['--rate', '8', '--empty']);
const base = `${server.url}/api/v1`;

const check = process.argv.includes('--check');
const wrong = [];

async function keep(name, body) {
  const file = `${name}.json`;
  if (check) wrong.push(...(await problems(file, body)).map(problem => `${file}: ${problem}`));
  else await writeFile(path.join(folder, file), `${JSON.stringify(body, null, 1)}\n`);
  return body;
}

async function problems(file, body) {
  const document = await parsed();
  const schema = document.components.schemas[schema_of[file]];
  const known = JSON.parse(await readFile(path.join(folder, file), 'utf8'));
  const missing = (from, to) => (schema.required ?? []).filter(field => field in from && !(field in to));
  const invalid = (await validators())(schema_of[file])(body);
  return [
    ...(invalid ? [invalid] : []),
    ...[...undescribed(document, schema, body)].map(at => `${at} is not described`),
    ...missing(known, body).map(field => `the server no longer has ${field}`),
    ...missing(body, known).map(field => `golden/ has no ${field}`),
  ];
}

// To check takes seconds on a busy machine, and the server closes what is idle for five: that has to be seen before the
// next call, or it goes out on a connection that is gone.
const save = async (name, response) => {
  const kept = await keep(name, await response.json());
  await new Promise(setImmediate);
  return kept;
};
const get = (name, call) => fetch(`${base}${call}`).then(r => save(name, r));
const post = (name, call, body) =>
  fetch(`${base}${call}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  }).then(r => save(name, r));

await get('health', '/health');
const more = { strategy: { kind: 'halving', move_distance: 30, refine: 0 } };
const { id } = await make(server, ['e2e4', 'e7e5', 'g1f3', 'b8c6', 'f1b5'], more);
await until('two depths are settled', async () => (await api(server).get(`/analyses/${id}`)).settled >= 2);
const { analyses } = await get('analyses', '/analyses');
const since = analyses[0].created_at;
const own = `/analyses/${id}`;
await get('engines', '/engines');
await get('analysis', own);
const root = await get('node', `${own}/node`);
const moves = root.pv.alpha.slice(0, 3).map(s => s.uci);
await get('node-deep', `${own}/node?moves=${moves.join()}`);
await get('tree', `${own}/tree?plies=3&margin=50&limit=60`);
await get('history', `${own}/history`);
await get('changes', `${own}/changes?since=${since + 1}`);
await get('disagreements', `${own}/disagreements?gap=1&limit=5`);
await get('evaluations', `${own}/evaluations`);
await get('positions', `/positions?fen=${encodeURIComponent(root.fen)}`);
await fetch(`${base}/import?format=pgn&name=golden.pgn&analysis=${id}`, {
  method: 'POST',
  headers: { 'Content-Type': 'text/plain' },
  body: '[Event "A"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 f5 {[%eval 0.4,20]} *\n\n[Event "B"]\n\n1. e5 *\n',
}).then(r => save('import', r));
await post('position-read', '/positions', { text: 'e4 e5' });
await get('openings', '/openings?q=najdorf&limit=5');
await post('created', '/analyses', { position: { moves: ['e2e4'] }, limit: { depth: 6 }, hold: true });
await post('error', '/analyses', { position: { moves: ['e2e4', 'e2e4'] }, limit: { depth: 6 } });

// One event of each kind, for as long as that takes.
const wanted = new Set(['analysis', 'node', 'engine']);
const abort = new AbortController();
const give_up = setTimeout(() => abort.abort(), 20_000);
const stream = await fetch(`${base}/events`, { signal: abort.signal });
await fetch(`${base}${own}/directives`, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ moves: moves.slice(0, 1), action: 'now' }),
});
let text = '';
try {
  for await (const chunk of stream.body) {
    text += Buffer.from(chunk).toString('utf8');
    for (const [, kind, data] of text.matchAll(/event: (\w+)\ndata: (.*)\n/g))
      if (wanted.delete(kind)) await keep(`event.${kind}`, JSON.parse(data));
    if (!wanted.size) break;
  }
} catch (error) {
  if (!abort.signal.aborted) throw error;
}
clearTimeout(give_up);
abort.abort();
if (wanted.size) console.log(`no event of kind ${[...wanted].join(', ')} came`);
await server.stop();
for (const problem of wrong) console.log(problem);
if (check && !wrong.length) console.log(`${Object.keys(schema_of).length} responses are as described`);
process.exit(wanted.size || wrong.length ? 1 : 0);
