// Asks what the answer rests on, with each change of the position, and gives work to verify that.
import { attempt, run, type Ctx } from '../../../ctx';
import type { Verdict } from '../../../data/types';
import { here, isAsking, stoodBefore, type TreeState } from '../treeState';
import { verifySearches } from '../../../setup/speed';
import { canVerify, initialVerdict, isAnswering } from './verdictState';

const every = 2000; // ms between two questions about one position, at least
const patience = 200; // ms: who walks on quickly asks about no position

const offline = ({ state }: Ctx): boolean =>
  state.link.status === 'offline' || state.link.status === 'locked';

// What may be shown at the present position.
export function toldHere(tree: TreeState): Verdict | null {
  const { verdict } = tree;
  if (!verdict?.told?.stands || verdict.line !== tree.line.join()) return null;
  return isAsking(tree) || stoodBefore(tree) ? null : verdict.told;
}

export async function follow(ctx: Ctx, tree: TreeState): Promise<void> {
  const state = (tree.verdict ??= initialVerdict());
  const node = here(tree);
  const key = tree.line.join();
  if (!node || ctx.state.tree !== tree) return;
  const now = ctx.clock.now();
  if (state.line !== key) {
    state.asking.stop();
    Object.assign(state, { line: key, version: -1, told: null, due: state.due && now + patience });
  }
  state.notSoon();
  if (node.version === state.version || state.asking.busy || offline(ctx)) return;
  if (now >= state.due) return ask(ctx, tree, node.version);
  state.notSoon = ctx.clock.after(state.due - now, () => run(ctx, follow(ctx, tree)));
}

async function ask(ctx: Ctx, tree: TreeState, version: number): Promise<void> {
  const state = tree.verdict!;
  const { line } = tree;
  state.due = ctx.clock.now() + every;
  state.version = version;
  state.atWork = Boolean(tree.analysis?.in_flight);
  const answer = await state.asking.ask(signal => ctx.api.verdict(tree.id, line, signal));
  if (!answer) return;
  if ('problem' in answer) {
    state.version = -1; // what was told stays; it is asked again with the next answer about the position
    return;
  }
  state.told = answer.value;
  ctx.redraw();
  await follow(ctx, tree); // it may have changed meanwhile
}

// Once a second while the server answers: how much of the work is left, and what the second engine says.
export async function tick(ctx: Ctx, tree: TreeState): Promise<void> {
  const state = tree.verdict;
  const told = toldHere(tree);
  if (!state || !told || state.asking.busy || state.giving) return;
  if (!told.verifying && !(state.atWork && isAnswering(told))) return;
  if (ctx.clock.now() >= state.due) await ask(ctx, tree, here(tree)?.version ?? -1);
}

export function point(ctx: Ctx, tree: TreeState, pointed: boolean): void {
  if (!tree.verdict || tree.verdict.pointed === pointed) return;
  tree.verdict.pointed = pointed;
  if (tree.verdict.told) ctx.redraw();
}

export async function verify(ctx: Ctx, tree: TreeState): Promise<void> {
  const state = tree.verdict;
  const told = toldHere(tree);
  if (!state || !told || !canVerify(told) || told.verifying || state.giving) return;
  if (ctx.state.shared || offline(ctx)) return;
  state.giving = true;
  ctx.redraw();
  await attempt(ctx, async () => {
    try {
      const verifying = await ctx.api.verify(tree.id, tree.line, verifySearches);
      if (state.told) state.told = { ...state.told, verifying };
      state.due = ctx.clock.now() + every;
    } finally {
      state.giving = false;
    }
  });
}
