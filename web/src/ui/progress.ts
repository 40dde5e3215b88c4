// How far an analysis has come, its share of the depth or of the budget, whichever ends first; and what ends it.
import type { Store } from '../data/store';
import type { Analysis, AnalysisState } from '../data/types';
import { soonText } from './day';
import { count, span, timeLeft } from './format';
import { h, type VNode } from './dom';

// The state of an analysis as word and sign, so that it does not hang on colour.
export const stateWords: Record<AnalysisState, string> = {
  queued: 'Queued',
  running: 'Running',
  paused: 'Paused',
  settled: 'Settled',
  exhausted: 'Budget used',
  failed: 'Failed',
};

// Why it is in this state, where the badge does not say it all.
export const why = (a: { state: AnalysisState; reason: string | null }): string =>
  a.reason && a.state !== 'exhausted' ? `${a.reason[0]!.toUpperCase()}${a.reason.slice(1)}` : '';

export const stateBadge = (state: AnalysisState, reason: string | null): VNode =>
  h('span.badge', { attrs: { 'data-state': state, ...(reason && { title: reason }) } }, [
    h('i.sign'),
    stateWords[state],
  ]);

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

export interface Ending {
  limit: 'until' | 'level' | 'positions' | 'nodes' | 'engine_seconds';
  text: string; // a time still to go for `level` and `engine_seconds`
}

// What will most likely end a running analysis first; null if nothing does or nobody knows yet. `now`: Unix ms.
// `processes`: of its engine, as many as it may count on.
export function ending(a: Analysis, now: number, processes: number): Ending | null {
  const { until, positions, nodes, engine_seconds } = a.budget;
  const left = engine_seconds ? Math.max(0, engine_seconds - a.engine_seconds) : 0;
  // Seconds of all its processes, as fast as it was so far.
  const work = (most: number, used: number): number =>
    used > 0 && a.engine_seconds > 0 ? (Math.max(0, most - used) * a.engine_seconds) / used : Infinity;
  const ends: [seconds: number, Ending][] = [];
  if (until) ends.push([(until - now) / 1000, { limit: 'until', text: `until ${soonText(until, now)}` }]);
  if (a.eta_range && saysSomething(a.eta_range))
    ends.push([a.eta_range[1]!, { limit: 'level', text: timeLeft(a.eta_range) }]);
  if (engine_seconds)
    ends.push([left / processes, { limit: 'engine_seconds', text: span(left / processes) }]);
  if (positions)
    ends.push([
      work(positions, a.positions) / processes,
      { limit: 'positions', text: `up to ${count(positions)} positions` },
    ]);
  if (nodes)
    ends.push([work(nodes, a.nodes) / processes, { limit: 'nodes', text: `up to ${count(nodes)} nodes` }]);
  const [first] = ends.sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
  return first?.[1] ?? null;
}

// The processes that an analysis may count on: those of its engine, shared by all that run with it.
export function processesFor(a: Analysis, store: Store): number {
  const sharing = store.analyses
    .all()
    .filter(o => o.engine === a.engine && o.state === 'running' && o.priority === a.priority).length;
  return Math.max(1, store.engines.get(a.engine)?.processes.length ?? 1) / Math.max(1, sharing);
}
