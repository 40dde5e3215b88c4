// All that people asked for and wrote in the analysis, with what has come of it, and the way back.
import { lineText } from '../../../chess/chess';
import { marksOf, wordsOf } from '../../../chess/marks';
import { pawns } from '../../../chess/score';
import { assign, run, type Ctx } from '../../../ctx';
import type { GivenDirective } from '../../../data/types';
import { treeLink } from '../../../router';
import { button, choice, each, h, link, type Child, type VNode } from '../../../ui/dom';
import { count, moment, plural } from '../../../ui/format';
import { scoreView } from '../../../ui/scoreView';
import { rootPly, type TreeState } from '../treeState';
import * as ctrl from './ordersCtrl';
import { kindNames, type Kind, type OrdersState } from './ordersState';

export function ordersView(ctx: Ctx, tree: TreeState): VNode {
  const { orders } = tree;
  if (!orders?.list)
    return h('div.orders', { key: 'orders' }, [
      orders?.problem
        ? h('p.error', { attrs: { role: 'alert' } }, orders.problem)
        : h('div.skeleton', { key: 'coming' }),
    ]);
  const { list, kind } = orders;
  const wanted = list.filter(one => !kind || one.action === kind);
  const more = wanted.length - orders.shown;
  return h('div.orders', { key: 'orders', attrs: { 'data-testid': 'orders' } }, [
    filterView(ctx, orders, list, wanted.length),
    orders.problem ? h('p.error', { attrs: { role: 'alert' } }, orders.problem) : null,
    list.length
      ? null
      : h(
          'p.muted',
          'Nothing yet. Moves that you include or exclude, positions that you deepen or search first, and your notes stand here.',
        ),
    each(
      'ul.order-list',
      { attrs: { role: 'list', 'aria-label': 'Orders' } },
      wanted.slice(0, orders.shown),
      one => row(ctx, tree, orders, one),
    ),
    more > 0
      ? button('.text', {
          label: `${count(more)} more`,
          run: () => {
            orders.shown += 500;
            ctx.redraw();
          },
        })
      : null,
  ]);
}

function filterView(ctx: Ctx, orders: OrdersState, list: GivenDirective[], found: number): VNode {
  const number = (kind: string): number => list.filter(one => one.action === kind).length;
  const kinds = Object.entries(kindNames).filter(([kind]) => number(kind) || kind === orders.kind);
  return h('div.rep-actions', { attrs: { role: 'search', 'aria-label': 'Orders' } }, [
    choice(
      { 'aria-label': 'Which orders' },
      orders.kind,
      [['', 'All'], ...kinds.map(([kind, name]) => [kind, `${name} (${number(kind)})`] as const)],
      kind => assign(ctx, orders, { kind: kind as Kind | '' }),
    ),
    h('span.muted', { attrs: { role: 'status' } }, `${found} of ${plural(list.length, 'order')}`),
  ]);
}

function row(ctx: Ctx, tree: TreeState, orders: OrdersState, one: GivenDirective): VNode {
  const what = whatOf(one);
  return h(
    'li',
    { key: one.at, class: { idle: !one.holds }, attrs: { 'data-testid': 'order', 'data-kind': one.action } },
    [
      h('div.order-what', [
        h('b', what),
        placeView(tree, one),
        h('time.muted.small', { attrs: { datetime: new Date(one.at).toISOString() } }, moment(one.at)),
      ]),
      h('div.order-effect', [one.holds ? null : h('span.muted', `${idleText(one)} `), ...effectView(one)]),
      button('', {
        label: 'Undo',
        disabled: orders.leaving.has(one.at),
        attrs: { 'aria-label': `Undo: ${what}` },
        run: () => run(ctx, ctrl.takeBack(ctx, tree, orders, one, what)),
      }),
    ],
  );
}

function whatOf({ action, move, plies }: GivenDirective): string {
  const san = move?.san ?? '';
  if (action === 'include') return `Include ${san}`;
  if (action === 'exclude') return `Exclude ${san}`;
  if (action === 'deepen') return `Deepen by ${plural(plies ?? 2, 'ply', 'plies')}`;
  if (action === 'now') return 'Search first';
  if (action === 'clear') return san ? `Leave ${san} to the search` : 'Leave the position to the search';
  return 'Note';
}

// The way to the place, and to the move that it is about.
function placeView(tree: TreeState, { line, move, back }: GivenDirective): VNode {
  const steps = [...line, ...(move ? [move] : [])];
  const text = lineText(
    rootPly(tree.analysis!) - (back ?? 0),
    steps.map(s => s.san),
  );
  if (back !== undefined) return h('span.muted', `${text || 'before the root'}, not below the root`);
  return link(
    '.order-place',
    treeLink(
      tree.id,
      steps.map(s => s.uci),
      'orders',
    ),
    text || 'at the root',
  );
}

const idleText = ({ why }: GivenDirective): string =>
  why === 'off_root'
    ? 'Waits: its line does not lead through the root.'
    : 'No effect: a later order is about the same.';

function effectView({ action, effect, text }: GivenDirective): Child[] {
  if (action === 'note') {
    const drawn = marksOf(text ?? '').length;
    const words = wordsOf(text ?? '');
    return [words || plural(drawn, 'mark on the board', 'marks on the board')];
  }
  if (!effect) return [];
  if ('state' in effect)
    return [
      { searched: 'Searched.', searching: 'It is being searched.', waiting: 'Not searched yet.' }[
        effect.state
      ],
    ];
  if ('plies' in effect)
    return effect.positions
      ? [
          `The best line goes on for ${plural(effect.plies, 'ply', 'plies')} there; ${plural(effect.positions, 'position')} searched.`,
        ]
      : ['Not searched yet.'];
  const { score, rank, loss, best, positions } = effect;
  if (!score) return [action === 'exclude' ? 'Nothing is known of it.' : 'Not searched yet.'];
  const far = loss === null || !best || !loss ? '' : pawns(Math.abs(loss)).replace('+', '');
  const behind = far && `, ${far} ${loss! > 0 ? 'behind' : 'better than'} ${best!.san}`;
  const below = positions ? `; ${plural(positions, 'position')} below it` : '';
  if (action === 'exclude') return ['Keeps out ', scoreView('', score), `${behind}${below}.`];
  const place = rank === 1 ? ', the best move' : `, move ${rank ?? '–'}${behind}`;
  return [scoreView('', score), `${place}${below}.`];
}
