// Above the rows: search, state, tag, order; and the way to select several.
import type { Ctx } from '../../ctx';
import type { Analysis } from '../../data/types';
import { what } from '../../dialogs/parts';
import { button, choice, h, input, type VNode } from '../../ui/dom';
import { stateWords } from '../../ui/stateBadge';
import * as ctrl from './queueCtrl';
import { allTags, filtered } from './queueRows';
import type { SortKey } from './queueState';

const fewest = 6; // analyses; fewer are seen at once

const states: readonly (readonly [Analysis['state'] | '', string])[] = [
  ['', 'All states'],
  ...(['running', 'queued', 'paused', 'settled', 'exhausted', 'failed'] as const).map(
    state => [state, stateWords[state]] as const,
  ),
];

const sorts: readonly (readonly [SortKey, string])[] = [
  ['order', 'Order of work'],
  ['move_by', 'Date to move by'],
  ['changed', 'Last change'],
  ['name', 'Name'],
  ['state', 'State'],
  ['priority', 'Priority'],
];

export function filterView(ctx: Ctx, all: readonly Analysis[], shown: readonly Analysis[]): VNode | null {
  const { queue } = ctx.state;
  const labelled = all.some(a => a.tags.length || a.game.move_by);
  if (all.length < fewest && !filtered(queue) && !queue.selecting && !labelled) return null;
  const tags = allTags(all);
  return h('div.filter', { key: 'filter', attrs: { role: 'search', 'aria-label': 'Queue' } }, [
    input(
      {
        type: 'search',
        'aria-label': 'Search the queue',
        placeholder: 'Name, line, opening, best move, tag, player',
      },
      queue.words,
      words => ctrl.filter(ctx, { words }),
    ),
    choice({ 'aria-label': 'State' }, queue.only, states, only =>
      ctrl.filter(ctx, { only: only as Analysis['state'] | '' }),
    ),
    tags.length || queue.tag
      ? choice(
          { 'aria-label': 'Tag' },
          queue.tag,
          [['', 'All tags'], ...[...new Set([...tags, queue.tag])].filter(Boolean).map(t => [t, t] as const)],
          tag => ctrl.filter(ctx, { tag }),
        )
      : null,
    h('span.sort', [
      choice({ 'aria-label': 'Sorted by' }, queue.sort, sorts, sort => ctrl.sortBy(ctx, sort as SortKey)),
      what(ctx, 'order', 'Order'),
    ]),
    h(
      'span.muted',
      { attrs: { role: 'status', 'data-testid': 'shown' } },
      `${shown.length} of ${all.length}`,
    ),
    button('', {
      label: 'Select',
      pressed: queue.selecting,
      title: 'Select several: pause, resume, priority, tags, delete',
      run: () => ctrl.startSelecting(ctx, !queue.selecting),
    }),
  ]);
}
