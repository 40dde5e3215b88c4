// The home page: all analyses in order, and the engines.
import { run, type Ctx } from '../../ctx';
import { pageView } from '../../ui/frameView';
import { count, span } from '../../ui/format';
import { toggle } from '../../data/entities';
import { takeTyped } from '../../data/typed';
import { openImport, what } from '../../dialogs/parts';
import { treeLink } from '../../router';
import type { Analysis } from '../../data/types';
import { button, each, empty, h, link, type Child, type VNode, choice, input, bar } from '../../ui/dom';
import { icon } from '../../ui/icons';
import { scoreView } from '../../ui/scoreView';
import { sparkline } from '../../ui/sparkline';
import { thumbnail } from '../../ui/thumbnail';
import { nameOf } from '../../chess/material';
import { startFen } from '../../chess/chess';
import { same } from '../../chess/score';
import { moveBy } from '../../ui/day';
import { begins, comes, firstLook } from './firstLook';
import { enginesView } from './enginesView';
import { depthText, ending, processesFor, share, stateBadge, stateWords, why } from '../../ui/progress';
import * as ctrl from './queueCtrl';
import { asWorkedOn, visible, wanted, allTags, filtered } from './queueRows';
import type { SortKey } from './queueState';

export { enter, finishRemovals, tick } from './queueCtrl';

// Above the rows: search, state, tag, order; and the way to select several.
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

function filterView(ctx: Ctx, all: readonly Analysis[], shown: readonly Analysis[]): VNode | null {
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

// A long list of rows of equal height: only those near the window are in the document.
const always = 80; // shorter lists are drawn whole
const margin = 10; // rows above and below the visible ones

function windowed<T>(
  ctx: Ctx,
  place: { top: number }, // document offset of the list, px: measured when it is drawn
  items: readonly T[],
  rowHeight: number,
  view: (item: T, index: number) => VNode,
): VNode {
  const measure = (vnode: VNode): void => {
    place.top = (vnode.elm as HTMLElement).getBoundingClientRect().top + window.scrollY;
  };
  if (items.length <= always || window.innerWidth < 720) return h('ul.rows', { key: 'all' }, items.map(view));
  const first = Math.max(0, Math.floor((window.scrollY - place.top) / rowHeight) - margin);
  const last = Math.min(
    items.length,
    Math.ceil((window.scrollY - place.top + window.innerHeight) / rowHeight) + margin,
  );
  return each(
    'ul.rows',
    {
      key: 'windowed',
      style: {
        paddingTop: `${first * rowHeight}px`,
        paddingBottom: `${(items.length - last) * rowHeight}px`,
      },
      hook: {
        insert: vnode => {
          measure(vnode);
          const onScroll = (): void => ctx.redraw();
          vnode.data!['onScroll'] = onScroll;
          window.addEventListener('scroll', onScroll, { passive: true });
        },
        postpatch: (old, vnode) => {
          vnode.data!['onScroll'] = old.data!['onScroll'];
          measure(vnode);
        },
        destroy: vnode => window.removeEventListener('scroll', vnode.data!['onScroll'] as () => void),
      },
    },
    items.slice(first, last),
    (item, i) => view(item, first + i),
  );
}

export function queueView(ctx: Ctx): VNode {
  const { queue } = ctx.state;
  const engines = ctx.state.store.engines.all();
  return pageView('.queue', 'Queue', [
    h('div.page-head', [
      h('h1', 'Queue'),
      h('p.muted', summary(ctx)),
      button('', {
        label: 'Import',
        icon: icon('upload'),
        both: true,
        title: 'Import (o)',
        run: () => openImport(ctx, null),
      }),
      visible(queue, ctx.state.store).length ? link('.button', '#/summary', 'What changed') : null,
      begins(ctx) ? null : link('.button.primary', '#/new', [icon('plus'), 'New analysis']),
    ]),
    h('div.queue-grid', [
      h('section.list', { attrs: { 'aria-label': 'Analyses' } }, [list(ctx)]),
      engines.length && !comes(ctx) ? enginesView(ctx, engines, queue.machines) : h('aside.engines'),
    ]),
  ]);
}

function summary(ctx: Ctx): string {
  const shown = visible(ctx.state.queue, ctx.state.store);
  if (!shown.length) return '';
  const running = shown.filter(a => a.state === 'running').length;
  const positions = shown.reduce((sum, a) => sum + a.positions, 0);
  return `${running} running of ${shown.length} · ${count(positions)} positions`;
}

function list(ctx: Ctx): VNode {
  const { queue, store } = ctx.state;
  if (!store.analyses.loaded)
    return queue.problem
      ? empty(queue.problem)
      : each('div.skeletons', {}, [1, 2, 3], () => h('div.skeleton'));
  const all = visible(queue, store);
  if (begins(ctx)) return firstLook(ctx, all.length ? rowsView(ctx, all) : null);
  takeTyped(); // there is no field for it
  return rowsView(ctx, all);
}

function rowsView(ctx: Ctx, all: Analysis[]): VNode {
  const { queue } = ctx.state;
  const shown = wanted(queue, all);
  return h('div.list-box', [
    filterView(ctx, all, shown),
    queue.selecting ? (ctrl.bulk.here?.bulkBar(ctx, shown) ?? null) : null,
    h('div.row.head', { attrs: { 'aria-hidden': 'true' } }, [
      h('span'),
      h('span'),
      h('span', 'Analysis'),
      h('span', 'Settled'),
      h('span', 'Best move'),
      h('span', 'Root score'),
      h('span', 'Positions'),
      h('span', 'Engine time'),
      h('span'),
    ]),
    shown.length
      ? windowed(ctx, queue.list, shown, ctrl.rowHeight, (a, i) => row(ctx, a, i, shown.length))
      : nothingFound(ctx),
  ]);
}

function nothingFound(ctx: Ctx): VNode {
  const { words, only, tag } = ctx.state.queue;
  const named = [
    words.trim() && `“${words.trim()}”`,
    only && `the state ${stateWords[only].toLowerCase()}`,
    tag && `the tag ${tag}`,
  ].filter(Boolean);
  return empty(
    `No analysis has ${named.join(' and ')}.`,
    button('', { label: 'Show all', run: () => ctrl.filter(ctx, { words: '', only: '', tag: '' }) }),
  );
}

// While one row is dragged, those it passes make room.
function shift(ctx: Ctx, index: number): number {
  const { drag } = ctx.state.queue;
  if (!drag) return 0;
  if (index === drag.from) return drag.offset;
  if (index > drag.from && index <= drag.to) return -ctrl.rowHeight;
  if (index < drag.from && index >= drag.to) return ctrl.rowHeight;
  return 0;
}

function row(ctx: Ctx, a: Analysis, index: number, rows: number): VNode {
  const dragged = ctx.state.queue.drag?.id === a.id;
  const offset = shift(ctx, index);
  const href = treeLink(a.id);
  return h(
    'li.row',
    {
      key: a.id,
      class: { dragged },
      attrs: { 'data-testid': 'analysis', 'data-id': a.id },
      style: { transform: offset ? `translateY(${offset}px)` : '' },
    },
    [
      first(ctx, a, index, rows),
      thumbnail(a.fen),
      h('div.what', [
        h('div.what-line', [
          link('.name', href, nameOf(a.name), { title: a.name }),
          stateBadge(a.state, a.reason),
        ]),
        h('div.muted.cut', { attrs: { title: a.san || a.fen } }, details(ctx, a)),
        why(a) || a.tags.length ? h('div.small.under', [...tags(ctx, a), reason(a)]) : null,
      ]),
      settled(a),
      h('div.best', { attrs: { 'data-label': 'Best move' } }, best(a)),
      h('div.spark', sparkline(a.sparkline)),
      h('div.num', { attrs: { 'data-label': 'Positions' } }, [
        count(a.positions),
        h('small', `${count(a.evaluations.new + a.evaluations.reused)} evals`),
      ]),
      h('div.num.time', { attrs: { 'data-label': 'Engine time' } }, [
        span(a.engine_seconds),
        h('small', eta(ctx, a)),
      ]),
      h('div.row-actions', [
        button('.quiet.square', {
          label: a.hold ? `Resume ${a.name}` : `Pause ${a.name}`,
          icon: icon(a.hold ? 'play' : 'pause'),
          disabled: a.state === 'settled' || a.state === 'exhausted',
          run: () => run(ctx, toggle(ctx, a)),
        }),
        button('.quiet.square', {
          label: `Actions for ${a.name}`,
          icon: icon('more'),
          attrs: { 'aria-haspopup': 'menu' },
          run: event => ctrl.openRowMenu(ctx, a, event.currentTarget as Element),
        }),
      ]),
    ],
  );
}

// Before its name: the box in a selection; the handle where the rows stand as they are worked on.
function first(ctx: Ctx, a: Analysis, index: number, rows: number): VNode {
  const { queue } = ctx.state;
  if (queue.selecting)
    return h('label.pick', [
      h('input', {
        attrs: { type: 'checkbox', 'aria-label': `Select ${a.name}` },
        props: { checked: queue.selected.has(a.id) },
        on: { click: event => ctrl.pick(ctx, a.id, event.shiftKey) },
      }),
    ]);
  return asWorkedOn(queue) ? handle(ctx, a, index, rows) : h('span.handle');
}

const tags = (ctx: Ctx, a: Analysis): VNode[] =>
  a.tags.map(tag =>
    button('.tag', {
      key: tag,
      label: tag,
      title: `Only those with the tag ${tag}`,
      pressed: ctx.state.queue.tag === tag,
      run: () => ctrl.filter(ctx, { tag: ctx.state.queue.tag === tag ? '' : tag }),
    }),
  );

const reason = (a: Analysis): VNode | null =>
  why(a) ? h('span.cut', { attrs: { title: why(a), 'data-testid': 'why' } }, why(a)) : null;

function handle(ctx: Ctx, a: Analysis, index: number, rows: number): VNode {
  return h(
    'button.handle',
    {
      attrs: {
        type: 'button',
        'aria-label': `Move ${a.name}, ${index + 1} of ${rows}; arrow keys move it`,
        title: 'Drag, or use the arrow keys',
      },
      on: {
        pointerdown: event => ctrl.startDrag(ctx, a, event),
        keydown: event => {
          const to = event.key === 'ArrowUp' ? index - 1 : event.key === 'ArrowDown' ? index + 1 : -1;
          if (to < 0 || to >= rows) return;
          event.preventDefault();
          event.stopPropagation();
          run(ctx, ctrl.move(ctx, index, to));
        },
      },
    },
    [icon('grip')],
  );
}

function details(ctx: Ctx, a: Analysis): Child[] {
  const { opponent, move_by } = a.game;
  const by = move_by ? moveBy(move_by, ctx.state.now) : null;
  const players = [a.game.white, a.game.black].filter(Boolean).join(' – ');
  const parts = [
    a.name.includes(players) ? '' : players,
    a.san || (a.fen === startFen ? 'Start position' : a.fen),
  ].filter(Boolean);
  if (a.window) parts.push(a.window);
  return [
    a.priority
      ? h('span.priority-mark', { attrs: { title: 'Higher priority goes first' } }, [
          `${a.priority > 0 ? '+' : '−'}${Math.abs(a.priority)}`,
        ])
      : null,
    by ? h('span.move-by', { class: { late: by.late }, attrs: { 'data-testid': 'move-by' } }, by.text) : null,
    opponent ? h('span.opponent', `against ${opponent}`) : null,
    parts.join(' · '),
  ];
}

function settled(a: Analysis): VNode {
  const part = share(a);
  return h('div.settled', { attrs: { 'data-label': 'Settled' } }, [
    h('span.num', depthText(a)),
    part === null ? h('div.bar.endless') : bar('progressbar', `Progress of ${a.name}`, part),
  ]);
}

function best(a: Analysis): Child[] {
  if (!a.best) return [h('span.muted', a.state === 'settled' ? 'none' : 'none yet')];
  const { san, alpha, idea } = a.best;
  return [
    h('strong.san', san),
    h('span.best-scores', [
      scoreView('.alpha', alpha),
      same(alpha, idea) ? null : scoreView('.idea', idea, { title: 'idea, without repetition' }),
    ]),
  ];
}

// Below the engine time: how long it will go on.
function eta(ctx: Ctx, a: Analysis): string {
  if (a.state !== 'running') return '';
  const end = ending(a, ctx.state.now, processesFor(a, ctx.state.store));
  if (!end) return a.strategy.refine ? '' : 'no end set';
  return end.limit === 'level' || end.limit === 'engine_seconds' ? `${end.text} left` : end.text;
}
