// Keep analysing here: begun, renewed while one looks, taken along, ended.
import { run, toast, type Ctx } from '../../../ctx';
import { answerOf, type Answer } from '../../../data/latest';
import type { Look, LookWish } from '../../../data/types';
import type { TreeState } from '../treeState';
import { answered, heard, isOver, lineOf, remember } from './lookState';

const renewEvery = 10_000; // ms; the server waits for thirty seconds
const patience = 150; // ms: who walks on quickly stops at no position

// One that goes on until it is stopped is found again; or why it ended.
export async function findLook(ctx: Ctx, tree: TreeState): Promise<void> {
  const answer = await answerOf(ctx.api.looks(tree.id));
  const { look: state } = tree;
  if ('problem' in answer || state.on || ctx.state.tree !== tree) return;
  const kept = answer.value.filter(look => look.until_stopped);
  const found = kept.find(look => !isOver(look)) ?? kept[0];
  if (!found) return;
  Object.assign(state, {
    on: true,
    look: found,
    keep: true,
    lines: found.lines,
    fromQueue: found.from_queue,
  });
  state.renewedAt = ctx.clock.now();
  ctx.redraw();
}

export function toggleLook(ctx: Ctx, tree: TreeState): void {
  if (tree.look.on && !(tree.look.look && isOver(tree.look.look))) stopLook(ctx, tree);
  else beginLook(ctx, tree);
}

export function beginLook(ctx: Ctx, tree: TreeState): void {
  tree.look.on = true;
  if (tree.look.look) stopOnServer(ctx, tree.id, tree.look.look); // that is over
  tree.look.look = null;
  run(ctx, begin(ctx, tree));
  ctx.redraw();
}

export function stopLook(ctx: Ctx, tree: TreeState): void {
  const { look } = tree.look;
  tree.look.on = false;
  tree.look.look = null;
  tree.look.notSoon();
  if (look) stopOnServer(ctx, tree.id, look);
  ctx.redraw();
}

// The page of the analysis is left: what is only to go on while one looks ends.
export function leaveLook(ctx: Ctx, tree: TreeState): void {
  if (tree.look.on && !tree.look.keep) stopLook(ctx, tree);
  else tree.look.notSoon();
}

function stopOnServer(ctx: Ctx, id: number, look: Look): void {
  run(ctx, answerOf(ctx.api.stopLook(id, look.id))); // gone already is as good
}

const wish = (tree: TreeState): LookWish => ({
  lines: tree.look.lines,
  from_queue: tree.look.fromQueue,
  until_stopped: tree.look.keep,
});

// Asks, and takes the answer over unless the person has thought better of it.
async function ask(ctx: Ctx, tree: TreeState, call: Promise<Look>): Promise<Answer<Look>> {
  const { look: state } = tree;
  state.since = new Map();
  state.renewedAt = ctx.clock.now();
  const answer = await answerOf(call);
  if ('problem' in answer) state.since = null;
  else if (state.on && tree.look === state) answered(state, answer.value);
  else stopOnServer(ctx, tree.id, answer.value);
  ctx.redraw();
  return answer;
}

async function begin(ctx: Ctx, tree: TreeState): Promise<void> {
  const { line } = tree;
  const asked = wish(tree);
  const answer = await ask(ctx, tree, ctx.api.look(tree.id, { moves: line, ...asked }));
  if ('problem' in answer) {
    tree.look.on = false;
    toast(ctx, answer.problem.message, { tone: 'bad' });
    ctx.redraw();
    return;
  }
  const wanted = wish(tree); // the person may have chosen something else meanwhile
  if (tree.look.on && tree.look.look && JSON.stringify(wanted) !== JSON.stringify(asked))
    run(ctx, change(ctx, tree, tree.look.look, wanted));
  followLook(ctx, tree); // where one has gone meanwhile
}

async function change(ctx: Ctx, tree: TreeState, look: Look, wanted: LookWish): Promise<void> {
  const answer = await ask(ctx, tree, ctx.api.changeLook(tree.id, look.id, wanted));
  if (!('problem' in answer) || tree.look.look?.id !== look.id) return;
  if (answer.problem.status === 404) {
    tree.look.look = null; // the server was restarted, or nobody had looked for long
    if (tree.look.on) run(ctx, begin(ctx, tree));
  } else if (!answer.problem.unreachable) {
    const line = (wanted.moves as string[] | undefined)?.map(uci => ({ uci, san: uci })) ?? look.line;
    const reason = answer.problem.message;
    tree.look.look = { ...look, state: 'ended', reason, line, found: [], search: null };
  }
  ctx.redraw();
}

// Another position is in view.
export function followLook(ctx: Ctx, tree: TreeState): void {
  const { look: state } = tree;
  state.notSoon();
  if (!state.on || state.keep || !state.look || lineOf(state.look).join() === tree.line.join()) return;
  state.notSoon = ctx.clock.after(patience, () => {
    const { look } = state;
    if (state.on && look) run(ctx, change(ctx, tree, look, { moves: tree.line, ...wish(tree) }));
  });
}

// Other lines, another share, another end.
export function setLook(
  ctx: Ctx,
  tree: TreeState,
  chosen: { lines?: number; fromQueue?: number; keep?: boolean },
): void {
  const { look: state } = tree;
  Object.assign(state, chosen);
  remember(state);
  if (state.on && state.look) run(ctx, change(ctx, tree, state.look, wish(tree)));
  if (chosen.keep === false) followLook(ctx, tree);
  ctx.redraw();
}

// Once a second while the page can be seen.
export function renewLook(ctx: Ctx, tree: TreeState): void {
  const { on, look, renewedAt, since } = tree.look;
  if (!on || !look || isOver(look) || since || ctx.clock.now() - renewedAt < renewEvery) return;
  run(ctx, change(ctx, tree, look, {}));
}

export function hearLook(ctx: Ctx, tree: TreeState, data: Partial<Look> & { id: number }): void {
  if (heard(tree.look, data)) ctx.redraw();
}
