// Fetches the evaluations of the present position.
import { assign, type Ctx } from '../../../ctx';
import type { ApiError } from '../../../data/api';
import { here, type TreeState } from '../treeState';

export const factsKey = (tree: TreeState): string => `${tree.id}/${tree.line.join()}`;

export async function load(ctx: Ctx, tree: TreeState): Promise<void> {
  const { facts } = tree;
  const fail = ({ message }: ApiError): void => assign(ctx, facts, { problem: message });
  const key = factsKey(tree);
  if (facts.key !== key) Object.assign(facts, { key, evaluations: null, positions: null, problem: null });
  const found = await facts.asking.ask(signal => ctx.api.evaluations(tree.id, tree.line, signal));
  if (!found) return;
  if ('problem' in found) return fail(found.problem);
  assign(ctx, facts, { evaluations: found.value, problem: null });
  const fen = here(tree)?.fen ?? found.value.fen;
  const known = await facts.asking.ask(signal => ctx.api.positions(fen, signal));
  if (!known) return;
  if ('problem' in known) return fail(known.problem);
  facts.positions = known.value;
  ctx.redraw();
}
