// What changed in all analyses: each entry leads to its place, and most have a search.
import { ucis } from '../../chess/chess';
import { run, type Ctx, attempt } from '../../ctx';
import { nameOf } from '../../chess/material';
import type { Radar, RadarEntry } from '../../data/types';
import { treeLink } from '../../router';
import { button, each, empty, h, input, link, segments, type VNode, alertLine } from '../../ui/dom';
import { moment, plural } from '../../ui/format';
import { pageView } from '../../ui/frameView';
import { choices, initialSummary, lastEvening, sinceOf } from './summaryState';
import type { SummaryState, Choice } from './summaryState';
import { load as loadPref, save } from '../../data/prefs';
import { verifySearches } from '../../setup/speed';

// Asks what changed, and remembers in this browser since when and what was seen.
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
  [analysis.id, kind, ...ucis(line), '/', ...(search?.moves ?? [])].join();

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

const kinds: Record<RadarEntry['kind'], string> = {
  best: 'New best move',
  refutation: 'Refuted',
  swing: 'Swing',
  rejoin: 'One reply from the tree',
  left: 'Leaves your files',
  ended: 'Ended',
};

export function summaryView(ctx: Ctx, summary: SummaryState): VNode {
  const { answer, problem } = summary;
  return pageView('.summary-page', 'What changed', [
    h('div.page-head', [
      h('h1', 'What changed'),
      h('p.muted', { attrs: { role: 'status', 'data-testid': 'changed' } }, answer ? counts(answer) : ''),
      button('', {
        label: 'Mark as seen',
        title: 'The next look begins here',
        disabled: !answer,
        run: () => markSeen(ctx, summary),
      }),
    ]),
    sinceView(ctx, summary),
    alertLine(problem),
    answer
      ? answer.entries.length
        ? each(
            'ul.changed-list',
            { attrs: { role: 'list', 'aria-label': 'What changed' } },
            answer.entries,
            entry => entryView(ctx, summary, entry),
          )
        : empty('Nothing has changed since then.')
      : problem
        ? null
        : h('div.skeleton'),
    answer?.more ? h('p.muted', `and ${answer.more} more`) : null,
  ]);
}

const counts = ({ entries, more, since }: Radar): string =>
  `${plural(entries.length + more, 'change')} since ${moment(since)}`;

function sinceView(ctx: Ctx, summary: SummaryState): VNode {
  return h('div.summary-since', [
    segments(
      'Since',
      summary.choice,
      { seen: 'My last look', evening: 'Yesterday evening', time: 'A time' },
      choice => choose(ctx, summary, choice),
    ),
    summary.choice === 'time'
      ? input({ type: 'datetime-local', 'aria-label': 'Since when' }, summary.time, time =>
          setTime(ctx, summary, time),
        )
      : null,
  ]);
}

function entryView(ctx: Ctx, summary: SummaryState, entry: RadarEntry): VNode {
  const { analysis, kind, line, text, at, search } = entry;
  const asked = summary.asked.has(entryKey(entry));
  const name = nameOf(analysis.name);
  return h(
    'li',
    {
      key: entryKey(entry),
      attrs: { 'data-testid': 'changed-entry', 'data-kind': kind, 'data-id': analysis.id },
    },
    [
      h('div.changed-head', [
        h('h2', [link('', treeLink(analysis.id, ucis(line)), name)]),
        h('span.badge', kinds[kind]),
        h('span.muted.small', moment(at)),
        search
          ? button('.text.changed-search', {
              label: asked ? 'Asked' : 'Search this',
              title: `${name}: ${effect(search.action, line)}`,
              disabled: asked || ctx.state.link.status === 'offline',
              run: () => run(ctx, searchThis(ctx, summary, entry)),
            })
          : null,
      ]),
      h('p.changed-text', `${text}.`),
    ],
  );
}

// What the press does.
const effect = (action: string, line: RadarEntry['line']): string =>
  action === 'verify'
    ? 'search what the answer rests on again, before all others'
    : action === 'include'
      ? 'include the reply'
      : `go two plies deeper after ${line.at(-1)?.san ?? ''}`;
