// Scores as numbers that curves are drawn of. Always White's side.
import type { Score } from '../data/types';
import { order } from './score';

// White's winning chances in percent, by lichess' formula (https://lichess.org/page/accuracy).
export function winPercent(score: Score): number {
  const cp = Math.max(-1000, Math.min(1000, order(score)));
  return 50 + 50 * (2 / (1 + Math.exp(-0.00368208 * cp)) - 1);
}

// Centipawns for charts: wins stand at the edge.
export function chartValue(score: Score | null, edge = 1000): number | null {
  if (!score) return null;
  return Math.max(-edge, Math.min(edge, order(score)));
}
