import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../src/data/api';
import type { Analysis } from '../src/data/types';
import { onEvent } from '../src/linkCtrl';
import { move, refresh, remove } from '../src/pages/queue/queueCtrl';
import { chosen, dropIndex, placeAt, select, visible, wanted } from '../src/pages/queue/queueRows';
import { patchOf, oneOf, retagged, toggled } from '../src/dialogs/labels/labelsState';
import { moveBy } from '../src/ui/day';
import { depthText, ending, processesFor, share } from '../src/ui/progress';
import { analysis, byHand, fakeCtx, settled } from './fake';
import type { Fake } from './fake';

const shown = (ctx: Fake): string => names(visible(ctx.state.queue, ctx.state.store));

function queueWith(...ids: number[]) {
  const analyses = byHand<Analysis[]>();
  const patch = byHand<Analysis>();
  const gone = byHand<void>();
  const ctx = fakeCtx({ analyses, patch, remove: gone, engines: () => Promise.resolve([]) });
  ctx.state.store.analyses.putAll(
    ids.map(id => analysis(id)),
    ctx.state.store.now(),
  );
  return { ctx, analyses, patch, gone, queue: ctx.state.queue };
}

const names = (rows: readonly Analysis[]): string => rows.map(a => a.name).join();
const ids = (rows: readonly Analysis[]): string => rows.map(a => a.id).join();

test('a moved row gets a rank between its neighbours, and their priority', () => {
  const rows = [1, 2, 3, 4].map(id => analysis(id));
  const rankAt = (...args: Parameters<typeof placeAt>): number | null => placeAt(...args)?.rank ?? null;
  assert.equal(rankAt(rows, 3, 1), 1.5);
  assert.equal(rankAt(rows, 0, 3), 5);
  assert.equal(rankAt(rows, 1, 0), 0);
  assert.equal(rankAt(rows, 2, 2), 3);
  assert.equal(rankAt(rows, 9, 0), null);
  assert.equal(rankAt(rows.slice(0, 1), 0, 0), 1);
  const mixed = [2, 2, 0, -1].map((priority, i) => analysis(i + 1, { priority }));
  assert.deepEqual(placeAt(mixed, 2, 0), { priority: 2, rank: 0 });
  assert.deepEqual(placeAt(mixed, 2, 1), { priority: 2, rank: 1.5 });
  assert.deepEqual(placeAt(mixed, 1, 2), { priority: 0, rank: 4 });
  assert.deepEqual(placeAt(mixed, 0, 3), { priority: -1, rank: 5 });
  assert.deepEqual(placeAt(mixed, 0, 1), { priority: 2, rank: 3 });
});

test('a pulled row drops where its middle is, inside the list', () => {
  const drag = { id: 1, from: 1, to: 1, offset: 0 };
  assert.equal(dropIndex({ ...drag, offset: 50 }, 84, 4), 2);
  assert.equal(dropIndex({ ...drag, offset: 30 }, 84, 4), 1);
  assert.equal(dropIndex({ ...drag, offset: -900 }, 84, 4), 0);
  assert.equal(dropIndex({ ...drag, offset: 900 }, 84, 4), 3);
});

test('a late list does not put back what an event has told meanwhile', async () => {
  const { ctx, analyses } = queueWith();
  const asked = refresh(ctx);
  onEvent(ctx, { kind: 'analysis', data: analysis(1, { name: 'renamed' }) });
  onEvent(ctx, { kind: 'analysis', data: analysis(3, { name: 'new' }) });
  onEvent(ctx, { kind: 'removed', data: { id: 2 } });
  analyses.asked[0]!.give([analysis(1), analysis(2)]);
  await asked;
  assert.equal(shown(ctx), 'renamed,new');
  const again = refresh(ctx);
  analyses.asked[1]!.give([analysis(1, { name: 'later' })]);
  await again;
  assert.equal(shown(ctx), 'later');
});

test('a move that fails is taken back, and nothing else', async () => {
  const { ctx, patch } = queueWith(1, 2, 3);
  const moved = move(ctx, 2, 0);
  assert.equal(shown(ctx), 'A3,A1,A2');
  onEvent(ctx, { kind: 'analysis', data: analysis(1, { name: 'renamed' }) });
  patch.asked[0]!.fail(new ApiError(500, 'internal', 'No.', ''));
  await moved;
  assert.equal(shown(ctx), 'renamed,A2,A3');
  assert.equal(ctx.state.toasts[0]?.text, 'No.');
});

test('an answer and an event from before a move do not put the rows back; a later one does', async () => {
  const { ctx, analyses, patch } = queueWith(1, 2, 3);
  const asked = refresh(ctx);
  const moved = move(ctx, 2, 0);
  assert.deepEqual(patch.asked[0]!.args, [3, { rank: 0 }]);
  analyses.asked[0]!.give([1, 2, 3].map(id => analysis(id)));
  await asked;
  assert.equal(shown(ctx), 'A3,A1,A2');
  onEvent(ctx, { kind: 'analysis', data: analysis(3, { positions: 7 }) });
  patch.asked[0]!.give(analysis(3, { rank: 0 }));
  await moved;
  assert.equal(shown(ctx), 'A3,A1,A2');
  onEvent(ctx, { kind: 'analysis', data: analysis(3, { rank: 9 }) }); // someone else moved it
  assert.equal(shown(ctx), 'A1,A2,A3');
  onEvent(ctx, { kind: 'analysis', data: analysis(3, { priority: 1 }) }); // higher stands higher
  assert.equal(shown(ctx), 'A3,A1,A2');
});

test('two moves of one row: the last one stands', async () => {
  const { ctx, patch } = queueWith(1, 2, 3);
  const first = move(ctx, 2, 1);
  const second = move(ctx, 1, 0);
  patch.asked[0]!.give(analysis(3, { rank: 1.5 }));
  await first;
  assert.equal(shown(ctx), 'A3,A1,A2');
  patch.asked[1]!.give(analysis(3, { rank: 0 }));
  await second;
  assert.equal(shown(ctx), 'A3,A1,A2');
});

test('a deleted row is hidden at once, gone when nobody wants it back, and no place for others', async () => {
  const { ctx, gone, patch } = queueWith(1, 2, 3);
  remove(ctx, analysis(2));
  assert.equal(shown(ctx), 'A1,A3');
  void move(ctx, 1, 0);
  assert.deepEqual(patch.asked[0]!.args, [3, { rank: 0 }]);
  ctx.state.toasts[0]!.action!.run();
  ctx.clock.turn(20_000);
  assert.equal(shown(ctx), 'A3,A1,A2');
  assert.equal(gone.asked.length, 0);
  remove(ctx, analysis(2));
  ctx.clock.turn(20_000);
  assert.deepEqual(gone.asked[0]!.args, [2, false]);
  gone.asked[0]!.give();
  await settled();
  assert.equal(ctx.state.store.analyses.get(2), null);
});

const now = new Date(2026, 10, 23, 22, 0).getTime();
const until = new Date(2026, 10, 24, 7, 0).getTime(); // 32,400 s later
const endless = { strategy: { kind: 'halving', move_distance: 20, floor: 5, refine: 0 } } as const;

test('what ends an analysis is told: a moment, the time left, or what it may use', () => {
  const text = (more: Partial<Analysis>, at = now, processes = 1): string | undefined =>
    ending(analysis(1, more), at, processes)?.text;
  assert.equal(text(endless), undefined);
  assert.equal(text({ ...endless, budget: { until } }), 'until 07:00');
  assert.equal(text({ budget: { until } }, now - 86_400_000), 'until Tue 07:00');
  assert.equal(text({ budget: { until } }, now - 7 * 86_400_000), 'until 24 Nov');
  assert.equal(text({ budget: { until }, eta_range: [600, 36_000] }), 'until 07:00');
  assert.equal(text({ eta_range: [7, 120_000] }), undefined, 'as good as not known');
  assert.equal(text({ budget: { positions: 9 }, eta_range: [7, 120_000] }), 'up to 9 positions');
  assert.notEqual(text({ eta_range: [0.1, 40] }), undefined);
  assert.equal(text({ budget: { until }, eta_range: [600, 600] }), 'about 10 min');
  assert.equal(text({ ...endless, budget: { positions: 500 } }), 'up to 500 positions');
  assert.equal(text({ ...endless, budget: { nodes: 2_000_000 } }), 'up to 2.0M nodes');
  assert.equal(text({ ...endless, budget: { engine_seconds: 60 } }), '1:00 min');
});

test('of several limits the one that comes first is told, as fast as it goes', () => {
  const limit = (more: Partial<Analysis>, processes = 1): string | undefined =>
    ending(analysis(1, { ...endless, ...more }), now, processes)?.limit;
  assert.equal(limit({ budget: { until, engine_seconds: 360 } }), 'engine_seconds');
  assert.equal(limit({ budget: { until, engine_seconds: 40_000 } }), 'until');
  assert.equal(limit({ budget: { until, engine_seconds: 40_000 } }, 2), 'engine_seconds', 'of two processes');
  const minutes = { ...endless, budget: { engine_seconds: 1200 } };
  assert.equal(ending(analysis(1, minutes), now, 2)?.text, '10:00 min', 'for who waits');
  const used = { engine_seconds: 100, nodes: 1_000_000, positions: 10 };
  assert.equal(limit({ ...used, budget: { until, nodes: 300_000_000 } }), 'nodes');
  assert.equal(limit({ ...used, budget: { until, nodes: 400_000_000 } }), 'until');
  assert.equal(limit({ ...used, budget: { positions: 100, nodes: 5_000_000 } }), 'nodes');
  assert.equal(limit({ ...used, budget: { positions: 20, engine_seconds: 400 } }), 'positions');
  assert.equal(limit({ ...used, eta_range: [500, 900], budget: { engine_seconds: 400 } }), 'engine_seconds');
  assert.equal(ending(analysis(1, { ...used, budget: { engine_seconds: 400 } }), now, 1)?.text, '5:00 min');
});

test('the processes of an engine are shared by those that run with it', () => {
  const ctx = fakeCtx({});
  const { store } = ctx.state;
  for (const id of [1, 2]) store.analyses.put(analysis(id), store.now());
  store.analyses.put(analysis(3, { state: 'paused' }), store.now());
  assert.equal(processesFor(analysis(1), store), 0.5, 'an engine that is not known yet has one');
});

test('progress is what ends first; endless has none', () => {
  const a = analysis(1, endless);
  assert.equal(share(a), null);
  const eight = { ...a, settled: 2, strategy: { ...a.strategy, refine: 8 } };
  assert.equal(share(eight), 0.25);
  const early = { ...eight, state: 'settled' } as const; // by a stop rule
  assert.deepEqual([share(early), depthText(early)], [1, '2 of 8']);
  assert.equal(share({ ...eight, positions: 90, budget: { positions: 100 } }), 0.9);
});

test('the queue is searched by every word of names, moves, tags and games; a state or a tag leaves its own', () => {
  const { queue } = queueWith();
  const rows = [
    analysis(1, { name: 'Berlin', san: '1. e4 e5', tags: ['najdorf', 'club'] }),
    analysis(2, { name: 'Endgame', state: 'settled', game: { opponent: 'Timman' } }),
    analysis(3, { state: 'paused', tags: ['club'] }),
  ];
  const found = (fields: Partial<typeof queue>): string =>
    ids(wanted(Object.assign(queue, { words: '', only: '', tag: '' }, fields), rows));
  assert.equal(found({}), '1,2,3');
  assert.equal(found({ words: 'E5 berlin' }), '1');
  assert.equal(found({ words: 'E5 berlin', only: 'settled' }), '');
  assert.equal(found({ words: ' ', only: 'settled' }), '2');
  assert.equal(found({ words: 'timman' }), '2');
  assert.equal(found({ words: 'najdorf club' }), '1');
  assert.equal(found({ tag: 'club' }), '1,3');
});

test('rows are sorted as it is wished, equal ones as they are worked on', () => {
  const { queue } = queueWith();
  const rows = [
    analysis(1, { name: 'Game 10', state: 'settled', changed_at: 5 }),
    analysis(2, { name: 'game 9', state: 'running', changed_at: 9, game: { move_by: '2026-12-03' } }),
    analysis(3, { name: 'Anand', state: 'paused', priority: 4, game: { move_by: '2026-11-30' } }),
  ];
  const sorted = (sort: typeof queue.sort): string => ids(wanted({ ...queue, sort }, rows));
  assert.equal(sorted('order'), '1,2,3');
  assert.equal(sorted('name'), '3,2,1');
  assert.equal(sorted('state'), '2,3,1');
  assert.equal(sorted('changed'), '3,2,1'); // the third one now, as all that are made here
  assert.equal(sorted('priority'), '3,1,2');
  assert.equal(sorted('move_by'), '3,2,1');
});

test('boxes are ticked one by one, or with Shift all between; what is not shown is not chosen', () => {
  const { queue } = queueWith();
  const rows = [1, 2, 3, 4, 5].map(id => analysis(id));
  const ticked = (id: number, range: boolean): string => {
    select(queue, rows, id, range);
    return ids(chosen(queue, rows));
  };
  ticked(2, false);
  assert.equal(ticked(4, true), '2,3,4');
  assert.equal(ticked(3, false), '2,4');
  assert.equal(ticked(1, true), '1,2,3,4'); // back up from the third
  assert.equal(ids(chosen(queue, rows.slice(0, 2))), '1,2');
});

test('of tags and game only what was edited is sent', () => {
  const a = analysis(1, { tags: ['a', 'b'], game: { white: 'Short', move_by: '2026-12-03' } });
  const one = oneOf(a);
  assert.deepEqual(patchOf(one), {});
  one.tags = ' b ,, a, b';
  assert.deepEqual(patchOf(one), { tags: ['b', 'a'] });
  Object.assign(one, { tags: 'a, b', game: { ...one.game, move_by: '', opponent: ' Timman ' } });
  assert.deepEqual(patchOf(one), { game: { opponent: 'Timman', move_by: '' } });
  assert.equal(toggled('a, b', 'a'), 'b');
  assert.equal(toggled('a', 'c'), 'a, c');
  const several = { kind: 'tag' as const, ids: [1], add: 'c, b', drop: new Set(['a']) };
  assert.deepEqual(retagged(a, { ...several, busy: false, problem: null }), ['b', 'c']);
});

test('a day to move by is told with how far it is, and that it has passed', () => {
  for (const [day, text, late] of [
    ['2026-12-03', '3 Dec (in 10 days)', false],
    ['2026-11-23', '23 Nov (today)', false],
    ['2026-11-24', '24 Nov (tomorrow)', false],
    ['2026-11-22', '22 Nov (1 day late)', true],
    ['2025-11-23', '23 Nov 2025 (365 days late)', true],
  ] as const)
    assert.deepEqual(moveBy(day, now), { text: `move by ${text}`, late });
});
