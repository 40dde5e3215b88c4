// What the pictures of docs/img show: analyses and files, made on a new server that has Stockfish.
//   ADJOURN_URL=http://… node scenes.mjs
// Ends when the short ones are settled and the first has 300 positions; that one goes on.
import { api, until } from './helpers.mjs';

const server = { url: process.env.ADJOURN_URL.replace(/\/$/, '') };
const call = api(server);

const ours = `[Event "Club championship"]
[White "Lindqvist, Ann"]
[Black "Moreau, Paul"]
[Date "2026.10.02"]
[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 {The Spanish.} 3... a6 (3... Nf6 {the Berlin} 4. O-O Nxe4 5. d4 Nd6 6. Bxc6 dxc6 7. dxe5 Nf5
8. Qxd8+ Kxd8) 4. Ba4! {keeps the pressure} 4... Nf6 5. O-O Be7 (5... Nxe4 6. d4 b5 7. Bb3 d5 8. dxe5 Be6) 6. Re1 b5
7. Bb3 O-O!? {heading for the Marshall} 8. c3 d5 9. exd5 Nxd5 10. Nxe5 Nxe5 11. Rxe5 c6 1-0
`;

async function begin(name, text, refine, more = {}) {
  const { id } = await call.post('/analyses', {
    name,
    position: { text },
    limit: { depth: 14 },
    strategy: { kind: 'anchored', move_distance: 30, refine },
    ...more,
  });
  return id;
}

const short = [
  [
    'Najdorf, English Attack',
    '1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. Be3',
    {
      tags: ['najdorf'],
      game: {
        white: 'Lindqvist, Ann',
        black: 'Okafor, Ben',
        opponent: 'Okafor, Ben',
        move_by: new Date(Date.now() + 6 * 86_400_000).toISOString().slice(0, 10),
      },
    },
  ],
  ['Pawn ending', '8/5pk1/4p1p1/3pP3/3P1P2/6K1/6P1/8 w - - 0 1', {}],
  ['Italian for the club', '1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5', { tags: ['club'] }],
  ['My Caro-Kann', '1. e4 c6', { priority: -1 }],
];

const first = await begin('Ruy Lopez', '1. e4 e5 2. Nf3 Nc6 3. Bb5', 8, {
  hold: true,
});
await call.post(`/analyses/${first}/files`, {
  name: 'Ruy Lopez.pgn',
  pgn: ours,
});
for (const [name, text, more] of short) {
  const id = await begin(name, text, 3, more);
  await until(
    `${name} is settled`,
    async () => /settled|exhausted/.test((await call.get(`/analyses/${id}`)).state),
    3600,
  );
}
await call.patch(`/analyses/${first}`, { hold: false });
await until('300 positions', async () => (await call.get(`/analyses/${first}`)).positions >= 300, 3600);
