import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { AnalysisPatch } from '../src/data/types';
import { allKeys, everywhere, press } from '../src/keyboard';
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

test('the guide names the keys that the help has', () => {
  const guide = readFileSync('../docs/guide/steering-and-keys.md', 'utf8');
  const table = guide.split('\n## Keys\n')[1]!.split('\n## ')[0]!;
  // The first cells; Esc takes back, and is not told on the page.
  const told = [...table.matchAll(/^\|([^|]*`[^|]*)\|/gm)]
    .flatMap(row => [...row[1]!.matchAll(/`([^`]+)`/g)].map(name => name[1]!))
    .filter(name => name !== 'Esc');
  const arrows: Record<string, string> = { ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓' };
  const has = allKeys
    .filter(one => one.what)
    .flatMap(one => one.keys.flatMap(name => name.split(' ')))
    .map(name => arrows[name] ?? name);
  assert.ok(has.length > 20);
  assert.deepEqual(told.sort(), has.sort());
});

test('Escape ends the tour', () => {
  const { ctx } = tree();
  ctx.state.tour = 0;
  assert.equal(press(ctx, 'Escape', false), true);
  assert.equal(ctx.state.tour, null);
});
