import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../src/data/api';
import type { Analysis, NewAnalysis, NodeMove, TreeNode } from '../src/data/types';
import { openSearchFurther, played, proofHere, prove, takeBack } from '../src/pages/tree/goOn';
import { back, forward, followRoot, loadNode, toEnd, toStart } from '../src/pages/tree/treeCtrl';
import { putNode, shownPlace } from '../src/pages/tree/treeState';
import { analysis, byHand, fakeCtx, node, openTree, settled } from './fake';

const e4 = 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1';
const e4c5 = 'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2';
const afterE4 = (more: Partial<Analysis> = {}): Analysis =>
  analysis(1, { fen: e4, moves: ['e2e4'], ...more });
const afterC5 = (): Analysis => analysis(1, { fen: e4c5, moves: ['e2e4', 'c7c5'], played: 1 });

function open(a: Analysis, line: string[], advance: unknown) {
  const node = byHand<TreeNode>();
  const ctx = fakeCtx({ node, analysis: byHand(), engines: byHand(), changes: byHand(), advance });
  const tree = openTree(ctx, 1, line);
  ctx.state.store.analyses.put(a, ctx.state.store.now());
  followRoot(ctx, tree);
  return { ctx, tree, node };
}

test('a move that was played moves the root; what of the line lies below it stays', async () => {
  const advance = byHand<Analysis>();
  const { ctx, tree } = open(afterE4(), ['c7c5', 'g1f3'], advance);
  void played(ctx, tree, ['c7c5']);
  assert.deepEqual(advance.asked[0]!.args, [1, { moves: ['c7c5'] }]);
  advance.asked[0]!.give(afterC5());
  await settled();
  assert.deepEqual(ctx.wentTo, [{ page: 'tree', id: 1, line: ['g1f3'], tab: 'moves' }]);
  const now = ctx.state.tree!;
  assert.notEqual(now, tree); // nothing of the other root is left
  assert.deepEqual(now.line, ['g1f3']);
  const told = ctx.state.toasts[0]!;
  assert.equal(told.text, 'The game went on: c5.');
  told.action!.run();
  assert.deepEqual(advance.asked[1]!.args, [1, { back: 1 }]);
  advance.asked[1]!.give(afterE4());
  await settled();
  assert.deepEqual(ctx.state.tree!.line, ['c7c5', 'g1f3']);
});

test('while the root moves nothing is asked from the old one; where it stays, at once', async () => {
  const advance = byHand<Analysis>();
  const { ctx, tree, node } = open(afterE4(), ['c7c5'], advance);
  void played(ctx, tree, ['c7c5']);
  const before = node.asked.length;
  void loadNode(ctx, tree); // an event came
  await settled();
  assert.equal(node.asked.length, before);
  advance.asked[0]!.fail(new ApiError(503, 'unavailable', 'not now', ''));
  await settled();
  assert.equal(ctx.state.tree, tree);
  assert.equal(node.asked.length, before + 1);
});

test('somebody else said that the game went on another way: to the new root', () => {
  const { ctx, tree } = open(afterE4(), ['e7e5'], byHand());
  assert.equal(followRoot(ctx, tree), false); // nothing is new
  ctx.state.store.analyses.put(afterC5(), ctx.state.store.now());
  assert.equal(followRoot(ctx, tree), true);
  assert.deepEqual(ctx.state.tree!.line, []);
});

test('before the root the moves of the game are walked, and the last one is marked; it is taken back', () => {
  const advance = byHand<Analysis>();
  const { ctx, tree } = open(afterC5(), [], advance);
  assert.deepEqual(shownPlace(tree)?.lastMove, ['c7', 'c5']);
  back(ctx);
  assert.deepEqual(shownPlace(tree)?.lastMove, ['e2', 'e4']);
  back(ctx);
  back(ctx); // there is no more
  assert.equal(tree.before, 2);
  assert.deepEqual(shownPlace(tree)?.lastMove, []);
  forward(ctx);
  assert.equal(tree.before, 1);
  toEnd(ctx);
  assert.equal(tree.before, 0);
  toStart(ctx);
  assert.equal(tree.before, 2);
  assert.deepEqual(ctx.wentTo, []);
  void takeBack(ctx, tree);
  assert.deepEqual(advance.args(), [[1, { back: 1 }]]);
});

test('search further: an hour, the night, a level', async () => {
  const extend = byHand<Analysis>();
  const ctx = fakeCtx({ extend });
  openTree(ctx, 1);
  const button = { getBoundingClientRect: () => ({}) } as Element;
  openSearchFurther(ctx, analysis(1, { state: 'settled' }), button);
  for (const item of ctx.state.menu!.items) item.run();
  const asked = extend.args().map(args => args[1]);
  assert.deepEqual([asked[0], asked[2]], [{ hours: 1 }, { levels: 1 }]);
  const { until } = asked[1] as { until: number };
  assert.ok(until > ctx.state.now);
  extend.asked[0]!.give(analysis(1, { state: 'queued' }));
  await settled();
  assert.equal(ctx.state.store.analyses.get(1)?.state, 'queued');
});

test('where an end is near it can be proven, in an analysis of its own', async () => {
  const create = byHand<number>();
  const { ctx, tree } = open(afterE4(), ['c7c5'], byHand());
  Object.assign(ctx.api, { create });
  const move = { uci: 'g1f3', san: 'Nf3', alpha: { cp: 0 }, status: 'leaf' } as unknown as NodeMove;
  const told = (version: number, more: Partial<TreeNode>): void =>
    putNode(tree, ['c7c5'], node(version, { moves: [move], ...more }));
  told(1, { alpha: { cp: 40 }, idea: { cp: 40 } });
  assert.equal(proofHere(tree), null);
  told(2, { alpha: { cp: 0 }, idea: { cp: 0 } });
  assert.equal(proofHere(tree), null, 'no repetition');
  told(3, { alpha: { cp: 0 }, idea: { cp: 30 } });
  assert.deepEqual(proofHere(tree), { side: 2, draw: 1 });
  told(4, { alpha: { cp: 0 }, idea: { cp: -30 } });
  assert.deepEqual(proofHere(tree), { side: 1, draw: 1 });
  told(5, { alpha: { tb: 'draw', dtz: 0 }, idea: { tb: 'draw', dtz: 0 } });
  assert.equal(proofHere(tree), null);
  told(6, { alpha: { mate: 9 }, idea: { mate: 9 } });
  assert.deepEqual(proofHere(tree), {});
  void prove(ctx, tree, { side: 2, draw: 1 });
  const [asked] = create.asked[0]!.args as [NewAnalysis];
  assert.deepEqual(asked.position, { fen: tree.analysis!.start_fen, moves: ['e2e4', 'c7c5'] });
  assert.deepEqual(asked.strategy, { kind: 'prove', side: 2, draw: 1 });
  assert.deepEqual(asked.limit, tree.analysis!.limit);
  create.asked[0]!.give(7);
  await settled();
  assert.deepEqual(ctx.wentTo.at(-1), { page: 'tree', id: 7, line: [], tab: 'moves' });
});
