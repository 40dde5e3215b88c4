// How long it will take, by what was measured: the speed of the engines, and what other analyses cost. Pure.
import { isBuiltIn } from '../data/builtIn';
import type { Analysis, Engine } from '../data/types';
import type { Setup } from './setupState';

type Search = Pick<Setup, 'strategy' | 'limitKind' | 'limitValue'>;

export const verifySearches = 8; // that one press of Verify gives
const enough = 50; // searches or positions that an average is made of

// How long a search of `anchored` is on average, in limits: some are much longer. Measured: 2 to 8.
const anchoredLength = 4;
const isAnchored = (kind: string): boolean => kind === 'anchored';

// The depth that Stockfish reaches in a second takes the built-in engine minutes, so it never goes by depth.
const builtInSpeed = 1_000_000; // half of what is measured in docs/measurements/benchmarks.md

// Nodes a second of one process, measured in its latest search; null where none has searched yet, and what it should be
// is not known.
export function speedOf(engine: Engine | null): number | null {
  const known = (engine?.processes ?? []).map(p => p.nps).filter(nps => nps > 0);
  if (known.length) return known.reduce((sum, nps) => sum + nps, 0) / known.length;
  return engine && isBuiltIn(engine) ? builtInSpeed : null;
}

// 1, 2 or 5 with zeros: a number that will be the same tomorrow, so that results are used again.
export function roundNumber(n: number): number {
  const unit = 10 ** Math.floor(Math.log10(Math.max(1, n)));
  const [first = 10] = [1, 2, 5, 10].filter(step => n / unit <= step * 1.4);
  return first * unit;
}

// Seconds of one search on average; null where nothing was measured.
export function searchSeconds(
  setup: Search,
  engine: Engine | null,
  analyses: readonly Analysis[],
): number | null {
  const value = Number(setup.limitValue);
  if (!engine || !(value > 0)) return null;
  const length = isAnchored(setup.strategy) ? anchoredLength : 1;
  if (setup.limitKind === 'movetime_ms') return (length * value) / 1000;
  const like = analyses.filter(
    a =>
      a.engine === engine.name &&
      a.limit[setup.limitKind] === value &&
      isAnchored(a.strategy.kind) === isAnchored(setup.strategy) &&
      a.evaluations.new >= enough,
  );
  const searches = like.reduce((sum, a) => sum + a.evaluations.new, 0);
  if (searches) return like.reduce((sum, a) => sum + a.engine_seconds, 0) / searches;
  const speed = speedOf(engine);
  return setup.limitKind === 'nodes' && speed ? (length * value) / speed : null;
}

// Searches that a position took, in the analyses that are known; else what is usual.
export function searchesEach(analyses: readonly Analysis[]): [number, number] {
  const own = analyses.filter(
    a => a.positions >= enough && a.evaluations.new + a.evaluations.reused >= enough,
  );
  const positions = own.reduce((sum, a) => sum + a.positions, 0);
  if (!positions) return [1.5, 4];
  const searches = own.reduce((sum, a) => sum + a.evaluations.new + a.evaluations.reused, 0);
  return [(searches / positions) * 0.8, (searches / positions) * 1.25];
}

// Least and most seconds for so many positions, if the engine has nothing else to do.
export function timeFor(
  [least, most]: readonly [number, number],
  setup: Setup,
  engine: Engine | null,
  analyses: readonly Analysis[],
): [number, number] | null {
  const seconds = searchSeconds(setup, engine, analyses);
  if (seconds === null || !engine) return null;
  const [few, many] = searchesEach(analyses);
  const processes = Math.max(1, engine.processes.length);
  return [(least * few * seconds) / processes, (most * many * seconds) / processes];
}

// Least and most searches in so many seconds, of an engine that other analyses want, too.
export function searchesIn(
  seconds: number,
  setup: Setup,
  engine: Engine | null,
  analyses: readonly Analysis[],
): [number, number] | null {
  const each = searchSeconds(setup, engine, analyses);
  if (each === null || !engine || !(each > 0)) return null;
  const all = (seconds / each) * Math.max(1, engine.processes.length);
  return [all / 2, all * 1.2];
}
