import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Ctx } from '../src/ctx';
import { share } from '../src/ui/progress';
import { move, refresh } from '../src/pages/queue/queueCtrl';
import { dropIndex, initialQueue, putAnalysis, reorder, visible } from '../src/pages/queue/queueState';
import type { Analysis } from '../src/data/types';

const analysis = (id: number, rank: number): Analysis =>
  ({
    id,
    rank,
    name: `A${id}`,
    strategy: { refine: 0 },
    budget: {},
    settled: 0,
    positions: 0,
    engine_seconds: 0,
  }) as unknown as Analysis;

const queueOf = (...ranks: number[]) => {
  const queue = initialQueue();
  queue.analyses = ranks.map((rank, i) => analysis(i + 1, rank));
  return queue;
};

test('a moved analysis gets a rank between its neighbours', () => {
  const queue = queueOf(1, 2, 3, 4);
  assert.equal(reorder(queue, 3, 1), 1.5);
  assert.deepEqual(
    visible(queue).map(a => a.id),
    [1, 4, 2, 3],
  );
  assert.equal(reorder(queue, 0, 3), 4);
  assert.equal(reorder(queue, 1, 0), 0.5);
  const ranks = visible(queue).map(a => a.rank);
  assert.deepEqual(
    [...ranks].sort((a, b) => a - b),
    ranks,
  );
});

test('hidden rows do not count as places', () => {
  const queue = queueOf(1, 2, 3);
  queue.deleting.add(2);
  assert.equal(reorder(queue, 1, 0), 0);
  assert.deepEqual(
    visible(queue).map(a => a.id),
    [3, 1],
  );
});

test('a pulled row drops where its middle is, inside the list', () => {
  const drag = { id: 1, from: 1, to: 1, offset: 0 };
  assert.equal(dropIndex({ ...drag, offset: 50 }, 84, 4), 2);
  assert.equal(dropIndex({ ...drag, offset: 30 }, 84, 4), 1);
  assert.equal(dropIndex({ ...drag, offset: -900 }, 84, 4), 0);
  assert.equal(dropIndex({ ...drag, offset: 900 }, 84, 4), 3);
});

test('news of an analysis replaces it in its place', () => {
  const queue = queueOf(1, 2);
  putAnalysis(queue, { ...analysis(1, 1), name: 'new' });
  putAnalysis(queue, analysis(9, 3));
  assert.deepEqual(
    visible(queue).map(a => a.name),
    ['new', 'A2', 'A9'],
  );
});

test('progress is what ends first; endless has none', () => {
  const a = analysis(1, 1);
  assert.equal(share(a), null);
  assert.equal(share({ ...a, settled: 2, strategy: { ...a.strategy, refine: 8 } }), 0.25);
  assert.equal(
    share({
      ...a,
      settled: 2,
      positions: 90,
      strategy: { ...a.strategy, refine: 8 },
      budget: { positions: 100 },
    }),
    0.9,
  );
});

test('an answer from before a move does not put the rows back', async () => {
  const queue = queueOf(1, 2, 3);
  const answers: ((list: Analysis[]) => void)[] = [];
  const api = {
    analyses: () => new Promise<Analysis[]>(resolve => answers.push(resolve)),
    engines: () => Promise.resolve([]),
    patch: (id: number, body: { rank: number }) => Promise.resolve(analysis(id, body.rank)),
  };
  const ctx = { state: { queue, tree: null }, api, redraw: () => {} } as unknown as Ctx;
  const order = () => visible(queue).map(a => a.id);
  const asked = refresh(ctx);
  const moved = move(ctx, 2, 0);
  answers[0]!([analysis(1, 1), analysis(2, 2), analysis(3, 3)]);
  await asked;
  assert.deepEqual(order(), [3, 1, 2]);
  while (answers.length < 2) await new Promise(resolve => setImmediate(resolve));
  answers[1]!([analysis(3, 0), analysis(1, 1), analysis(2, 2)]);
  await moved;
  assert.deepEqual(order(), [3, 1, 2]);
});
