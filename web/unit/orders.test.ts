// The list of orders: taken back, given again, and asked for once where much changes.
import assert from 'node:assert/strict';
import test from 'node:test';
import { ApiError } from '../src/data/api';
import type { GivenDirective } from '../src/data/types';
import { enter, hear, takeBack } from '../src/pages/tree/orders/ordersView';
import { byHand, fakeCtx, openTree, settled } from './fake';

const order = (at: number, more: Partial<GivenDirective> = {}): GivenDirective => ({
  at,
  action: 'include',
  line: [{ uci: 'e2e4', san: 'e4' }],
  move: { uci: 'c7c5', san: 'c5' },
  holds: true,
  effect: null,
  ...more,
});

async function listed(list: GivenDirective[]) {
  const lists = byHand<GivenDirective[]>();
  const said: unknown[] = [];
  const direct = (_: number, wish: unknown): Promise<unknown> => Promise.resolve(said.push(wish));
  const node = (): Promise<unknown> => Promise.reject(new ApiError(503, 'unavailable', 'later', ''));
  const ctx = fakeCtx({ directives: lists, direct, node });
  const tree = openTree(ctx, 1);
  tree.tab = 'orders';
  const entered = enter(ctx, tree);
  await settled();
  lists.asked[0]!.give(list);
  await entered;
  return { ctx, tree, lists, said };
}

test('orders: the newest first, and no kinds that are not for this list', async () => {
  const share = { ...order(3), action: 'share' } as unknown as GivenDirective;
  const { tree } = await listed([order(1), order(2), share]);
  assert.equal(tree.orders!.list!.map(one => one.at).join(), '2,1');
});

test('orders: taken back where it was said, and given again', async () => {
  const one = order(5, { action: 'deepen', plies: 3 });
  delete one.move;
  const { ctx, tree, said } = await listed([one]);
  void takeBack(ctx, tree, tree.orders!, one, 'Deepen');
  await settled();
  assert.deepEqual(said, [{ moves: ['e2e4'], action: 'retract', at: 5 }]);
  ctx.state.toasts.at(-1)!.action!.run();
  await settled();
  assert.deepEqual(said[1], { moves: ['e2e4'], action: 'deepen', plies: 3 });
});

test('orders: off the root it is taken back where it was said, and cannot be given again', async () => {
  const { ctx, tree, said } = await listed([order(5, { back: 2 })]);
  void takeBack(ctx, tree, tree.orders!, tree.orders!.list![0]!, 'Include c5');
  await settled();
  assert.deepEqual(said, [{ moves: ['e2e4'], action: 'retract', at: 5, back: 2 }]);
  assert.equal(ctx.state.toasts.at(-1)!.action, null);
});

test('orders: many changes ask once; elsewhere they are asked for when one comes back', async () => {
  const { ctx, tree, lists } = await listed([order(1)]);
  for (let i = 0; i < 5; i++) hear(ctx, tree);
  ctx.clock.turn(2000);
  assert.equal(lists.asked.length, 2);
  tree.tab = 'moves';
  hear(ctx, tree);
  ctx.clock.turn(2000);
  assert.equal(lists.asked.length, 2);
  assert.equal(tree.orders!.list, null);
});
