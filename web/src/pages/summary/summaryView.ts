// What changed in all analyses: each entry leads to its place, and most have a search.
import { run, type Ctx } from '../../ctx';
import { nameOf } from '../../chess/material';
import type { Radar, RadarEntry } from '../../data/types';
import { treeLink } from '../../router';
import { button, each, empty, h, input, link, segments, type VNode } from '../../ui/dom';
import { moment, plural } from '../../ui/format';
import { pageView } from '../../ui/frameView';
import * as ctrl from './summaryCtrl';
import type { SummaryState } from './summaryState';

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
        run: () => ctrl.markSeen(ctx, summary),
      }),
    ]),
    sinceView(ctx, summary),
    problem ? h('p.error', { attrs: { role: 'alert' } }, problem) : null,
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
      [
        ['seen', 'My last look'],
        ['evening', 'Yesterday evening'],
        ['time', 'A time'],
      ] as const,
      choice => ctrl.choose(ctx, summary, choice),
    ),
    summary.choice === 'time'
      ? input({ type: 'datetime-local', 'aria-label': 'Since when' }, summary.time, time =>
          ctrl.setTime(ctx, summary, time),
        )
      : null,
  ]);
}

function entryView(ctx: Ctx, summary: SummaryState, entry: RadarEntry): VNode {
  const { analysis, kind, line, text, at, search } = entry;
  const asked = summary.asked.has(ctrl.entryKey(entry));
  const name = nameOf(analysis.name);
  return h(
    'li',
    {
      key: ctrl.entryKey(entry),
      attrs: { 'data-testid': 'changed-entry', 'data-kind': kind, 'data-id': analysis.id },
    },
    [
      h('div.changed-head', [
        h('h2', [
          link(
            '',
            treeLink(
              analysis.id,
              line.map(s => s.uci),
            ),
            name,
          ),
        ]),
        h('span.badge', kinds[kind]),
        h('span.muted.small', moment(at)),
        search
          ? button('.text.changed-search', {
              label: asked ? 'Asked' : 'Search this',
              title: `${name}: ${effect(search.action, line)}`,
              disabled: asked || ctx.state.link.status === 'offline',
              run: () => run(ctx, ctrl.searchThis(ctx, summary, entry)),
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
