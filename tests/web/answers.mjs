// Asks a real server and looks at what it answers: every answer is as docs/openapi.yaml describes it, and has no field
// that is not described there. ADJOURN_WEB_SCRIPT=answers.mjs node serve_and_run.mjs
import { startServer } from './backend.mjs';
import { api, make, until } from './helpers.mjs';
import { parsed, undescribed, validators } from './openapi.test.mjs';

const server = await startServer();
const document = await parsed();
const schema_named = await validators();
const wrong = [];
let seen = 0;

function look(name, schema, body) {
  seen++;
  const invalid = schema_named(schema)(body);
  if (invalid) wrong.push(`${name}: ${invalid}`);
  for (const at of undescribed(document, document.components.schemas[schema], body))
    wrong.push(`${name}: ${at} is not described`);
  return body;
}

// The name of the schema that the description gives to this answer.
function schema_of(method, route, status) {
  let reply = document.paths[route]?.[method]?.responses[status];
  if (reply?.$ref) reply = document.components.responses[reply.$ref.split('/').at(-1)];
  return reply?.content?.['application/json']?.schema.$ref.split('/').at(-1);
}

// `body` is JSON, or a text as it is. `where` has the values of what stands in braces in `route`, and the query.
async function ask(method, route, where = {}, body = undefined) {
  const query = new URLSearchParams(where.query ?? {});
  const path = route.replace(/\{(\w+)\}/g, (_, name) => where[name]);
  const response = await fetch(`${server.url}/api/v1${path}?${query}`, {
    method,
    headers: { 'Content-Type': typeof body === 'string' ? 'text/plain' : 'application/json' },
    body: typeof body === 'string' || body === undefined ? body : JSON.stringify(body),
  });
  const name = `${method} ${route}: ${response.status}`;
  const answer = await response.json();
  const schema = schema_of(method, route, response.status);
  if (schema) look(name, schema, answer);
  else wrong.push(`${name}: is not described`);
  // A schema takes seconds to compile on a busy machine, and the server closes what is idle for five: that has to be
  // seen before the next call, or it goes out on a connection that is gone.
  await new Promise(setImmediate);
  return answer;
}

const more = { strategy: { kind: 'halving', move_distance: 30, refine: 0 } };
const { id } = await make(server, ['e2e4', 'e7e5', 'g1f3', 'b8c6', 'f1b5'], more);
await until('two depths are settled', async () => (await api(server).get(`/analyses/${id}`)).settled >= 2);
const { created_at } = await ask('get', '/analyses/{id}', { id });
const root = await ask('get', '/analyses/{id}/node', { id });
const moves = root.pv.alpha.slice(0, 3).map(step => step.uci);

for (const route of ['/health', '/analyses', '/engines', '/engines/installed', '/radar'])
  await ask('get', route);
for (const route of ['/collections', '/webhooks', '/workers']) await ask('get', route);
for (const kind of ['history', 'evaluations', 'notes', 'files', 'directives', 'links', 'looks'])
  await ask('get', `/analyses/{id}/${kind}`, { id });
await ask('get', '/analyses/{id}/node', { id, query: { moves: moves.join() } });
await ask('get', '/analyses/{id}/tree', { id, query: { plies: 3, margin: 50, limit: 60 } });
await ask('get', '/analyses/{id}/changes', { id, query: { since: created_at + 1 } });
await ask('get', '/analyses/{id}/disagreements', { id, query: { gap: 1, limit: 5 } });
await ask('get', '/analyses/{id}/verdict', { id });
await ask('get', '/positions', { query: { fen: root.fen } });
await ask('post', '/positions', {}, { text: 'e4 e5' });
await ask('get', '/openings', { query: { q: 'najdorf', limit: 5 } });
const games = '[Event "A"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 f5 {[%eval 0.4,20]} *\n\n[Event "B"]\n\n1. e5 *\n';
await ask('post', '/import', { query: { format: 'pgn', name: 'games.pgn', analysis: id } }, games);
const one = { position: { moves: ['e2e4'] }, limit: { depth: 6 }, hold: true };
const made = await ask('post', '/analyses', {}, one);
await ask('get', '/analyses/{id}', { id: made.id });
await ask('post', '/analyses', {}, { ...one, position: { moves: ['e2e4', 'e2e4'] } });
await ask('get', '/analyses/{id}', { id: 999 });

// One event of each kind, for as long as that takes.
const of_event = { analysis: 'Analysis', node: 'NodeEvent', engine: 'Engine' };
const abort = new AbortController();
const give_up = setTimeout(() => abort.abort(), 20_000);
const stream = await fetch(`${server.url}/api/v1/events`, { signal: abort.signal });
await ask('post', '/analyses/{id}/directives', { id }, { moves: moves.slice(0, 1), action: 'now' });
let text = '';
try {
  for await (const chunk of stream.body) {
    text += Buffer.from(chunk).toString('utf8');
    for (const [, kind, data] of text.matchAll(/event: (\w+)\ndata: (.*)\n/g))
      if (of_event[kind]) {
        look(`event ${kind}`, of_event[kind], JSON.parse(data));
        delete of_event[kind];
      }
    if (!Object.keys(of_event).length) break;
  }
} catch (error) {
  if (!abort.signal.aborted) throw error;
}
clearTimeout(give_up);
abort.abort();
for (const kind of Object.keys(of_event)) wrong.push(`event ${kind}: none came`);
await server.stop();
for (const problem of wrong) console.log(problem);
if (!wrong.length) console.log(`${seen} answers are as described`);
process.exit(wrong.length ? 1 : 0);
