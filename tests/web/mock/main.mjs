// node mock/main.mjs [--port 8463] [--rate 6] [--grow 300] [--empty] [--token T] [--state FILE]
// A mock server with three analyses that are well under way (unless --empty).
import { MockServer } from './server.mjs';

const flag = (name, fallback) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : (process.argv[at + 1] ?? '');
};
const server = new MockServer({
  rate: Number(flag('rate', '6')),
  file: flag('state', null),
  token: flag('token', null),
});

if (!process.argv.includes('--empty') && !server.all.list.length) {
  const grown = Number(flag('grow', '300'));
  const moves = text => text.split(' ');
  const day = 86_400_000;
  const demo = [
    [
      {
        position: { moves: moves('e2e4 e7e5 g1f3 b8c6 f1b5') },
        limit: { depth: 12 },
        strategy: { kind: 'halving', move_distance: 20, refine: 12 },
      },
      1.4 * day,
      1,
    ],
    [
      {
        position: { moves: moves('e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6') },
        limit: { depth: 18 },
        strategy: { kind: 'halving', move_distance: 30, refine: 10 },
        window: '22:00-07:00',
      },
      0.9 * day,
      0.6,
    ],
    [
      {
        name: 'Adjourned, move 41',
        position: { fen: '8/5pk1/4p1p1/3pP2p/1p1P1P1P/1P2K1P1/8/8 w - - 0 41' },
        limit: { nodes: 2000000 },
        strategy: { kind: 'halving', move_distance: 40, refine: 4 },
      },
      0.6 * day,
      0.15,
    ],
    [
      {
        position: { moves: moves('d2d4 d7d5 c2c4 e7e6') },
        limit: { depth: 20 },
        strategy: { kind: 'dropout', move_distance: 25, refine: 0 },
        budget: { positions: 20000 },
        hold: true,
      },
      0.4 * day,
      0.3,
    ],
  ];
  for (const [body, age, share] of demo) {
    const at = Date.now() - age;
    const a = server.all.create(body, at);
    const steps = Math.round(grown * share);
    for (let i = 0; i < steps; i++) server.all.grow(a, at + (age * i) / steps);
  }
}

const port = await server.listen(Number(flag('port', '8463')));
console.log(`http://127.0.0.1:${port}`);
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => void server.stop().then(() => process.exit(0)));
