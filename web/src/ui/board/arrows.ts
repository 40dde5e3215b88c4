// Arrows for the candidate moves: width by share of the positions below, colour by how far alpha is
// behind the best. Widths and colours come in few steps, since chessground keeps a marker of each.
import type { DrawBrushes, DrawShape } from '@lichess-org/chessground/draw';
import type { Key } from '@lichess-org/chessground/types';
import { lossFor, orderFor } from '../../chess/score';
import type { Side } from '../../chess/score';
import type { NodeMove } from '../../data/types';

// From the accent to a grey, each fainter than the one before: told apart without seeing hues.
const scale = ['#0b7d74', '#2c6f7e', '#4b6480', '#5f5f78', '#6b6a70'];
const opacities = [0.95, 0.78, 0.66, 0.55, 0.45];
const limits = [3, 12, 30, 60]; // centipawns behind the best

export const brushes = (): DrawBrushes => {
  const own: Record<string, { key: string; color: string; opacity: number; lineWidth: number }> = {};
  scale.forEach((color, i) => {
    own[`loss${i}`] = { key: `loss${i}`, color, opacity: opacities[i]!, lineWidth: 10 };
  });
  own['chosen'] = { key: 'chosen', color: '#c77414', opacity: 1, lineWidth: 10 };
  const user = (key: string, color: string) => ({ key, color, opacity: 0.8, lineWidth: 9 });
  return {
    ...own,
    green: user('g', '#15781b'),
    red: user('r', '#882020'),
    blue: user('b', '#003088'),
    yellow: user('y', '#e68f00'),
  };
};

export function lossStep(side: Side, best: NodeMove, move: NodeMove): number {
  if (!best.alpha || !move.alpha) return scale.length - 1;
  const loss = lossFor(side, best.alpha, move.alpha);
  if (loss === null) return orderFor(side, best.alpha) === orderFor(side, move.alpha) ? 0 : scale.length - 1;
  const step = limits.findIndex(limit => loss <= limit);
  return step < 0 ? scale.length - 1 : step;
}

const widths = [4, 6, 8, 11, 14];

// Heads grow with the width: on a short way they would be larger than a square.
function fitting(uci: string, width: number): number {
  const across = Math.abs(uci.charCodeAt(0) - uci.charCodeAt(2));
  const along = Math.abs(uci.charCodeAt(1) - uci.charCodeAt(3));
  return Math.min(width, Math.max(across, along) < 2 ? 7 : 12);
}

export function arrows(moves: readonly NodeMove[], side: Side, chosen: string | null, most = 7): DrawShape[] {
  const scored = moves.filter(m => m.alpha !== null && m.status !== 'excluded');
  const best = scored[0];
  if (!best) return [];
  const shown = scored.slice(0, most);
  const extra = moves.find(m => m.uci === chosen);
  if (extra && !shown.includes(extra)) shown.push(extra);
  const total = shown.reduce((sum, m) => sum + m.positions + 1, 0);
  const shapes = shown.map(move => {
    const share = Math.sqrt((move.positions + 1) / total);
    const width = move === best ? Math.max(8, step(share)) : step(share);
    return {
      orig: move.uci.slice(0, 2) as Key,
      dest: move.uci.slice(2, 4) as Key,
      brush: move.uci === chosen ? 'chosen' : `loss${lossStep(side, best, move)}`,
      modifiers: { lineWidth: fitting(move.uci, move.uci === chosen ? Math.max(9, width) : width) },
    };
  });
  return shapes.reverse(); // the best is drawn last, on top
}

const step = (share: number): number =>
  widths[Math.min(widths.length - 1, Math.floor(share * widths.length * 1.2))]!;
