import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { ApiError } from '../src/data/api';
import { run } from '../src/ctx';
import { loadNode } from '../src/pages/tree/treeCtrl';
import { fakeCtx, node, openTree, settled } from './fake';

test('a mistake while a node is taken is told, though one is shown', async () => {
  const printed = mock.method(console, 'error', () => undefined);
  const broken = { ...node(2), moves: undefined };
  const ctx = fakeCtx({ node: () => Promise.resolve(broken) });
  const tree = openTree(ctx, 1);
  Object.assign(tree, { node: node(1), nodeLine: '' });
  run(ctx, loadNode(ctx, tree));
  await settled();
  assert.match(ctx.state.toasts[0]?.text ?? '', /^The page made a mistake: /);
  assert.equal(printed.mock.callCount(), 1);
  printed.mock.restore();
});

test('a node that cannot be had is told where none is shown; unreachable is the banner’s word', async () => {
  const failing = (status: number) =>
    fakeCtx({ node: () => Promise.reject(new ApiError(status, 'x', 'No.', '')) });
  for (const [status, problem] of [
    [500, { message: 'No.', status: 500 }],
    [0, null],
  ] as const) {
    const ctx = failing(status);
    const tree = openTree(ctx, 1);
    Object.assign(tree, { node: node(1), nodeLine: '' });
    await loadNode(ctx, tree);
    assert.deepEqual(tree.problem, problem);
    assert.deepEqual(ctx.state.toasts, []);
  }
});

test('a failed call that nobody waits for is told in the server’s words', async () => {
  const ctx = fakeCtx({});
  run(ctx, Promise.reject(new ApiError(409, 'conflict', 'It is deleted.', '')));
  await settled();
  const [toast] = ctx.state.toasts;
  assert.deepEqual([toast!.text, toast!.tone], ['It is deleted.', 'bad']);
});
