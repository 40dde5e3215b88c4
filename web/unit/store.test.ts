import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Store, inOrder } from '../src/data/store';
import { change, loadAnalysis } from '../src/data/entities';
import type { Analysis } from '../src/data/types';
import { analysis, byHand, fakeCtx } from './fake';

const ids = (list: readonly Analysis[]): string => list.map(a => a.id).join();

test('an answer is as old as its question', () => {
  const store = new Store();
  const { analyses } = store;
  const early = store.now();
  const late = store.now();
  analyses.put(analysis(1, { name: 'late' }), late);
  analyses.put(analysis(1, { name: 'early' }), early);
  assert.equal(analyses.get(1)?.name, 'late');
  analyses.drop(1, early);
  assert.equal(analyses.get(1)?.name, 'late');
  analyses.drop(1, store.now());
  analyses.put(analysis(1), late);
  assert.equal(analyses.get(1), null);
});

test('a list drops what it does not name, unless that is newer', () => {
  const store = new Store();
  const { analyses } = store;
  for (const id of [1, 2]) analyses.put(analysis(id), store.now());
  const asked = store.now();
  analyses.put(analysis(3), store.now());
  assert.deepEqual([analyses.complete, analyses.loaded], [false, false]);
  analyses.putAll([analysis(2)], asked);
  assert.equal(ids(analyses.all()), '2,3');
  assert.deepEqual([analyses.complete, analyses.loaded], [true, true]);
  const list = [analysis(3, { rank: 1 }), analysis(1, { rank: 2 }), analysis(2, { rank: 1 })];
  assert.equal(ids(inOrder(list)), '2,3,1', 'the queue is by rank, then by id');
});

test('engines stay in the order of the server', () => {
  const store = new Store();
  const engine = (name: string) => ({ name, default: false, identity: null, problem: null, processes: [] });
  store.engines.put(engine('b'), store.now());
  store.engines.putAll([engine('a'), engine('b')], store.now());
  store.engines.put({ ...engine('a'), problem: 'dead' }, store.now());
  assert.equal(
    store.engines
      .all()
      .map(e => `${e.name} ${e.problem}`)
      .join(),
    'a dead,b null',
  );
});

test('a change and a question answered in the wrong order leave the newer answer', async () => {
  const get = byHand<Analysis>();
  const patch = byHand<Analysis>();
  const ctx = fakeCtx({ analysis: get, patch });
  const asked = loadAnalysis(ctx, 1);
  const changed = change(ctx, 1, { name: 'new' });
  patch.asked[0]!.give(analysis(1, { name: 'new' }));
  await changed;
  get.asked[0]!.give(analysis(1, { name: 'old' }));
  await asked;
  assert.equal(ctx.state.store.analyses.get(1)?.name, 'new');
});

test('fields that changed are put over what is known, and over answers to earlier questions', () => {
  const { analyses } = new Store();
  analyses.put(analysis(1, { name: 'a', nodes: 1 }), 1);
  analyses.merge(1, { id: 1, nodes: 5 }, 3);
  assert.deepEqual([analyses.get(1)?.name, analyses.get(1)?.nodes], ['a', 5]);
  analyses.put(analysis(1, { name: 'b', nodes: 4 }), 2); // asked before the news came
  assert.deepEqual([analyses.get(1)?.name, analyses.get(1)?.nodes], ['b', 5]);
  analyses.put(analysis(1, { name: 'c', nodes: 6 }), 4);
  assert.deepEqual([analyses.get(1)?.name, analyses.get(1)?.nodes], ['c', 6]);
});

test('fields of what is not known yet wait for it; of what is gone they are forgotten', () => {
  const { analyses } = new Store();
  analyses.merge(1, { id: 1, nodes: 5 }, 3);
  assert.equal(analyses.get(1), null);
  analyses.put(analysis(1, { nodes: 4 }), 2);
  assert.equal(analyses.get(1)?.nodes, 5);
  analyses.drop(1, 4);
  analyses.merge(1, { id: 1, nodes: 9 }, 5);
  assert.equal(analyses.get(1), null);
});

test('a name of which nothing can be seen is told by the number', () => {
  const store = new Store();
  for (const name of ['', ' ', '\n', '\u200b', '\u202e']) {
    store.analyses.put(analysis(3, { name }), store.now());
    assert.equal(store.analyses.get(3)!.name, 'Analysis 3');
  }
  store.analyses.put(analysis(3, { name: '♞' }), store.now());
  assert.equal(store.analyses.get(3)!.name, '♞');
  store.analyses.merge(3, { name: '  ' }, store.now());
  assert.equal(store.analyses.get(3)!.name, 'Analysis 3');
});
