import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sans, startFen } from '../src/chess/chess';
import { Api, type ApiError } from '../src/data/api';
import type { NodeMove, Verdict } from '../src/data/types';
import { SiteScripts } from '../src/site/siteScripts';
import { SiteSource, type SiteIndex } from '../src/site/siteSource';
import { analysis, moment } from './fake';

const row = (uci: string, san: string, cp: number, status: NodeMove['status'], positions = 0) => ({
  uci,
  san,
  idea: { cp },
  alpha: { cp },
  status,
  engine: { score: { cp }, engine: 'E', depth: 6 },
  ...(positions && { positions }),
});

const position = (from: number | null, to: Record<string, number>, fen: string, moves: unknown[]) => ({
  from,
  to,
  node: {
    fen,
    turn: fen.split(' ')[1] === 'b' ? 'black' : 'white',
    status: 'expanded',
    idea: { cp: 20 },
    alpha: { cp: 20 },
    rest: { count: 18, bound: null },
    pv: { alpha: [] },
    moves,
  },
});

// 1. e4 e5 2. Nf3 and 1. Nf3 e5 2. e4 meet; the second chunk begins with the position where they do.
const afterE4 = 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1';
const afterNf3 = 'rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1';
const afterE5 = 'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2';
const met = 'rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2';
const afterNf3E5 = 'rnbqkbnr/pppp1ppp/8/4p3/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 0 2';
const chunks = [
  [
    position(null, { e2e4: 1, g1f3: 2 }, startFen, [
      row('e2e4', 'e4', 30, 'expanded', 2),
      row('g1f3', 'Nf3', 10, 'expanded', 1),
      row('a2a3', 'a3', -60, 'expanded', 1),
    ]),
    position(0, { e7e5: 3 }, afterE4, [row('e7e5', 'e5', 30, 'expanded', 1)]),
    position(0, { e7e5: 5 }, afterNf3, [row('e7e5', 'e5', 10, 'expanded', 1)]),
  ],
  [
    position(1, { g1f3: 4 }, afterE5, [row('g1f3', 'Nf3', 30, 'expanded')]),
    position(3, {}, met, [row('b8c6', 'Nc6', 30, 'leaf')]),
    position(2, { e2e4: 4 }, afterNf3E5, [row('e2e4', 'e4', 10, 'expanded')]),
  ],
];

const index: SiteIndex = {
  exported: moment,
  folder: 'g1',
  positions: 6,
  moves: 9,
  cut: false,
  margin: 50,
  plies: 40,
  changes: [
    { name: 'day', since: moment - 86_400_000 },
    { name: 'week', since: moment - 7 * 86_400_000 },
  ],
  analysis: analysis(7),
  starts: [0, 3],
  games: { 4: [1, 9] },
};

// Scripts that have come already, and no document to ask others of.
function source(more: Record<string, unknown> = {}): Api {
  globalThis.adjournSite = Object.entries({ c0: chunks[0], c1: chunks[1], ...more });
  return new Api(new SiteSource(new SiteScripts(), index));
}

test('a site: a position is told as the server told it, with what was left out put back', async () => {
  const node = await source().node(7, ['e2e4', 'e7e5', 'g1f3']);
  assert.deepEqual(sans(node.line), ['e4', 'e5', 'Nf3']);
  assert.equal(node.clock_note, null);
  assert.deepEqual([node.notes, node.parents, node.pv.idea, node.estimate], [[], [], [], null]);
  const [move] = node.moves;
  assert.deepEqual(
    [move!.estimate, move!.positions, move!.transposition, move!.source, move!.engine!.depth],
    [null, 0, false, 'engine', 6],
  );
  const same = await source().node(7, ['g1f3', 'e7e5', 'e2e4']);
  assert.equal(same.moves[0]!.uci, 'b8c6');
  assert.match(same.clock_note!, /another order of moves/);
});

test('a site: what it does not have is told by the rules alone', async () => {
  const api = source();
  const leaf = await api.node(7, ['e2e4', 'e7e5', 'g1f3', 'b8c6']);
  assert.deepEqual([leaf.status, leaf.moves, leaf.alpha, leaf.rest.count], ['leaf', [], null, 27]);
  assert.equal((await api.node(7, ['a2a3'])).status, 'expanded'); // the server has more than the site
  assert.equal((await api.node(7, ['h2h4', 'a7a5'])).status, 'unscored');
  const mate = await api.node(7, ['f2f3', 'e7e5', 'g2g4', 'd8h4']);
  assert.deepEqual([mate.terminal, mate.status], ['checkmate', 'terminal']);
  await assert.rejects(api.node(7, ['e2e5']), (e: ApiError) => e.status === 404);
});

test('a site: the picture has what lies within the margin, each position once', async () => {
  const api = source();
  const { root: cell, truncated } = await api.tree(7, { moves: [], plies: 4, margin: 50, limit: 100 });
  assert.deepEqual(
    cell.children.map(c => [c.uci, c.positions, c.children.length]),
    [
      ['e2e4', 2, 1],
      ['g1f3', 1, 1],
    ],
  );
  assert.equal(cell.positions, index.analysis.positions);
  const [first, again] = cell.children.map(c => c.children[0]!.children[0]!);
  assert.deepEqual(
    [first!.repeat, first!.children.length, again!.repeat, again!.children.length],
    [false, 1, true, 0],
  );
  assert.equal(truncated, false);
  const few = await api.tree(7, { moves: [], plies: 4, margin: 50, limit: 2 });
  assert.deepEqual([few.root.children.length, few.truncated], [1, true]);
  const below = await api.tree(7, { moves: ['e2e4'], plies: 1, margin: 0, limit: 9 });
  assert.deepEqual([below.root.positions, below.root.children.length], [2, 1]);
});

test('a site: games come from the script that has them, verdicts with their positions, changes by the nearest moment', async () => {
  const then = source({ 'since-day': { since: 1 }, 'since-week': { since: 2 } });
  assert.deepEqual(await then.changes(7, moment - 86_400_000), { since: 1 });
  assert.deepEqual(await then.changes(7, 0), { since: 2 });
  const api = source({ 'f4-0': { 3: { number: 3 } }, 'f4-1': { 9: { number: 9 } }, f4: 'PGN' });
  assert.deepEqual(await api.game(7, 4, 3), { number: 3 });
  assert.deepEqual(await api.game(7, 4, 9), { number: 9 });
  assert.equal(await api.filePgn(7, 4), 'PGN');
  for (const call of [api.game(7, 4, 10), api.game(7, 5, 1), api.verdict(7, [])])
    await assert.rejects(call, (e: ApiError) => e.status === 404);
  const verdict = { fen: startFen } as Verdict;
  const told = source({ c0: [{ ...chunks[0]![0]!, verdict }] });
  assert.deepEqual(await told.verdict(7, []), verdict);
});

test('a site: disagreements below a position are those of the whole tree that lie there', async () => {
  const step = (uci: string) => ({ uci, san: uci });
  const one = { line: [step('e2e4'), step('e7e5')], engine: { cp: 0 }, alpha: { cp: 50 }, gap: 50 };
  const api = source({ disagreements: { disagreements: [one], positions: 6, truncated: false } });
  assert.equal((await api.disagreements(7, [])).disagreements[0]!.line.length, 2);
  assert.deepEqual((await api.disagreements(7, ['e2e4'])).disagreements[0]!.line, [step('e7e5')]);
  assert.deepEqual((await api.disagreements(7, ['g1f3'])).disagreements, []);
});

test('a site: it changes nothing, and knows of nothing else', async () => {
  const api = source();
  await assert.rejects(api.direct(7, { moves: [], action: 'now' }), (e: ApiError) => e.status === 405);
  for (const call of [api.analysis(8), api.analyses(), api.engines(), api.links(7), api.looks(7)])
    await assert.rejects(call, (e: ApiError) => e.status === 404);
});
