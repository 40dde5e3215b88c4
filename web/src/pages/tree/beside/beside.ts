// Columns beside the tree's values: their code comes when somebody has chosen one.
import type { Ctx } from '../../../ctx';
import { Part, usePart } from '../../../ui/part';
import type { TreeState } from '../treeState';
import { columnsOf } from './chosen';

export const beside = new Part(() => import('./besideView'));

export function followBeside(ctx: Ctx, tree: TreeState): void {
  if (ctx.state.shared || tree.tab !== 'moves' || !columnsOf(tree.id).length) return;
  usePart(ctx, beside, part => part.follow(ctx, tree));
}

export const openColumns = (ctx: Ctx, tree: TreeState, button: Element): void =>
  usePart(ctx, beside, part => part.openColumns(ctx, tree, button));
