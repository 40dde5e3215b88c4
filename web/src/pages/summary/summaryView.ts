// What changed in all analyses: each line leads to its place.
import { lineText, plyOf } from '../../chess/chess';
import { nameOf } from '../../chess/material';
import { text } from '../../chess/score';
import type { Ctx } from '../../ctx';
import type { Summary } from '../../data/types';
import { treeLink } from '../../router';
import type { Tab } from '../../router';
import { button, empty, h, input, link, segments } from '../../ui/dom';
import type { Child, VNode } from '../../ui/dom';
import { moment, plural } from '../../ui/format';
import { pageView } from '../../ui/frameView';
import { stateBadge } from '../../ui/stateBadge';
import { scoreView } from '../../ui/scoreView';
import { radarView } from './radarView';
import * as ctrl from './summaryCtrl';
import type { SummaryState } from './summaryState';

type Changed = Summary['analyses'][number];
type Line = NonNullable<Changed['changes']>['swings'][number]['line'];

const most = 5; // of each kind, of one analysis

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
    radarView(ctx, summary),
    answer
      ? answer.analyses.length
        ? h(
            'ul.changed-list',
            { attrs: { role: 'list', 'aria-label': 'Analyses that changed' } },
            answer.analyses.map(changedView),
          )
        : empty('Nothing has changed since then.')
      : problem
        ? null
        : h('div.skeleton'),
  ]);
}

const counts = ({ analyses, unchanged, since }: Summary): string =>
  `${analyses.length} of ${plural(analyses.length + unchanged, 'analysis', 'analyses')} since ${moment(since)}`;

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

function changedView(a: Changed): VNode {
  const at = (line: readonly { uci: string }[], tab?: Tab): string =>
    treeLink(
      a.id,
      line.map(s => s.uci),
      tab,
    );
  const place = (line: Line): string =>
    lineText(
      plyOf(a.fen),
      line.map(s => s.san),
    ) || 'the root';
  const rows: Child[][] = [
    ...a.played.map(move => [
      link('', at([]), `${move.san} was played`),
      `: ${move.in_tree ? 'it was in the tree' : 'it was not in the tree'}${bestOf(move)}.`,
    ]),
  ];
  const { changes, settled, state, reason } = a;
  if (settled.after > settled.before)
    rows.push([link('', at([], 'time'), `Settled to depth ${settled.after}`), `, before ${settled.before}.`]);
  if (state === 'exhausted' || state === 'failed')
    rows.push([state === 'failed' ? 'Failed' : 'Ended', reason ? `: ${reason}.` : '.']);
  if (!changes) rows.push(['Its tree cannot be looked at now.']);
  else rows.push(...bestRows(changes), ...swingRows(changes));

  function bestRows({ best, alpha, new_best }: NonNullable<Changed['changes']>): Child[][] {
    const other = best.before !== null && best.before !== best.after;
    const first: Child[] = [
      link('', at([]), other ? `New best move ${best.after ?? 'none'}` : `Best move ${best.after ?? 'none'}`),
      ' ',
      scoreView('', alpha.after),
      best.before === null
        ? '.'
        : `, before ${other ? `${best.before} ` : ''}${alpha.before ? text(alpha.before) : 'without a score'}.`,
    ];
    return [
      first,
      ...new_best
        .filter(each => each.line.length)
        .slice(0, most)
        .map(each => [
          'After ',
          link('', at(each.line), place(each.line)),
          `: best ${each.after.san}, before ${each.before.san}.`,
        ]),
    ];
  }

  function swingRows({ swings }: NonNullable<Changed['changes']>): Child[][] {
    return swings
      .filter(each => each.line.length)
      .slice(0, most)
      .map(each => [
        'After ',
        link('', at(each.line), place(each.line)),
        ': ',
        scoreView('', each.before),
        ' → ',
        scoreView('', each.after),
      ]);
  }

  return h('li', { key: a.id, attrs: { 'data-testid': 'changed-analysis', 'data-id': a.id } }, [
    h('div.changed-head', [
      h('h2', [link('', at([]), nameOf(a.name))]),
      stateBadge(state, reason),
      changes
        ? h('span.muted.small', plural(changes.evaluations, 'new evaluation', 'new evaluations'))
        : null,
    ]),
    h(
      'ul',
      rows.map(row => h('li', row)),
    ),
  ]);
}

const bestOf = ({ uci, best }: Changed['played'][number]): string =>
  !best ? '' : best.uci === uci ? ', and the best move' : `; best was ${best.san}`;
