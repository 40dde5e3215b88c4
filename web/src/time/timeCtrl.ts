// Fetches the history and the changes of an analysis.
import { explain } from '../ctx';
import type { Ctx } from '../ctx';
import { lastVisit } from '../prefs';
import type { TreeState } from '../tree/treeState';
import { initialTime, sinceMoment } from './timeState';
import type { Since, TimeState } from './timeState';

let loadedAt = 0;

export function enter(ctx: Ctx, tree: TreeState): void {
  if (ctx.state.time?.id !== tree.id)
    ctx.state.time = initialTime(tree.id, lastVisit(tree.id), Date.now());
  void load(ctx);
}

export async function load(ctx: Ctx): Promise<void> {
  const { time } = ctx.state;
  if (!time) return;
  loadedAt = Date.now();
  try {
    const [history, changes] = await Promise.all([
      ctx.api.history(time.id),
      ctx.api.changes(time.id, sinceMoment(time, Date.now())),
    ]);
    Object.assign(time, { history, changes, problem: null });
  } catch (error) {
    time.problem = explain(error);
  }
  ctx.redraw();
}

// While the analysis grows: again every few seconds.
export function loadIfOld(ctx: Ctx): void {
  if (ctx.state.time && Date.now() - loadedAt > 10_000) void load(ctx);
}

export function setSince(ctx: Ctx, time: TimeState, since: Since): void {
  time.since = since;
  time.changes = null;
  ctx.redraw();
  void load(ctx);
}
