// What the pictures of docs/img show, beside the demonstration: analyses on a server that has Stockfish and a copy of
// server/program/package/demonstration/store.db in its data directory.
//   ADJOURN_URL=http://… node scenes.mjs
// Ends when the short ones are settled; the last one goes on, so that the queue shows work.
import { api, until } from './helpers.mjs';

const server = { url: process.env.ADJOURN_URL.replace(/\/$/, '') };
const call = api(server);

async function begin(name, text, more = {}) {
  const { id } = await call.post('/analyses', {
    name,
    position: { text },
    limit: { depth: 10 },
    strategy: { kind: 'anchored', move_distance: 20, refine: 3 },
    ...more,
  });
  return async () => (await call.get(`/analyses/${id}`)).state;
}

const inDays = days => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

const short = [
  [
    'Najdorf, English Attack',
    '1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. Be3',
    {
      tags: ['najdorf'],
      game: { white: 'Lindqvist, Ann', black: 'Okafor, Ben', opponent: 'Okafor, Ben', move_by: inDays(6) },
    },
  ],
  ['Pawn ending', '8/5pk1/4p1p1/3pP3/3P1P2/6K1/6P1/8 w - - 0 1'],
  ['Italian for the club', '1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5', { tags: ['club'] }],
  ['My Caro-Kann', '1. e4 c6', { priority: -1 }],
];

for (const [name, text, more] of short) {
  const state = await begin(name, text, more);
  await until(`${name} is settled`, async () => /settled|exhausted/.test(await state()), 3600);
}
const last = await begin('Ruy Lopez', '1. e4 e5 2. Nf3 Nc6 3. Bb5', {
  limit: { depth: 14 },
  strategy: { kind: 'anchored', move_distance: 30, refine: 8 },
});
await until('it runs', async () => (await last()) === 'running');
