// History → columns for charts. Pure.
import { sans } from '../../../chess/chess';
import { chartValue, orderFor, type Side } from '../../../chess/score';
import type { Snapshot } from '../../../data/types';

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
  const kept = thin(snapshots, axis);
  const last = kept.at(-1);
  const ranked = [...(last?.moves ?? [])].sort((a, b) => value(side, b.alpha) - value(side, a.alpha));
  const shown = ranked.slice(0, most);
  return {
    x: kept.map(s => (axis === 'engine' ? s.engine_seconds : s.refine)),
    names: sans(shown),
    values: shown.map(m => kept.map(s => inPawns(s.moves.find(x => x.uci === m.uci)?.alpha ?? null))),
    root: kept.map(s => inPawns(s.alpha)),
    evaluations: kept.map(s => s.evaluations),
  };
}

// A depth can be settled again (after a restart, with other settings): the newest counts. Along the
// engine time, of moments without engine work in between only the last is drawn.
function thin(snapshots: readonly Snapshot[], axis: 'engine' | 'depth'): Snapshot[] {
  const byX = new Map<number, Snapshot>();
  for (const s of [...snapshots].sort((a, b) => a.at - b.at))
    byX.set(axis === 'engine' ? s.engine_seconds : s.refine, s);
  return [...byX.entries()].sort((a, b) => a[0] - b[0]).map(([, s]) => s);
}

const value = (side: Side, score: Snapshot['alpha']): number => (score ? orderFor(side, score) : -Infinity);

function inPawns(score: Snapshot['alpha']): number | null {
  const cp = chartValue(score);
  return cp === null ? null : cp / 100;
}
