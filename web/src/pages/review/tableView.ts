// All games of a file in one table, and their players in another. Sorted by any column; what went worst is a link.
import type { Ctx } from '../../ctx';
import type { FileReview, ReviewRow, WorstMove } from '../../data/types';
import { reviewLink } from '../../router';
import { button, each, h, link, type Child, type VNode, wide, alertLine } from '../../ui/dom';
import { count, plural } from '../../ui/format';
import { pageView } from '../../ui/frameView';
import * as ctrl from './reviewCtrl';
import { progress, shareButton } from './progressView';
import { glyph, type OpenTable, type SortColumn } from './reviewState';

const columns: [SortColumn, string, string?][] = [
  ['number', '#', 'Number in the file'],
  ['White', 'White'],
  ['Black', 'Black'],
  ['white', 'Acc. W', 'Accuracy of White'],
  ['black', 'Acc. B', 'Accuracy of Black'],
  ['worst', 'Worst moment'],
  ['Result', 'Result'],
  ['plies', 'Moves'],
  ['Event', 'Event'],
  ['Date', 'Date'],
];
const numeric: readonly SortColumn[] = ['number', 'white', 'black', 'plies'];

export function tableView(ctx: Ctx, open: OpenTable): VNode {
  const { table } = open;
  return pageView('.review', 'Review of a file', [
    h('div.page-head', [
      h('h1', table?.file.name ?? 'Review of a file'),
      h('p.muted', table ? plural(table.file.games, 'game') : ''),
      ...(ctx.state.shared
        ? []
        : [
            shareButton(ctx, { id: open.id, file: open.file, title: table?.file.name ?? 'a file' }),
            link('.button', '#/review', 'Other games'),
          ]),
    ]),
    alertLine(open.problem),
    ...(table ? known(ctx, open, table) : [h('div.skeleton'), h('div.skeleton')]),
  ]);
}

function known(ctx: Ctx, open: OpenTable, table: FileReview): Child[] {
  const sum = (of: 'searched' | 'positions'): number => table.games.reduce((all, row) => all + row[of], 0);
  return [
    h('div.table-progress', [
      progress(ctrl.analysisOf(ctx, open), { searched: sum('searched'), positions: sum('positions') }) ??
        h('p.muted', 'All positions are searched.'),
    ]),
    h('section', { attrs: { 'aria-label': 'Games' } }, [
      wide(
        'Table of the games',
        h('table.plain.review-table', { attrs: { 'aria-label': 'Games', 'data-testid': 'games' } }, [
          h('thead', [each('tr', {}, columns, column => head(ctx, open, column))]),
          each('tbody', {}, sorted(table.games, open.sort, open.down), row => rowView(open, row)),
        ]),
      ),
    ]),
    playersView(open, table),
  ];
}

function head(ctx: Ctx, open: OpenTable, [column, name, title]: (typeof columns)[number]): VNode {
  const here = open.sort === column;
  return h(
    `th${numeric.includes(column) ? '.num' : ''}`,
    { attrs: { scope: 'col', 'aria-sort': here ? (open.down ? 'descending' : 'ascending') : 'none' } },
    [
      button('.quiet.sort', {
        label: `${name}${here ? (open.down ? ' ↓' : ' ↑') : ''}`,
        title: title ?? `Sort by ${name.toLowerCase()}`,
        run: () => ctrl.sort(ctx, open, column),
      }),
    ],
  );
}

const tag = (row: ReviewRow, name: string): string => {
  const value = row.tags[name] ?? '';
  return /^[?.]*$/.test(value) ? '' : value;
};

function keyOf(row: ReviewRow, column: SortColumn): number | string | null {
  if (column === 'number' || column === 'plies') return row[column];
  if (column === 'white' || column === 'black') return row[column].accuracy;
  return column === 'worst' ? (row.worst?.loss ?? null) : tag(row, column) || null;
}

// What is not known stands last in either order.
export function sorted(rows: readonly ReviewRow[], column: SortColumn, down: boolean): ReviewRow[] {
  return [...rows].sort((a, b) => {
    const [one, other] = [keyOf(a, column), keyOf(b, column)];
    if (one === null || other === null) return one === other ? a.number - b.number : one === null ? 1 : -1;
    const by =
      typeof one === 'string' || typeof other === 'string'
        ? String(one).localeCompare(String(other))
        : one - other;
    return (down ? -by : by) || a.number - b.number;
  });
}

const accuracy = (value: number | null): string => (value === null ? '–' : `${value.toFixed(1)} %`);

const moveText = (worst: WorstMove): string =>
  `${worst.number}${worst.side === 'white' ? '.' : '…'} ${worst.san}${glyph(worst)}`;

const worstLink = (open: OpenTable, game: number, worst: WorstMove): VNode =>
  link('.worst', reviewLink(open.id, open.file, game, worst.ply), moveText(worst), {
    'data-kind': worst.judgement,
    title: `${worst.judgement}: loses ${Math.round(worst.loss * 100)} % of the chances`,
  });

function rowView(open: OpenTable, row: ReviewRow): VNode {
  const round = tag(row, 'Round');
  const event = [tag(row, 'Event'), round && `round ${round}`].filter(Boolean).join(', ');
  const to = reviewLink(open.id, open.file, row.number, row.worst?.ply ?? 0);
  const player = (side: 'White' | 'Black'): Child =>
    row.reason === null ? link('', to, tag(row, side) || '?') : tag(row, side) || '?';
  const all = row.searched >= row.positions;
  return h('tr', { key: row.number, attrs: { 'data-testid': 'review-row' } }, [
    h('td.num', count(row.number)),
    h('td', [player('White')]),
    h('td', [player('Black')]),
    ...(row.reason === null
      ? [
          h('td.num', accuracy(row.white.accuracy)),
          h('td.num', accuracy(row.black.accuracy)),
          h('td', [
            row.worst
              ? worstLink(open, row.number, row.worst)
              : h('span.muted', all ? 'none' : `${row.searched} of ${row.positions}`),
          ]),
        ]
      : [h('td.muted.reason', { attrs: { colspan: 3 } }, row.reason)]),
    h('td', tag(row, 'Result').replace('1/2-1/2', '½')),
    h('td.num', count(Math.ceil(row.plies / 2))),
    h('td', event),
    h('td', tag(row, 'Date').replace(/\.\?\?/g, '')),
  ]);
}

function playersView(open: OpenTable, table: FileReview): Child {
  if (!table.players.length) return null;
  const names = ['Player', 'Games', 'Accuracy', 'Inaccuracies', 'Mistakes', 'Blunders', 'Worst moment'];
  const players = [...table.players].sort((a, b) => b.games - a.games);
  return h('section.review-players', { attrs: { 'aria-label': 'Players' } }, [
    h('h2', 'By player'),
    wide(
      'Table of the players',
      h('table.plain.review-table', { attrs: { 'aria-label': 'Players', 'data-testid': 'players' } }, [
        h('thead', [
          each('tr', {}, names, (name, i) =>
            h(`th${i > 0 && i < 6 ? '.num' : ''}`, { attrs: { scope: 'col' } }, name),
          ),
        ]),
        each('tbody', {}, players, player =>
          h('tr', { key: player.name }, [
            h('th', { attrs: { scope: 'row' } }, player.name),
            h('td.num', count(player.games)),
            h('td.num', accuracy(player.accuracy)),
            h('td.num', count(player.inaccuracies)),
            h('td.num', count(player.mistakes)),
            h('td.num', count(player.blunders)),
            h('td', [
              player.worst ? worstLink(open, player.worst.game!, player.worst) : h('span.muted', 'none'),
            ]),
          ]),
        ),
      ]),
    ),
  ]);
}
