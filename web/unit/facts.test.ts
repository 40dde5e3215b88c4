import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../src/data/api';
import { enter } from '../src/pages/tree/facts/factsView';
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
