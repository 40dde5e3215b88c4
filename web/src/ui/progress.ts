// How far an analysis has come: its share of the depth or of the budget, whichever ends first.
import type { Analysis } from '../data/types';

// 0 to 1; null if nothing ends it.
export function share(a: Analysis): number | null {
  const shares: number[] = [];
  if (a.strategy.refine > 0) shares.push(settledDepth(a) / a.strategy.refine);
  if (a.budget.positions) shares.push(a.positions / a.budget.positions);
  if (a.budget.nodes) shares.push(a.nodes / a.budget.nodes);
  if (a.budget.engine_seconds) shares.push(a.engine_seconds / a.budget.engine_seconds);
  return shares.length ? Math.min(1, Math.max(...shares)) : null;
}

// After a restart the server goes through the settled depths again; what is settled stays so meanwhile.
const settledDepth = (a: Analysis): number =>
  a.state === 'settled' && a.strategy.refine > 0 ? a.strategy.refine : a.settled;

export function depthText(a: Analysis): string {
  const goal = a.strategy.refine > 0 ? ` of ${a.strategy.refine}` : '';
  return `${settledDepth(a)}${goal}`;
}
