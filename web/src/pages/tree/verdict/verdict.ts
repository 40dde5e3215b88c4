// What the answer rests on: a line in the head, at its place also while there is nothing to tell. Its code comes with
// the first position that has an answer.
import { run, type Ctx } from '../../../ctx';
import { h, type VNode } from '../../../ui/dom';
import { Part, usePart } from '../../../ui/part';
import { here, isAsking, stoodBefore, type TreeState } from '../treeState';

export const verdict = new Part(() => import('./verdictView'));

// Called with each answer about the present position. Elsewhere than at the root one move alone is no answer.
export function followVerdict(ctx: Ctx, tree: TreeState): void {
  const scored = here(tree)?.moves.filter(m => m.alpha && m.status !== 'excluded') ?? [];
  if (scored.length < (tree.line.length ? 2 : 1) || isAsking(tree) || stoodBefore(tree)) return;
  usePart(ctx, verdict, part => part.follow(ctx, tree));
}

export const verifyHere = (ctx: Ctx, tree: TreeState): void => {
  if (verdict.here) run(ctx, verdict.here.verify(ctx, tree));
};

export const verdictView = (ctx: Ctx, tree: TreeState): VNode =>
  verdict.here?.verdictView(ctx, tree) ?? h('div.verdict');
