import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../src/data/api';
import { enter, loadIfOld } from '../src/pages/tree/facts/factsView';
import type { Evaluations } from '../src/data/types';
import { byHand, fakeCtx, openTree, settled } from './fake';

test('a failure that comes late does not stand at another position', async () => {
  const evaluations = byHand<Evaluations>();
  const ctx = fakeCtx({ evaluations, positions: byHand() });
  const tree = openTree(ctx, 1, ['e2e4', 'e7e5']);
  const first = enter(ctx, tree);
  tree.line = ['e2e4', 'c7c5'];
  void enter(ctx, tree);
  evaluations.asked[1]!.give({ fen: 'x', evaluations: [] });
  evaluations.asked[0]!.fail(new ApiError(500, 'internal', 'The store is broken.', ''));
  await first;
  await settled();
  assert.equal(tree.facts.problem, null);
  assert.deepEqual(tree.facts.evaluations, { fen: 'x', evaluations: [] });
});

test('evaluations are fetched again after some seconds, and once more after the last change', async () => {
  const evaluations = byHand<Evaluations>();
  const ctx = fakeCtx({ evaluations, positions: byHand() });
  const tree = openTree(ctx, 1, []);
  const later = async (ms: number, changed: boolean): Promise<number> => {
    ctx.clock.turn(ms);
    if (changed) tree.changedAt = ctx.clock.now();
    loadIfOld(ctx, tree);
    await settled();
    return evaluations.asked.length;
  };
  void enter(ctx, tree);
  assert.equal(await later(60_000, false), 1);
  assert.equal(await later(1000, true), 2);
  assert.equal(await later(3000, true), 2); // the last change
  assert.equal(await later(1000, false), 2);
  assert.equal(await later(1000, false), 3);
  assert.equal(await later(60_000, false), 3);
});
