// How far an analysis has come, its share of the depth or of the budget, whichever ends first; and what ends it.
import type { Analysis } from '../data/types';
import { soonText } from './day';
import { count, span, timeLeft } from './format';

// 0 to 1; null if nothing ends it.
export function share(a: Analysis): number | null {
  const shares: number[] = [];
  if (a.strategy.refine > 0) shares.push(a.state === 'settled' ? 1 : a.settled / a.strategy.refine);
  if (a.budget.positions) shares.push(a.positions / a.budget.positions);
  if (a.budget.nodes) shares.push(a.nodes / a.budget.nodes);
  if (a.budget.engine_seconds) shares.push(a.engine_seconds / a.budget.engine_seconds);
  return shares.length ? Math.min(1, Math.max(...shares)) : null;
}

export function depthText(a: Analysis): string {
  const goal = a.strategy.refine > 0 ? ` of ${a.strategy.refine}` : '';
  return `${a.settled}${goal}`;
}

// "7 s to 33 h" tells nobody when to come back.
const widest = 50;
const saysSomething = (range: readonly number[]): boolean => range[1]! <= widest * Math.max(1, range[0]!);

// When a running analysis ends: the time left, else until when, else what it may use. null if nothing ends it or
// nobody knows yet. `now`: Unix ms. `left` stands behind a time.
export function ending(a: Analysis, now: number, left = ''): string | null {
  const { until, positions, nodes, engine_seconds } = a.budget;
  if (until && !(a.eta_range && now + a.eta_range[1]! * 1000 < until)) return `until ${soonText(until, now)}`;
  if (a.eta_range && saysSomething(a.eta_range)) return timeLeft(a.eta_range) + left;
  if (positions) return `up to ${count(positions)} positions`;
  if (nodes) return `up to ${count(nodes)} nodes`;
  if (engine_seconds) return `up to ${span(engine_seconds)}`;
  return null;
}
