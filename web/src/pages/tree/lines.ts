// What is stored of the moves of the table: one call for all of them. The engine's line stands behind or below each,
// but on phones, and in the head, too, where the answer is not the move of the tree's own line; what a second engine
// says, in a column of its own (beside/).
import { run, type Ctx } from '../../ctx';
import { answerOf } from '../../data/latest';
import { secondOf } from './beside/chosen';
import { bestMove, here, outOfDate, type TreeState } from './treeState';

const longest = 8; // plies shown
const old = 10_000; // ms after which a growing position is asked for again

// Beyond the breakpoint --stacked in styles/breakpoints.css.
const wide = (): boolean =>
  typeof window !== 'undefined' && window.matchMedia('(min-width: 768px), (min-aspect-ratio: 1/1)').matches;

export function wantLines(ctx: Ctx, tree: TreeState): void {
  const key = tree.line.join();
  const { lines } = tree;
  const own = here(tree)?.pv.alpha[0]?.uci === bestMove(tree)?.uci;
  const shown = tree.tab === 'moves' && (wide() || secondOf(tree.id) !== '');
  if (own && !shown) return;
  if (lines?.line === key && !outOfDate(tree, lines.at, ctx.clock.now(), old)) return;
  tree.lines = {
    line: key,
    at: ctx.clock.now(),
    ...(lines?.line === key
      ? { sans: lines.sans, evaluations: lines.evaluations }
      : { sans: new Map(), evaluations: null }),
  };
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
  tree.lines.evaluations = answer.value.evaluations;
  tree.lines.sans = new Map([...best].map(([san, pv]) => [san, pv.slice(1, 1 + longest)]));
  ctx.redraw();
}
