// The engine's line behind or below each move of the table, but on phones: one call for all of them. It stands in the
// head, too, where the answer is not the move of the tree's own line.
import { run } from '../../ctx';
import type { Ctx } from '../../ctx';
import { answerOf } from '../../data/latest';
import { bestMove, here } from './treeState';
import type { TreeState } from './treeState';

const longest = 8; // plies shown
const old = 10_000; // ms after which a growing position is asked for again

// Beyond the breakpoint --stacked in styles/breakpoints.css.
const wide = (): boolean =>
  typeof window !== 'undefined' && window.matchMedia('(min-width: 768px), (min-aspect-ratio: 1/1)').matches;

export function wantLines(ctx: Ctx, tree: TreeState): void {
  const key = tree.line.join();
  const { lines } = tree;
  const own = here(tree)?.pv.alpha[0]?.uci === bestMove(tree)?.uci;
  if (own && (tree.tab !== 'moves' || !wide())) return;
  if (lines?.line === key && ctx.clock.now() - lines.at < old) return;
  tree.lines = { line: key, at: ctx.clock.now(), sans: lines?.line === key ? lines.sans : new Map() };
  run(ctx, load(ctx, tree, tree.line));
}

async function load(ctx: Ctx, tree: TreeState, line: string[]): Promise<void> {
  const answer = await answerOf(ctx.api.evaluations(tree.id, line));
  if ('problem' in answer || tree.lines?.line !== line.join()) return;
  const best = new Map<string, string[]>();
  for (const { pv } of answer.value.evaluations) {
    const san = pv[0];
    if (san !== undefined && (best.get(san)?.length ?? -1) < pv.length) best.set(san, pv);
  }
  tree.lines.sans = new Map([...best].map(([san, pv]) => [san, pv.slice(1, 1 + longest)]));
  ctx.redraw();
}
