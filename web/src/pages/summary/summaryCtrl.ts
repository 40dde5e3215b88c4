// Asks what changed, and remembers in this browser since when and what was seen.
import { attempt, run, type Ctx } from '../../ctx';
import { load as loadPref, save } from '../../data/prefs';
import type { RadarEntry } from '../../data/types';
import { moment } from '../../ui/format';
import { verifySearches } from '../../setup/speed';
import { choices, initialSummary, lastEvening, sinceOf } from './summaryState';
import type { Choice, SummaryState } from './summaryState';

export function enter(ctx: Ctx): void {
  const summary = (ctx.state.summary ??= initialSummary());
  const seen = loadPref('summary.seen');
  summary.seen = seen && /^\d{1,15}$/.test(seen) ? Number(seen) : null;
  summary.choice = choices.find(choice => choice === loadPref('summary.since')) ?? 'seen';
  summary.time = loadPref('summary.time') ?? asTyped(lastEvening(ctx.clock.now()));
  run(ctx, load(ctx, summary));
}

export const asTyped = (at: number): string => moment(at).replace(' ', 'T');

export async function load(ctx: Ctx, summary: SummaryState): Promise<void> {
  const since = sinceOf(summary, ctx.clock.now());
  const answer = await summary.loading.ask(signal => ctx.api.radar(since, signal));
  if (!answer) return;
  if ('value' in answer) Object.assign(summary, { answer: answer.value, problem: null });
  else summary.problem = answer.problem.message;
  ctx.redraw();
}

// The same place, also with the next answer.
export const entryKey = ({ analysis, kind, search, line }: RadarEntry): string =>
  [analysis.id, kind, ...line.map(s => s.uci), '/', ...(search?.moves ?? [])].join();

export async function searchThis(ctx: Ctx, summary: SummaryState, entry: RadarEntry): Promise<void> {
  const { analysis, search } = entry;
  const key = entryKey(entry);
  if (!search || summary.asked.has(key)) return;
  const { action, moves } = search;
  summary.asked.add(key);
  ctx.redraw();
  const given = await attempt(ctx, () =>
    action === 'verify'
      ? ctx.api.verify(analysis.id, moves, verifySearches)
      : ctx.api.direct(analysis.id, { action, moves }),
  );
  if (given) return;
  summary.asked.delete(key);
  ctx.redraw();
}

export function choose(ctx: Ctx, summary: SummaryState, choice: Choice): void {
  summary.choice = choice;
  save('summary.since', choice);
  ctx.redraw();
  run(ctx, load(ctx, summary));
}

export function setTime(ctx: Ctx, summary: SummaryState, time: string): void {
  if (!time) return; // half of it is typed
  summary.time = time;
  save('summary.time', time);
  run(ctx, load(ctx, summary));
}

// What is shown is seen; the next look counts from then.
export function markSeen(ctx: Ctx, summary: SummaryState): void {
  if (!summary.answer) return;
  summary.seen = summary.answer.now;
  save('summary.seen', String(summary.seen));
  choose(ctx, summary, 'seen');
}
