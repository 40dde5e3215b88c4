// Fetches the history and the changes of an analysis.
import { run, type Ctx } from '../../../ctx';
import { answerOf } from '../../../data/latest';
import { lastVisit } from '../../../data/prefs';
import type { TreeState } from '../treeState';
import { initialTime, sinceMoment, type Since, type TimeState } from './timeState';

// Also called for every step on the tree: what belongs to the whole analysis is not fetched again then.
export function enter(ctx: Ctx, tree: TreeState): void {
  const { site } = ctx.state;
  const time = (tree.time ??= initialTime(tree.id, site ? null : lastVisit(tree.id), ctx.clock.now()));
  if (site && !time.loadedAt) time.since = site.changes[0]!.name;
  if (isOld(ctx, time)) run(ctx, load(ctx, tree, time));
  else run(ctx, loadDisagreements(ctx, tree, time));
}

// The three are independent: comparing two moments of a large tree takes the server a while, and the
// charts need not wait for it.
export async function load(ctx: Ctx, tree: TreeState, time: TimeState): Promise<void> {
  time.loadedAt = ctx.clock.now();
  await Promise.all([loadHistory(ctx, time), loadChanges(ctx, time), loadDisagreements(ctx, tree, time)]);
}

async function loadHistory(ctx: Ctx, time: TimeState): Promise<void> {
  const answer = await answerOf(ctx.api.history(time.id));
  if ('value' in answer) Object.assign(time, { history: answer.value, problem: null });
  else time.problem = answer.problem.message;
  ctx.redraw();
}

async function loadDisagreements(ctx: Ctx, { line }: TreeState, time: TimeState): Promise<void> {
  const answer = await time.searching.ask(signal => ctx.api.disagreements(time.id, line, signal));
  if (!answer) return;
  if ('value' in answer) time.disagreements = { line: line.join(), found: answer.value };
  else time.problem = answer.problem.message;
  ctx.redraw();
}

async function loadChanges(ctx: Ctx, time: TimeState): Promise<void> {
  if (time.comparing) return; // one at a time; the last choice is asked for again
  time.comparing = true;
  const { since, chosen } = time;
  const answer = await answerOf(ctx.api.changes(time.id, sinceMoment(time, ctx.clock.now(), ctx.state.site)));
  time.comparing = false;
  time.compared = true;
  if ('value' in answer) Object.assign(time, { changes: answer.value, changesProblem: null });
  else time.changesProblem = answer.problem.message;
  if (time.since !== since || time.chosen !== chosen) run(ctx, loadChanges(ctx, time));
  ctx.redraw();
}

const isOld = (ctx: Ctx, time: TimeState): boolean =>
  !time.loadedAt || ctx.clock.now() - time.loadedAt > (ctx.state.site ? Infinity : 10_000);

// While the analysis grows: again every few seconds.
export function loadIfOld(ctx: Ctx, tree: TreeState): void {
  if (tree.time && isOld(ctx, tree.time)) run(ctx, load(ctx, tree, tree.time));
}

export function setAxis(ctx: Ctx, time: TimeState, axis: TimeState['axis']): void {
  time.axis = axis;
  ctx.redraw();
}

// `at`: Unix ms.
export function choose(ctx: Ctx, tree: TreeState, time: TimeState, at: number): void {
  time.chosen = at;
  run(ctx, load(ctx, tree, time));
}

export function setSince(ctx: Ctx, time: TimeState, since: Since): void {
  time.since = since;
  time.changes = null;
  ctx.redraw();
  run(ctx, loadChanges(ctx, time));
}
