// What changed: since when, and what was seen.
import assert from 'node:assert/strict';
import test from 'node:test';
import { ApiError } from '../src/data/api';
import type { Radar, RadarEntry } from '../src/data/types';
import { choose, enter, markSeen, searchThis, setTime } from '../src/pages/summary/summaryView';
import { lastEvening, sinceOf } from '../src/pages/summary/summaryState';
import { byHand, fakeCtx, moment, remember, settled } from './fake';

test('the evening before is 18:00 of yesterday, also late in the evening', () => {
  const now = new Date(2026, 10, 25, 23, 30).getTime();
  assert.equal(lastEvening(now), new Date(2026, 10, 24, 18).getTime());
  assert.equal(lastEvening(new Date(2026, 2, 1, 1).getTime()), new Date(2026, 1, 28, 18).getTime());
});

test('since the last look; who never looked, since the evening; a time that is none, too', () => {
  const evening = lastEvening(moment);
  assert.equal(sinceOf({ choice: 'seen', seen: 5, time: '' }, moment), 5);
  assert.equal(sinceOf({ choice: 'seen', seen: null, time: '' }, moment), evening);
  assert.equal(sinceOf({ choice: 'evening', seen: 5, time: '' }, moment), evening);
  assert.equal(sinceOf({ choice: 'time', seen: 5, time: 'soon' }, moment), evening);
  const typed = new Date(2026, 1, 3, 4, 5).getTime();
  assert.equal(sinceOf({ choice: 'time', seen: 5, time: '2026-02-03T04:05' }, moment), typed);
  assert.equal(sinceOf({ choice: 'time', seen: 5, time: '2999-02-03T04:05' }, moment), moment);
});

test('what was chosen and seen is there at the next visit', async () => {
  remember();
  const asked = byHand<Radar>();
  const since: number[] = [];
  const radar = (at: number, signal: AbortSignal): Promise<Radar> => {
    since.push(at);
    return (asked as unknown as (...args: unknown[]) => Promise<Radar>)(at, signal);
  };
  const ctx = fakeCtx({ radar });
  const answer = (now: number): Radar => ({ since: 1, now, more: 0, entries: [] });
  enter(ctx);
  asked.asked[0]!.give(answer(moment - 1000));
  await settled();
  markSeen(ctx, ctx.state.summary!); // what came after the answer is not seen
  setTime(ctx, ctx.state.summary!, '2026-02-03T04:05');
  choose(ctx, ctx.state.summary!, 'time');
  ctx.state.summary = null;
  enter(ctx);
  assert.equal(ctx.state.summary!.choice, 'time');
  choose(ctx, ctx.state.summary!, 'seen');
  assert.equal(since[0], lastEvening(moment));
  assert.equal(since.at(-1), moment - 1000);
});

test('the place of an entry is searched once, by what it says; what failed may be tried again', async () => {
  remember();
  const direct = byHand<void>();
  const verify = byHand<void>();
  const ctx = fakeCtx({ radar: byHand<Radar>(), direct, verify });
  enter(ctx);
  const summary = ctx.state.summary!;
  const entry = (action: 'include' | 'verify', moves: string[]): RadarEntry =>
    ({ analysis: { id: 7, name: 'A' }, kind: 'rejoin', line: [], search: { action, moves } }) as never;
  const include = entry('include', ['e2e4', 'e7e5']);
  void searchThis(ctx, summary, include);
  void searchThis(ctx, summary, include);
  assert.deepEqual(direct.args(), [[7, { action: 'include', moves: ['e2e4', 'e7e5'] }]]);
  direct.asked[0]!.fail(new ApiError(409, 'conflict', 'Not now.', ''));
  await settled();
  assert.equal(summary.asked.size, 0);
  void searchThis(ctx, summary, include);
  direct.asked[1]!.give();
  void searchThis(ctx, summary, entry('verify', []));
  assert.deepEqual(verify.asked[0]!.args, [7, [], 8]);
  await settled();
  assert.equal(summary.asked.size, 2);
});
