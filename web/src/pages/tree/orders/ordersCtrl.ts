// Fetches what people asked for, and takes it back.
import { attempt, offerUndo, run, toast, type Ctx } from '../../../ctx';
import { loadAnalysis } from '../../../data/entities';
import type { Directive, GivenDirective } from '../../../data/types';
import { retract } from '../steer/steerCtrl';
import type { TreeState } from '../treeState';
import { initialOrders, known, type OrdersState } from './ordersState';

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
  const place = one.line.map(s => s.uci);
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
  const moves = [...line, ...(move ? [move] : [])].map(s => s.uci);
  return { moves, action, ...(text && { text }), ...(plies && { plies }) } as Directive;
}

async function giveAgain(ctx: Ctx, tree: TreeState, orders: OrdersState, wish: Directive): Promise<void> {
  if (await attempt(ctx, () => ctx.api.direct(tree.id, wish))) await load(ctx, tree, orders);
}
