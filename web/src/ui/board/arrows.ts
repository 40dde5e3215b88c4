// Arrows for the best moves: the best one wide and strong, those after it thinner and fainter. An arrow begins beside
// the piece that moves and ends before a piece that is taken, so that both are seen. What people draw lies above.
import type { DrawShape } from '@lichess-org/chessground/draw';
import type { Key } from '@lichess-org/chessground/types';
import type { Side } from '../../chess/score';
import type { NodeMove, Step } from '../../data/types';

const most = 3;
const widths = [16, 10, 6] as const; // hundredths of a square

// `moves`: the best first. `chosen` has an arrow of its own, also beyond the first three.
export function arrows(moves: readonly NodeMove[], orientation: Side, chosen: string | null): DrawShape[] {
  const scored = moves.filter(m => m.alpha !== null && m.status !== 'excluded').slice(0, most);
  const shapes = scored.map((move, rank) =>
    move.uci === chosen
      ? arrow(move, orientation, widths[0], 'chosen')
      : arrow(move, orientation, widths[rank]!, `rank${rank}`),
  );
  const extra = moves.find(m => m.uci === chosen && !scored.includes(m));
  if (extra) shapes.push(arrow(extra, orientation, widths[0], 'chosen'));
  return shapes.reverse(); // the best is drawn last, on top
}

// `kind`: its class in board.css.
export function arrow({ uci, san }: Step, orientation: Side, width: number, kind: string): DrawShape {
  const [orig, dest] = [uci.slice(0, 2) as Key, uci.slice(2, 4) as Key];
  const turned = orientation === 'white' ? 1 : -1;
  const across = turned * (dest.charCodeAt(0) - orig.charCodeAt(0));
  const down = turned * (orig.charCodeAt(1) - dest.charCodeAt(1));
  const length = 100 * Math.hypot(across, down);
  const from = length < 150 ? 22 : 34;
  const tip = length - (san.includes('x') ? 40 : 14);
  const neck = tip - Math.min(2 * width + 6, 0.6 * (tip - from));
  const [half, head] = [width / 2, 1.2 * width + 3];
  const outline = [
    [from, -half],
    [neck, -half],
    [neck, -head],
    [tip, 0],
    [neck, head],
    [neck, half],
    [from, half],
  ];
  const points = outline.map(([x, y]) => `${x!.toFixed(0)},${y!.toFixed(0)}`).join(' ');
  const turn = (Math.atan2(down, across) * 180) / Math.PI;
  return {
    orig,
    dest,
    customSvg: {
      html: `<polygon class="${kind}" transform="translate(50 50) rotate(${turn.toFixed(1)})" points="${points}"/>`,
    },
  };
}
