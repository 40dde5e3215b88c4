// Fetches the evaluations of the present position.
import { explain } from '../ctx';
import type { Ctx } from '../ctx';
import { here } from '../tree/treeState';
import type { TreeState } from '../tree/treeState';

export const factsKey = (tree: TreeState): string => `${tree.id}/${tree.line.join()}`;

export async function load(ctx: Ctx, tree: TreeState): Promise<void> {
  const { facts } = ctx.state;
  const key = factsKey(tree);
  if (facts.key !== key) Object.assign(facts, { key, evaluations: null, positions: null, problem: null });
  try {
    const evaluations = await ctx.api.evaluations(tree.id, tree.line);
    if (facts.key !== key) return;
    facts.evaluations = evaluations;
    facts.problem = null;
    const fen = here(tree)?.fen ?? evaluations.fen;
    const positions = await ctx.api.positions(fen);
    if (facts.key === key) facts.positions = positions;
  } catch (error) {
    facts.problem = explain(error);
  }
  ctx.redraw();
}
