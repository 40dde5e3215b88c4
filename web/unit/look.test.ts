import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../src/data/api';
import type { Look, LookWish } from '../src/data/types';
import { press } from '../src/keyboard';
import { leave } from '../src/pages/tree/treeCtrl';
import { followLook, hearLook, renewLook, setLook } from '../src/pages/tree/look/lookCtrl';
import { byHand, fakeCtx, openTree, settled } from './fake';

const e4 = { uci: 'e2e4', san: 'e4' };

const look = (id: number, more: Partial<Look> = {}): Look => ({
  id,
  analysis: 1,
  engine: 'hash',
  line: [],
  fen: '',
  lines: 1,
  from_queue: 1,
  until_stopped: false,
  state: 'searching',
  reason: null,
  depth: 0,
  search: null,
  found: [],
  ...more,
});

const opened = () => {
  const calls = { look: byHand<Look>(), changeLook: byHand<Look>(), stopLook: byHand<void>() };
  const ctx = fakeCtx(calls);
  ctx.state.route = { page: 'tree', id: 1, line: [], tab: 'moves' };
  const tree = openTree(ctx, 1);
  return { ctx, tree, ...calls };
};
// It has begun, and the server has answered.
async function begun() {
  const all = opened();
  press(all.ctx, 'k', false);
  all.look.asked[0]!.give(look(7));
  await settled();
  return all;
}
const wishes = (call: { asked: { args: unknown[] }[] }): LookWish[] =>
  call.asked.map(({ args }) => args.at(-1) as LookWish);

test('the key begins at the position in view, and ends it', async () => {
  const { ctx, tree, look: begun, stopLook } = opened();
  tree.line = ['e2e4'];
  assert.equal(press(ctx, 'k', false), true);
  assert.equal(tree.look.on, true); // before anybody has answered
  assert.deepEqual(wishes(begun), [{ moves: ['e2e4'], lines: 1, from_queue: 1, until_stopped: false }]);
  begun.asked[0]!.give(look(7, { line: [e4] }));
  await settled();
  assert.equal(tree.look.look?.id, 7);
  press(ctx, 'k', false);
  assert.equal(tree.look.on, false);
  assert.deepEqual(stopLook.args(), [[1, 7]]);
});

test('what came before the answer is put over it; another look is none of ours', async () => {
  const { ctx, tree, look: begun } = opened();
  press(ctx, 'k', false);
  hearLook(ctx, tree, look(7, { depth: 9 }));
  hearLook(ctx, tree, { id: 7, depth: 10 });
  hearLook(ctx, tree, { id: 8, depth: 33 });
  begun.asked[0]!.give(look(7));
  await settled();
  assert.equal(tree.look.look?.depth, 10);
  hearLook(ctx, tree, { id: 8, depth: 33 });
  hearLook(ctx, tree, { id: 7, depth: 11 });
  assert.equal(tree.look.look?.depth, 11);
});

test('an answer that comes after the end is ended, too', async () => {
  const { ctx, tree, look: begun, stopLook } = opened();
  press(ctx, 'k', false);
  press(ctx, 'k', false);
  begun.asked[0]!.give(look(7));
  await settled();
  assert.equal(tree.look.look, null);
  assert.equal(stopLook.asked.length, 1);
});

test('it is renewed every ten seconds, one question at a time', async () => {
  const { ctx, tree, changeLook } = await begun();
  const pass = (seconds: number): void => {
    for (let i = 0; i < seconds; i++) {
      ctx.clock.turn(1000);
      renewLook(ctx, tree);
    }
  };
  pass(9);
  assert.equal(changeLook.asked.length, 0);
  pass(1);
  assert.deepEqual(wishes(changeLook), [{}]);
  pass(20);
  assert.equal(changeLook.asked.length, 1);
  changeLook.asked[0]!.give(look(7));
  await settled();
  pass(10);
  assert.equal(changeLook.asked.length, 2);
});

test('it goes along with who stops somewhere, not with who walks through', async () => {
  const { ctx, tree, changeLook } = await begun();
  for (const line of [['e2e4'], ['e2e4', 'e7e5']]) {
    tree.line = line;
    followLook(ctx, tree);
    ctx.clock.turn(100);
  }
  assert.equal(changeLook.asked.length, 0);
  ctx.clock.turn(100);
  assert.deepEqual(wishes(changeLook)[0]?.moves, ['e2e4', 'e7e5']);
});

test('one that is to go on stays where it is, and is not ended by leaving', async () => {
  const { ctx, tree, changeLook, stopLook } = await begun();
  setLook(ctx, tree, { keep: true });
  assert.equal(wishes(changeLook)[0]?.until_stopped, true);
  tree.line = ['e2e4'];
  followLook(ctx, tree);
  ctx.clock.turn(1000);
  assert.equal(changeLook.asked.length, 1);
  leave(ctx);
  assert.equal(stopLook.asked.length, 0);
});

test('who leaves the analysis ends it', async () => {
  const { ctx, stopLook } = await begun();
  leave(ctx);
  assert.equal(stopLook.asked.length, 1);
});

test('where there is nothing to search the reason is told; the next position is looked at again', async () => {
  const { ctx, tree, changeLook } = await begun();
  tree.line = ['e2e4'];
  followLook(ctx, tree);
  ctx.clock.turn(200);
  changeLook.asked[0]!.fail(new ApiError(409, 'conflict', 'the game is over in this position', 'moves'));
  await settled();
  assert.equal(tree.look.look?.state, 'ended');
  assert.equal(tree.look.look.reason, 'the game is over in this position');
  tree.line = [];
  followLook(ctx, tree);
  ctx.clock.turn(200);
  assert.deepEqual(wishes(changeLook)[1]?.moves, []);
});

test('one that the server has forgotten is begun anew', async () => {
  const { ctx, tree, look: beginning, changeLook } = await begun();
  ctx.clock.turn(10_000);
  renewLook(ctx, tree);
  changeLook.asked[0]!.fail(new ApiError(404, 'not_found', 'there is no look 7', 'look'));
  await settled();
  assert.equal(beginning.asked.length, 2);
});
