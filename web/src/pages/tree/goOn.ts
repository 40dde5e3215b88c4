// What goes on: the game, and the work of an analysis that has ended.
import { sanLine } from '../../chess/chess';
import { attempt, offerUndo, openMenu, run, type Ctx } from '../../ctx';
import type { Advance, Analysis, Extension } from '../../data/types';
import type { MenuItem } from '../../state';
import { morningAfter, soonText } from '../../ui/day';
import { whileRootMoves } from './treeCtrl';
import type { TreeState } from './treeState';

async function advance(ctx: Ctx, tree: TreeState, body: Advance): Promise<boolean> {
  const { store } = ctx.state;
  const at = store.now();
  return whileRootMoves(ctx, tree, () =>
    attempt(ctx, async () => store.analyses.put(await ctx.api.advance(tree.id, body), at)),
  );
}

// The game went on by this line from the root.
export async function played(ctx: Ctx, tree: TreeState, line: readonly string[]): Promise<void> {
  const a = tree.analysis;
  if (!a || !line.length) return;
  const san = sanLine(a.fen, line)
    .map(s => s.san)
    .join(' ');
  if (!(await advance(ctx, tree, { moves: [...line] }))) return;
  const undo = (): void => {
    const now = ctx.state.tree;
    if (now?.id === tree.id) run(ctx, takeBack(ctx, now, line.length));
  };
  offerUndo(ctx, `The game went on: ${san}.`, undo, 10_000);
}

export async function takeBack(ctx: Ctx, tree: TreeState, plies = 1): Promise<void> {
  await advance(ctx, tree, { back: plies });
}

export function openSearchFurther(ctx: Ctx, a: Analysis, button: Element): void {
  const item = (label: string, more: Extension): MenuItem => ({
    label,
    run: () => run(ctx, extend(ctx, a, more)),
  });
  const morning = morningAfter(ctx.state.now);
  openMenu(ctx, button, 'Search further', [
    item('1 hour more', { hours: 1 }),
    item(`Overnight, until ${soonText(morning, ctx.state.now)}`, { until: morning }),
    item('One level deeper', { levels: 1 }),
  ]);
}

// With another engine, which is asked about all that was found.
export async function renew(ctx: Ctx, a: Analysis, engine: string): Promise<void> {
  const { store } = ctx.state;
  const at = store.now();
  await attempt(ctx, async () => store.analyses.put(await ctx.api.renew(a.id, { engine }), at));
  ctx.redraw();
}

async function extend(ctx: Ctx, a: Analysis, more: Extension): Promise<void> {
  const { store } = ctx.state;
  const at = store.now();
  await attempt(ctx, async () => store.analyses.put(await ctx.api.extend(a.id, more), at));
  ctx.redraw();
}
