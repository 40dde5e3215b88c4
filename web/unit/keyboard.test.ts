import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AnalysisPatch } from '../src/data/types';
import { everywhere, press } from '../src/keyboard';
import { allPages } from '../src/pages/table';
import { analysis, byHand, fakeCtx, node, openTree } from './fake';

const tree = () => {
  const patch = byHand<unknown>();
  const ctx = fakeCtx({ patch, direct: byHand() });
  return { ctx, patch, view: openTree(ctx, 1) };
};

test('a held key pauses once, and goes on walking', () => {
  const { ctx, patch, view } = tree();
  const move = { uci: 'e2e4', alpha: { cp: 1 } } as never;
  Object.assign(view, { node: node(1, { moves: [move] }), rowOrder: ['e2e4', 'd2d4', 'c2c4'] });
  assert.equal(press(ctx, 'p', false), true);
  for (let i = 0; i < 20; i++) assert.equal(press(ctx, 'p', true), false);
  assert.deepEqual(
    patch.asked.map(call => call.args as [number, AnalysisPatch]),
    [[1, { hold: true }]],
  );
  press(ctx, 'ArrowDown', false);
  press(ctx, 'ArrowDown', true);
  assert.equal(view.selected, 'd2d4');
});

test('two keys make one, if the second comes soon', () => {
  const { ctx } = tree();
  assert.equal(press(ctx, 'g', false), true);
  assert.equal(press(ctx, 'q', false), true);
  assert.deepEqual(ctx.wentTo, [{ page: 'queue' }]);
  press(ctx, 'g', false);
  ctx.clock.turn(1300);
  assert.equal(press(ctx, 'n', false), true); // "analyse now" of the tree
  assert.equal(ctx.wentTo.length, 1);
});

test('keys of a page mean nothing elsewhere', () => {
  const ctx = fakeCtx({});
  for (const name of ['p', 'ArrowLeft', 'e', '1', 'z']) assert.equal(press(ctx, name, false), false, name);
  ctx.state.store.analyses.put(analysis(1), 1);
  assert.equal(press(ctx, '?', false), true);
  assert.equal(ctx.state.dialog, 'keys');
});

test('every key has one meaning on a page', () => {
  for (const page of allPages) {
    const names = [...(page.keys ?? []), ...everywhere].flatMap(k => k.keys);
    assert.deepEqual(names, [...new Set(names)]);
  }
});
