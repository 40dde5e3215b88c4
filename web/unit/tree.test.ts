import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startFen, ucis } from '../src/chess/chess';
import {
  NodeCache,
  bestLine,
  bestMove,
  chancesHere,
  goTo,
  here,
  initialTree,
  leafMove,
  otherParents,
  putNode,
  rows,
  select,
  setHovering,
  stoodBefore,
  type TreeState,
} from '../src/pages/tree/treeState';
import { Store } from '../src/data/store';
import { searchersOf, stands } from '../src/pages/tree/liveView';
import type { Engine, NodeMove, TreeNode } from '../src/data/types';
import { initialWish } from '../src/pages/tree/picture/pictureState';
import { analysis, move, node } from './fake';

const grown = (version: number, moves: NodeMove[], more: Partial<TreeNode> = {}): TreeNode =>
  node(version, { moves, rest: { count: 0, bound: null }, ...more });

const rowsOf = (tree: TreeState): string => ucis(rows(tree)).join();

const fresh = () => {
  const store = new Store();
  store.analyses.put(analysis(1), store.now());
  return initialTree(1, [], 'moves', store, initialWish());
};

test('walking keeps the way back, and a new branch forgets it', () => {
  const tree = fresh();
  goTo(tree, ['e2e4', 'e7e5', 'g1f3']);
  goTo(tree, ['e2e4']);
  assert.deepEqual(tree.future, ['e7e5', 'g1f3']);
  goTo(tree, ['e2e4', 'e7e5']);
  assert.deepEqual(tree.future, ['g1f3']);
  goTo(tree, ['e2e4', 'c7c5']);
  assert.deepEqual(tree.future, []);
});

test('a late answer for another line does not show, but is kept', () => {
  const tree = fresh();
  putNode(tree, [], grown(5, [move('e2e4', 30)]));
  putNode(tree, [], grown(4, [move('e2e4', 10)]));
  assert.deepEqual(here(tree)?.moves[0]?.alpha, { cp: 30 }, 'an overtaken one is dropped');
  goTo(tree, ['e2e4']);
  putNode(tree, ['d2d4'], grown(1, [move('d7d5', 10)]));
  assert.equal(here(tree), null);
  goTo(tree, ['d2d4']);
  assert.equal(here(tree)?.moves[0]?.uci, 'd7d5');
});

test('what changed is marked', () => {
  const tree = fresh();
  putNode(tree, [], grown(1, [move('e2e4', 30), move('d2d4', 20), move('c2c4', 10)]));
  assert.equal(tree.trend.size, 0);
  putNode(tree, [], grown(2, [move('d2d4', 35), move('e2e4', 25), move('c2c4', 10)]));
  assert.deepEqual(Object.fromEntries(tree.trend), { d2d4: 'up', e2e4: 'down' });
});

test('rows keep their places while the pointer is over them', () => {
  const tree = fresh();
  putNode(tree, [], grown(1, [move('e2e4', 30), move('d2d4', 20)]));
  setHovering(tree, true);
  putNode(tree, [], grown(2, [move('d2d4', 35), move('g1f3', 31), move('e2e4', 30)]));
  assert.equal(rowsOf(tree), 'e2e4,d2d4,g1f3');
  assert.equal(setHovering(tree, false), true);
  assert.equal(rowsOf(tree), 'd2d4,g1f3,e2e4');
});

const told = (m: NodeMove, wdl?: number[]): NodeMove => ({
  ...m,
  engine: { engine: 'Alpha', score: m.alpha!, ...(wdl && { wdl }) },
});

test('by winning chances who wins most often comes first, then as alpha has it; what is no part comes last', () => {
  const tree = fresh();
  const moves = [
    told(move('e2e4', 40)),
    told(move('d2d4', 30), [200, 700, 100]),
    told(move('c2c4', 20), [300, 500, 200]),
    told(move('g1f3', 10), [200, 500, 300]),
    told(move('a2a4', 0, 'excluded'), [900, 100, 0]),
    told(move('h2h4', -10)),
  ];
  tree.byChances = true;
  putNode(tree, [], grown(1, moves));
  assert.deepEqual(tree.rowOrder, ['c2c4', 'd2d4', 'g1f3', 'e2e4', 'h2h4', 'a2a4']);
  select(tree, 1);
  assert.equal(tree.selected, 'c2c4');
  assert.equal(bestMove(tree)?.uci, 'e2e4', 'the answer stays what it is');
  putNode(tree, [], { ...grown(2, moves), turn: 'black' });
  assert.deepEqual(tree.rowOrder, ['g1f3', 'c2c4', 'd2d4', 'e2e4', 'h2h4', 'a2a4']);
  tree.byChances = false;
  setHovering(tree, false);
  assert.deepEqual(tree.rowOrder, ['e2e4', 'd2d4', 'c2c4', 'g1f3', 'h2h4', 'a2a4']);
});

test('the chances of a position are those behind its value; of a leaf those of the move that leads there', () => {
  const tree = fresh();
  const whole = { ...grown(1, [told(move('e2e4', 30), [310, 640, 50])]), wdl: [200, 700, 100] };
  putNode(tree, [], whole);
  assert.deepEqual(chancesHere(tree), [200, 700, 100]);
  goTo(tree, ['e2e4']);
  assert.equal(chancesHere(tree), undefined, 'the position is on its way');
  putNode(tree, ['e2e4'], grown(1, []));
  assert.deepEqual(chancesHere(tree), [310, 640, 50]);
  whole.moves[0]!.alpha = { cp: 0 }; // worth something else there: a claimed draw
  assert.equal(chancesHere(tree), undefined);
});

test('choosing goes round; best skips the excluded', () => {
  const tree = fresh();
  const moves = [move('e2e4', 30, 'excluded'), move('d2d4', 20), move('h2h4', null, 'unscored')];
  putNode(tree, [], grown(1, moves));
  assert.equal(bestMove(tree)?.uci, 'd2d4');
  select(tree, 1);
  assert.equal(tree.selected, 'd2d4');
  select(tree, -1);
  assert.equal(tree.selected, 'e2e4'); // no part of the game: the last row
  select(tree, 1);
  assert.equal(tree.selected, 'd2d4');
});

test('a position that stands earlier on its line is known, a transposition is not taken for one', () => {
  const tree = fresh();
  tree.line = ['g1f3', 'g8f6', 'f3g1', 'f6g8'];
  assert.ok(stoodBefore(tree));
  tree.line = ['g1f3', 'g8f6', 'f3g1'];
  assert.ok(!stoodBefore(tree));
  tree.line = ['g1f3', 'g8f6', 'b1c3', 'f6g8'];
  assert.ok(!stoodBefore(tree));
});

test('a leaf is worth what the position before says of its move', () => {
  const tree = fresh();
  putNode(tree, [], grown(1, [move('e2e4', 30), move('d2d4', 20)]));
  goTo(tree, ['d2d4']);
  putNode(tree, ['d2d4'], grown(2, []));
  assert.deepEqual(leafMove(tree)?.alpha, { cp: 20 });
  putNode(tree, ['d2d4'], grown(3, [move('d7d5', 10)]));
  assert.equal(leafMove(tree), null);
});

test('the way we came is not among the other ways', () => {
  const tree = fresh();
  goTo(tree, ['g1f3']);
  const own = { fen: startFen, uci: 'g1f3', san: 'Nf3' };
  const other = { fen: '8/8/8/8/8/8/8/8 w - - 0 1', uci: 'g5f3', san: 'Nf3' };
  putNode(tree, ['g1f3'], grown(1, [], { parents: [own, other] }));
  assert.deepEqual(otherParents(tree), [other]);
});

test('the cache forgets the oldest', () => {
  const cache = new NodeCache(2);
  cache.put(['a'], grown(1, []));
  cache.put(['b'], grown(2, []));
  cache.get(['a']);
  cache.put(['c'], grown(3, []));
  assert.equal(cache.get(['b']), null);
  assert.equal(cache.get(['a'])?.version, 1);
  assert.equal(cache.size, 2);
});

test('who searches the position in view is told, and nobody else', () => {
  const tree = fresh();
  putNode(tree, [], grown(1, [move('e2e4', 30)]));
  const process = (fen: string | null, state = 'searching') => ({ index: 0, state, fen });
  const engine = (...processes: object[]) => ({ name: 'sf', processes }) as unknown as Engine;
  assert.equal(searchersOf([engine(process(startFen))], tree).length, 1);
  assert.equal(searchersOf([engine(process(startFen.replace(' 0 1', ' 7 9')))], tree).length, 1);
  const others = [process(null), process(startFen, 'idle'), process(startFen.replace(' w ', ' b '))];
  assert.equal(searchersOf([engine(...others)], tree).length, 0);
});

test('the search that stands beside the tree says how deep it is, how long it runs, and what it has found', () => {
  const far = { running_seconds: 3_120, depth: 41, score: { cp: -12 }, pv: ['Nf3', 'd5'] };
  const search = { threads: 4, nodes: 9, nps: 1, ...far };
  assert.equal(stands(search), 'deep search, depth 41, running 52:00 min: −0.12 Nf3 d5');
  assert.equal(
    stands({ ...search, depth: 0, running_seconds: 0, score: null, pv: [] }),
    'deep search, running 0 s',
  );
});

test('the answer at the root is what the analysis says, wherever the tree has it; it stands first', () => {
  const store = new Store();
  const best = { uci: 'd2d4', san: 'd4', alpha: { cp: 20 }, idea: { cp: 20 } };
  store.analyses.put({ ...analysis(1), fen: startFen, best }, store.now());
  const tree = initialTree(1, [], 'moves', store, initialWish());
  const e4 = grown(1, [move('e2e4', 30), move('d2d4', 20), move('c2c4', 10)]);
  e4.pv = { alpha: [{ uci: 'e2e4', san: 'e4' }], idea: [] };
  putNode(tree, [], e4);
  assert.equal(bestMove(tree)?.uci, 'd2d4');
  assert.equal(rowsOf(tree), 'd2d4,e2e4,c2c4');
  // The tree's own line begins with another move: the engine's line behind the answer takes its place.
  assert.deepEqual(ucis(bestLine(tree)), ['d2d4']);
  tree.lines = { line: '', at: 0, sans: new Map([['d2d4', ['d5', 'c4']]]), evaluations: null };
  assert.deepEqual(ucis(bestLine(tree)), ['d2d4', 'd7d5', 'c2c4']);
  goTo(tree, ['e2e4']);
  putNode(tree, ['e2e4'], grown(2, [move('e7e5', -5), move('d2d4', -3)]));
  assert.equal(bestMove(tree)?.uci, 'e7e5', 'elsewhere the best of the table');
});
