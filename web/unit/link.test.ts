import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Analysis, Health, TreeNode } from '../src/data/types';
import { parseRoute } from '../src/router';
import { openSettings } from '../src/dialogs/settings/settingsView';
import { onEvent, onOpen, watchedIn } from '../src/linkCtrl';
import { run } from '../src/ctx';
import { bannerView } from '../src/ui/frameView';
import { learnHealth } from '../src/ui/storeHealth';
import { treePage } from '../src/pages/tree/treePage';
import type { TreeRoute } from '../src/pages/tree/treeCtrl';
import { analysis, byHand, fakeCtx, node, openTree, settled } from './fake';

const silent = { engines: byHand(), health: byHand() };

test('what happens on another page is known when the analysis is opened', () => {
  const asked = byHand<Analysis>();
  const ctx = fakeCtx({ ...silent, analysis: asked, node: byHand<TreeNode>() });
  ctx.state.link.status = 'online';
  onEvent(ctx, { kind: 'analysis', data: analysis(1, { name: 'old' }) });
  const route: TreeRoute = { page: 'tree', id: 1, line: [], tab: 'moves' };
  ctx.state.route = route;
  treePage.enter!(ctx, route);
  onEvent(ctx, { kind: 'analysis', data: analysis(1, { name: 'renamed' }) });
  asked.asked[0]!.give(analysis(1, { name: 'old' })); // asked before, answered late
  assert.equal(ctx.state.tree?.analysis?.name, 'renamed');
});

test('when the stream opens, what may have been missed is fetched again', async () => {
  const asked = byHand<Analysis>();
  const nodes = byHand<TreeNode>();
  const ctx = fakeCtx({ ...silent, analysis: asked, node: nodes });
  const tree = openTree(ctx, 1);
  onOpen(ctx, false);
  assert.equal(ctx.state.link.status, 'online');
  asked.asked[0]!.give(analysis(1, { name: 'now' }));
  nodes.asked[0]!.give(node(4));
  await settled();
  assert.equal(tree.analysis?.name, 'now');
  assert.equal(tree.node?.version, 4);
  onOpen(ctx, true);
  assert.equal(asked.asked.length, 2);
});

test('an analysis that is deleted under the page is told; one of a node is fetched soon', async () => {
  const nodes = byHand<TreeNode>();
  const ctx = fakeCtx({ ...silent, node: nodes });
  const tree = openTree(ctx, 1);
  onEvent(ctx, { kind: 'node', data: { analysis: 2, version: 9, fens: null } });
  ctx.clock.turn(5000);
  assert.equal(nodes.asked.length, 0);
  onEvent(ctx, { kind: 'node', data: { analysis: 1, version: 9, fens: null } });
  ctx.clock.turn(249);
  assert.equal(nodes.asked.length, 0);
  ctx.clock.turn(1);
  assert.equal(nodes.asked.length, 1);
  nodes.asked[0]!.give(node(9));
  await settled();
  onEvent(ctx, { kind: 'node', data: { analysis: 1, version: 8, fens: null } });
  ctx.clock.turn(5000);
  assert.equal(nodes.asked.length, 1);
  onEvent(ctx, { kind: 'removed', data: { id: 1 } });
  assert.equal(tree.analysis, null);
  assert.equal(tree.problem?.status, 404);
});

test('settings of what is deleted meanwhile are closed; the dialog for the token, when the server takes one', () => {
  const ctx = fakeCtx({ ...silent, analyses: byHand() });
  openTree(ctx, 1);
  openSettings(ctx, analysis(1));
  assert.equal(ctx.state.dialog, 'settings');
  onEvent(ctx, { kind: 'removed', data: { id: 2 } });
  assert.equal(ctx.state.dialog, 'settings');
  onEvent(ctx, { kind: 'removed', data: { id: 1 } });
  assert.equal(ctx.state.dialog, null);
  ctx.state.dialog = 'token';
  ctx.state.link.status = 'locked';
  onOpen(ctx, false);
  assert.equal(ctx.state.dialog, null);
  ctx.state.dialog = 'keys';
  onOpen(ctx, true);
  assert.equal(ctx.state.dialog, 'keys');
});

test('the tree and the review of a game are told of their positions', () => {
  const watched = { '#/': 0, '#/new': 0, '#/analysis/3': 3, '#/review': 0, '#/review/4/e2e4': 4 };
  for (const [hash, id] of Object.entries(watched)) assert.equal(watchedIn(parseRoute(hash)), id, hash);
});

test('what is wrong with the store is told until somebody knows of it', async () => {
  const health = byHand<Health>();
  const knowHealth = byHand<Health>();
  const ctx = fakeCtx({ ...silent, health, knowHealth });
  const told = (): string => JSON.stringify(bannerView(ctx));
  onOpen(ctx, true);
  const say = (more: Partial<Health>): Health => ({ version: '1', ...more }) as Health;
  health.asked.at(-1)!.give(say({ status: 'ok' }));
  await settled();
  assert.equal(told(), 'null');
  await answer(say({ status: 'store_failed', problem: 'the store is older' }), 'the store is older');
  await answer(say({ status: 'ok', set_aside: ['row 1', 'row 2'], known: 0 }), 'row 1 (and 1 more)');
  run(ctx, learnHealth(ctx, ctx.api.knowHealth));
  knowHealth.asked.at(-1)!.give(say({ status: 'ok', set_aside: ['row 1', 'row 2'], known: 2 }));
  await settled();
  assert.equal(told(), 'null');

  async function answer(now: Health, text: string): Promise<void> {
    run(ctx, learnHealth(ctx));
    health.asked.at(-1)!.give(now);
    await settled();
    assert.ok(told().includes(text), told());
  }
});
