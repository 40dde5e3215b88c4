import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../src/data/api';
import type { Analysis, Changes, Evaluations, TreeNode } from '../src/data/types';
import { load, setSince } from '../src/pages/tree/time/timeView';
import { initialTime } from '../src/pages/tree/time/timeState';
import { enter, leave, loadNode, loadSoon, onNodeEvent, reload } from '../src/pages/tree/treeCtrl';
import { treePage } from '../src/pages/tree/treePage';
import { here } from '../src/pages/tree/treeState';
import { analysis, byHand, fakeCtx, moment, node, openTree, settled } from './fake';

test('two trees do not disturb each other', async () => {
  const nodes = byHand<TreeNode>();
  const ctx = fakeCtx({ node: nodes });
  const [left, right] = [openTree(ctx, 1), openTree(ctx, 2)];
  void loadNode(ctx, left);
  void loadNode(ctx, right);
  nodes.asked[1]!.give(node(2));
  nodes.asked[0]!.give(node(1));
  await settled();
  assert.deepEqual([here(left)?.version, here(right)?.version], [1, 2]);
});

test('a step gives up the question before it, and nothing is asked after leaving', async () => {
  const nodes = byHand<TreeNode>();
  const ctx = fakeCtx({ node: nodes, analysis: byHand<Analysis>() });
  const tree = openTree(ctx, 1);
  enter(ctx, { page: 'tree', id: 1, line: ['e2e4'], tab: 'moves' });
  enter(ctx, { page: 'tree', id: 1, line: ['d2d4'], tab: 'moves' });
  nodes.asked[1]!.give(node(5, { fen: 'd4' }));
  nodes.asked[0]!.give(node(6, { fen: 'e4' }));
  await settled();
  assert.equal(here(tree)?.fen, 'd4');
  loadSoon(ctx, tree, 500);
  leave(ctx);
  ctx.clock.turn(60_000);
  assert.equal(nodes.asked.length, 2);
});

test('many events fetch once, and not while an answer is on its way', async () => {
  const nodes = byHand<TreeNode>();
  const ctx = fakeCtx({ node: nodes });
  const tree = openTree(ctx, 1);
  for (const ms of [2000, 150, 1500]) loadSoon(ctx, tree, ms);
  ctx.clock.turn(150);
  assert.equal(nodes.asked.length, 1);
  loadSoon(ctx, tree, 150);
  ctx.clock.turn(10_000);
  assert.equal(nodes.asked.length, 1);
  nodes.asked[0]!.give(node(1));
  await settled();
  ctx.clock.turn(100);
  assert.equal(nodes.asked.length, 2);
});

test('clouds are asked about the position that is shown, and their answer is fetched', async () => {
  const nodes = byHand<TreeNode>();
  const clouds = byHand<TreeNode>();
  const ctx = fakeCtx({ node: nodes, askClouds: clouds });
  const tree = openTree(ctx, 1);
  void loadNode(ctx, tree);
  nodes.asked[0]!.give(node(3, { clouds: ['lichess'] }));
  await settled();
  assert.deepEqual(clouds.args(), [[1, []]]);
  onNodeEvent(ctx, tree, { analysis: 1, version: 3, fens: [node(3).fen] });
  ctx.clock.turn(5000);
  assert.equal(nodes.asked.length, 1);
  onNodeEvent(ctx, tree, { analysis: 1, version: 3, fens: [node(3).fen], cloud: true });
  ctx.clock.turn(250);
  nodes.asked[1]!.give(node(3));
  await settled();
  assert.equal(clouds.asked.length, 1);
});

test('what engines had in mind is fetched once more after the last change', async () => {
  const nodes = byHand<TreeNode>();
  const evaluations = byHand<Evaluations>();
  const ctx = fakeCtx({ node: nodes, evaluations });
  const tree = openTree(ctx, 1);
  ctx.state.store.analyses.put(analysis(1, { state: 'settled' }), ctx.state.store.now());
  void loadNode(ctx, tree);
  nodes.asked[0]!.give(node(1, { pv: { idea: [], alpha: [{ uci: 'e2e4', san: 'e4' }] } }));
  await settled();
  const asked = (seconds: number): number => {
    for (let s = 0; s < seconds; s++) {
      ctx.clock.turn(1000);
      treePage.tick!(ctx);
    }
    return evaluations.asked.length;
  };
  assert.equal(asked(60), 1);
  onNodeEvent(ctx, tree, { analysis: 1, version: 2, fens: null });
  assert.equal(asked(2), 2);
  onNodeEvent(ctx, tree, { analysis: 2, version: 3, fens: null }); // another tree
  assert.equal(asked(60), 2);
  onNodeEvent(ctx, tree, { analysis: 1, version: 3, fens: null });
  onNodeEvent(ctx, tree, { analysis: 1, version: 4, fens: null });
  assert.equal(asked(60), 3);
});

test('the first answer is shown, whatever the server tells meanwhile', async () => {
  const nodes = byHand<TreeNode>();
  const asked = byHand<Analysis>();
  const ctx = fakeCtx({ node: nodes, analysis: asked, engines: byHand() });
  enter(ctx, { page: 'tree', id: 7, line: [], tab: 'moves' });
  const tree = ctx.state.tree!;
  reload(ctx, tree); // the stream of events has begun
  asked.asked[0]!.give(analysis(7));
  await settled();
  assert.equal(nodes.asked.length, 1);
  nodes.asked[0]!.give(node(1));
  await settled();
  assert.equal(here(tree)?.version, 1);
  ctx.clock.turn(200);
  assert.equal(nodes.asked.length, 2); // what happened before the stream began
});

test('a link with an illegal move goes to what is legal of it; an analysis that is not there is told', async () => {
  const asked = byHand<Analysis>();
  const ctx = fakeCtx({ node: byHand<TreeNode>(), analysis: asked, engines: byHand() });
  enter(ctx, { page: 'tree', id: 7, line: ['e2e4', 'e2e4'], tab: 'moves' });
  asked.asked[0]!.give(analysis(7));
  await settled();
  assert.deepEqual(ctx.wentTo, [{ page: 'tree', id: 7, line: ['e2e4'], tab: 'moves' }]);
  assert.match(ctx.state.toasts[0]?.text ?? '', /not legal here: e2e4/);
  enter(ctx, { page: 'tree', id: 8, line: [], tab: 'moves' });
  asked.asked.at(-1)!.fail(new ApiError(404, 'not_found', 'There is no analysis 8.', ''));
  await settled();
  assert.deepEqual(ctx.state.tree?.problem, { status: 404, message: 'There is no analysis 8.' });
});

test('two moments are compared one at a time, the last choice in the end', async () => {
  const changes = byHand<Changes>();
  const ctx = fakeCtx({ changes, history: byHand(), disagreements: byHand() });
  const time = initialTime(1, null, moment);
  void load(ctx, openTree(ctx, 1), time);
  setSince(ctx, time, 'hour');
  setSince(ctx, time, 'week');
  assert.equal(changes.asked.length, 1);
  changes.asked[0]!.give({ since: 1 } as Changes);
  await settled();
  assert.deepEqual(changes.asked[1]!.args, [1, moment - 7 * 86_400_000]);
  changes.asked[1]!.give({ since: 7 } as Changes);
  await settled();
  assert.equal(time.changes?.since, 7);
  assert.equal(changes.asked.length, 2);
});
