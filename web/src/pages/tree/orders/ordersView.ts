// All that people asked for and wrote in the analysis, with what has come of it, and the way back.
import { lineText, sans, ucis } from '../../../chess/chess';
import { marksOf, wordsOf } from '../../../chess/marks';
import { pawns } from '../../../chess/score';
import { assign, run, type Ctx, attempt, offerUndo, toast } from '../../../ctx';
import type { GivenDirective, Directive } from '../../../data/types';
import { treeLink } from '../../../router';
import { button, choice, each, h, link, moreButton, alertLine } from '../../../ui/dom';
import type { Child, VNode } from '../../../ui/dom';
import { count, moment, plural } from '../../../ui/format';
import { scoreView } from '../../../ui/scoreView';
import { rootPly, type TreeState } from '../treeState';
import { kindNames, type Kind, type OrdersState, initialOrders, known } from './ordersState';
import { loadAnalysis } from '../../../data/entities';
import { retract } from '../steer/steerCtrl';

// Fetches what people asked for, and takes it back.
// Also called for every step on the tree.
export async function enter(ctx: Ctx, tree: TreeState): Promise<void> {
  if (!tree.analysis) await loadAnalysis(ctx, tree.id);
  if (!tree.analysis || ctx.state.tree !== tree) return; // the page says why, or is another one
  const orders = (tree.orders ??= initialOrders());
  if (!orders.list && !orders.loading.busy) await load(ctx, tree, orders);
}

async function load(ctx: Ctx, tree: TreeState, orders: OrdersState): Promise<void> {
  const answer = await orders.loading.ask(signal => ctx.api.directives(tree.id, signal));
  if (!answer) return;
  if ('value' in answer) Object.assign(orders, { list: known(answer.value).reverse(), problem: null });
  else orders.problem = answer.problem.message;
  ctx.redraw();
}

// Something of the analysis has changed: its orders may have, or what has come of them.
export function hear(ctx: Ctx, tree: TreeState): void {
  const { orders } = tree;
  if (!orders?.list || orders.due) return;
  orders.due = true;
  ctx.clock.after(2000, () => {
    orders.due = false;
    if (ctx.state.tree === tree && tree.tab === 'orders') run(ctx, load(ctx, tree, orders));
    else orders.list = null; // when one comes back
  });
}

export async function takeBack(
  ctx: Ctx,
  tree: TreeState,
  orders: OrdersState,
  one: GivenDirective,
  what: string,
): Promise<void> {
  if (orders.leaving.has(one.at)) return;
  orders.leaving.add(one.at);
  ctx.redraw();
  const { at, back } = one;
  const place = ucis(one.line);
  const done = await retract(ctx, tree.id, { place, at, ...(back && { back }) });
  orders.leaving.delete(one.at);
  if (!done) return ctx.redraw();
  orders.list = orders.list?.filter(other => other !== one) ?? null;
  const again = back === undefined ? wishOf(one) : null;
  const said = `${what} is taken back.`;
  if (again) offerUndo(ctx, said, () => run(ctx, giveAgain(ctx, tree, orders, again)));
  else toast(ctx, said, { ms: 7000 });
  await load(ctx, tree, orders);
}

function wishOf({ action, line, move, text, plies }: GivenDirective): Directive {
  const moves = ucis([...line, ...(move ? [move] : [])]);
  return { moves, action, ...(text && { text }), ...(plies && { plies }) } as Directive;
}

async function giveAgain(ctx: Ctx, tree: TreeState, orders: OrdersState, wish: Directive): Promise<void> {
  if (await attempt(ctx, () => ctx.api.direct(tree.id, wish))) await load(ctx, tree, orders);
}

export function view(ctx: Ctx, tree: TreeState): VNode {
  const { orders } = tree;
  if (!orders?.list)
    return h('div.orders', { key: 'orders' }, [
      alertLine(orders?.problem) ?? h('div.skeleton', { key: 'coming' }),
    ]);
  const { list, kind } = orders;
  const wanted = list.filter(one => !kind || one.action === kind);
  const more = wanted.length - orders.shown;
  return h('div.orders', { key: 'orders', attrs: { 'data-testid': 'orders' } }, [
    filterView(ctx, orders, list, wanted.length),
    alertLine(orders.problem),
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
      ? moreButton(`${count(more)} more`, () => assign(ctx, orders, { shown: orders.shown + 500 }))
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
        run: () => run(ctx, takeBack(ctx, tree, orders, one, what)),
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
  const text = lineText(rootPly(tree.analysis!) - (back ?? 0), sans(steps));
  if (back !== undefined) return h('span.muted', `${text || 'before the root'}, not below the root`);
  return link('.order-place', treeLink(tree.id, ucis(steps), 'orders'), text || 'at the root');
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
