// Fetches the history and the changes of an analysis.
import { explain, run } from '../../../ctx';
import type { Ctx } from '../../../ctx';
import { lastVisit } from '../../../data/prefs';
import type { TreeState } from '../treeState';
import { initialTime, sinceMoment } from './timeState';
import type { Since, TimeState } from './timeState';

let loadedAt = 0;

// Also called for every step on the tree: what belongs to the whole analysis is not fetched again then.
export function enter(ctx: Ctx, tree: TreeState): void {
  const { time } = ctx.state;
  if (time?.id !== tree.id) {
    ctx.state.time = initialTime(tree.id, lastVisit(tree.id), Date.now());
    run(ctx, load(ctx));
  } else if (isOld()) run(ctx, load(ctx));
  else run(ctx, loadDisagreements(ctx, time));
}

// The two are independent: comparing two moments of a large tree takes the server a while, and the
// charts need not wait for it.
export async function load(ctx: Ctx): Promise<void> {
  const { time } = ctx.state;
  if (!time) return;
  loadedAt = Date.now();
  await Promise.all([loadHistory(ctx, time), loadChanges(ctx, time), loadDisagreements(ctx, time)]);
}

async function loadHistory(ctx: Ctx, time: TimeState): Promise<void> {
  try {
    time.history = await ctx.api.history(time.id);
    time.problem = null;
  } catch (error) {
    time.problem = explain(error);
  }
  ctx.redraw();
}

let abort: AbortController | null = null;

async function loadDisagreements(ctx: Ctx, time: TimeState): Promise<void> {
  const { tree } = ctx.state;
  if (tree?.id !== time.id) return;
  abort?.abort();
  const own = new AbortController();
  abort = own;
  const { line } = tree;
  try {
    time.disagreements = {
      line: line.join(),
      found: await ctx.api.disagreements(time.id, line, own.signal),
    };
  } catch (error) {
    if (own.signal.aborted) return;
    time.problem = explain(error);
  }
  ctx.redraw();
}

async function loadChanges(ctx: Ctx, time: TimeState): Promise<void> {
  if (time.comparing) return; // one at a time; the last choice is asked for again
  time.comparing = true;
  const { since, chosen } = time;
  try {
    time.changes = await ctx.api.changes(time.id, sinceMoment(time, Date.now()));
    time.changesProblem = null;
  } catch (error) {
    time.changesProblem = explain(error);
  }
  time.comparing = false;
  if (time.since !== since || time.chosen !== chosen) run(ctx, loadChanges(ctx, time));
  ctx.redraw();
}

const isOld = (): boolean => Date.now() - loadedAt > 10_000;

// While the analysis grows: again every few seconds.
export function loadIfOld(ctx: Ctx): void {
  if (ctx.state.time && isOld()) run(ctx, load(ctx));
}

export function setSince(ctx: Ctx, time: TimeState, since: Since): void {
  time.since = since;
  time.changes = null;
  ctx.redraw();
  run(ctx, loadChanges(ctx, time));
}
