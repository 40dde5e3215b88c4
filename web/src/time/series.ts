// History → columns for charts. Pure.
import { chartValue, orderFor } from '../score';
import type { Side } from '../score';
import type { Snapshot } from '../types';

export interface Series {
  x: number[];
  names: string[]; // SAN of each root move drawn; the first is the best now
  values: (number | null)[][]; // pawns, one column per name
  root: (number | null)[];
  evaluations: number[];
}

export function series(
  snapshots: readonly Snapshot[],
  side: Side,
  axis: 'engine' | 'depth',
  most = 5,
): Series {
  const last = snapshots.at(-1);
  const ranked = [...(last?.moves ?? [])].sort((a, b) => value(side, b.alpha) - value(side, a.alpha));
  const shown = ranked.slice(0, most);
  return {
    x: snapshots.map(s => (axis === 'engine' ? s.engine_seconds : s.refine)),
    names: shown.map(m => m.san),
    values: shown.map(m => snapshots.map(s => inPawns(s.moves.find(x => x.uci === m.uci)?.alpha ?? null))),
    root: snapshots.map(s => inPawns(s.alpha)),
    evaluations: snapshots.map(s => s.evaluations),
  };
}

const value = (side: Side, score: Snapshot['alpha']): number => (score ? orderFor(side, score) : -Infinity);

function inPawns(score: Snapshot['alpha']): number | null {
  const cp = chartValue(score);
  return cp === null ? null : cp / 100;
}
