// Fetches the picture of the tree.
import { run, type Ctx } from '../../../ctx';
import type { TreeState } from '../treeState';
import { pictureKey, type PictureWish } from './pictureState';

export const mostCells = 4000;

export async function load(ctx: Ctx, tree: TreeState): Promise<void> {
  const { picture } = tree;
  const key = pictureKey(tree.id, tree.line);
  const query = { moves: tree.line, ...picture.wish, limit: mostCells };
  picture.askedAt = ctx.clock.now();
  const answer = await picture.loading.ask(
    signal => ctx.api.tree(tree.id, query, signal),
    JSON.stringify(query),
  );
  if (!answer) return;
  if ('problem' in answer) picture.problem = answer.problem.message;
  else {
    if (picture.key !== key) Object.assign(picture, { focus: [], hover: null });
    Object.assign(picture, { tree: answer.value, key, problem: null });
  }
  ctx.redraw();
}

// The tree grows: fetched again now and then, not with every event.
export function loadIfOld(ctx: Ctx, tree: TreeState): void {
  if (ctx.clock.now() - tree.picture.askedAt > 4000) run(ctx, load(ctx, tree));
}

export function change(ctx: Ctx, tree: TreeState, fields: Partial<PictureWish>): void {
  Object.assign(tree.picture.wish, fields);
  run(ctx, load(ctx, tree));
}
