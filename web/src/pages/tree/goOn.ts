// What goes on: the game, and the work of an analysis that has ended.
import { sanLine, sans } from '../../chess/chess';
import { order } from '../../chess/score';
import { attempt, offerUndo, openMenu, run, type Ctx } from '../../ctx';
import type { Advance, Analysis, Extension, Score, Strategy } from '../../data/types';
import type { MenuItem } from '../../state';
import { morningAfter, soonText } from '../../ui/day';
import { whileRootMoves } from './treeCtrl';
import { here, leafMove, type TreeState } from './treeState';

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
  const san = sans(sanLine(a.fen, line)).join(' ');
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

type Proof = Partial<Pick<Strategy, 'side' | 'draw'>>;

const decided = (score: Score | null): boolean =>
  score !== null &&
  ('mate' in score ? score.mate !== 0 : 'tb' in score && (score.tb === 'win' || score.tb === 'loss'));

// What could be shown at the present position: a win where a mate or a result of the tables is seen, a draw for the side
// that is worse without a repetition; null: no end is near.
export function proofHere(tree: TreeState): Proof | null {
  const node = here(tree);
  const alpha = leafMove(tree)?.alpha ?? node?.alpha ?? null;
  if (!node || !alpha || (!tree.line.length && tree.analysis?.strategy.kind === 'prove')) return null;
  if (decided(alpha)) return {};
  const without = node.idea && order(node.idea);
  return order(alpha) === 0 && without ? { side: without > 0 ? 2 : 1, draw: 1 } : null;
}

const proofTime = 3600; // s of the engine's work

// In an analysis of its own, which has the evaluations that are there.
export async function prove(ctx: Ctx, tree: TreeState, proof: Proof): Promise<void> {
  const a = tree.analysis;
  if (!a) return;
  await attempt(ctx, async () => {
    const id = await ctx.api.create({
      name: [...`Proof: ${a.name}`].slice(0, 50).join(''), // 200 bytes
      position: { fen: a.start_fen, moves: [...a.moves, ...tree.line] },
      engine: a.engine,
      limit: a.limit,
      strategy: { kind: 'prove', ...proof },
      budget: { engine_seconds: proofTime },
      ...(a.fifty_moves === undefined ? {} : { fifty_moves: a.fifty_moves }),
    });
    ctx.go({ page: 'tree', id, line: [], tab: 'moves' });
  });
}

async function extend(ctx: Ctx, a: Analysis, more: Extension): Promise<void> {
  const { store } = ctx.state;
  const at = store.now();
  await attempt(ctx, async () => store.analyses.put(await ctx.api.extend(a.id, more), at));
  ctx.redraw();
}
