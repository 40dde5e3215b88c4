// An icicle of the tree: a column for each ply, a cell for each move, as high as its share of the
// positions. Pure geometry in unit space: x counts columns, y runs from 0 to 1.
import { order } from '../../../chess/score';
import type { Branch, Score } from '../../../data/types';

export interface Cell {
  line: string[]; // UCI from the picture's root
  san: string;
  alpha: Score | null;
  positions: number;
  depth: number; // column; 0 = the root
  y0: number;
  y1: number;
  best: boolean; // on the best line
  repeat: boolean; // drawn elsewhere already
  parent: Cell | null;
  children: Cell[];
}

const bestShare = 0.4; // the best line is at least this high, compared with all that is beside it

// Grows more slowly than the number of positions, so that small branches can still be hit.
const weight = (branch: Branch): number => 1 + Math.sqrt(Math.max(0, branch.positions));

export function layout(root: Branch): Cell[] {
  const cells: Cell[] = [];
  const make = (branch: Branch, parent: Cell | null, y0: number, y1: number, best: boolean): void => {
    const cell: Cell = {
      line: parent && branch.uci ? [...parent.line, branch.uci] : [],
      san: branch.san ?? '',
      alpha: branch.alpha,
      positions: branch.positions,
      depth: parent ? parent.depth + 1 : 0,
      y0,
      y1,
      best,
      repeat: branch.repeat,
      parent,
      children: [],
    };
    cells.push(cell);
    parent?.children.push(cell);
    const weights = branch.children.map(weight);
    if (best && weights[0] !== undefined) {
      const others = weights.slice(1).reduce((sum, w) => sum + w, 0);
      weights[0] = Math.max(weights[0], others * bestShare);
    }
    const total = weights.reduce((sum, w) => sum + w, 0);
    let y = y0;
    branch.children.forEach((child, i) => {
      const next = y + ((y1 - y0) * weights[i]!) / total;
      make(child, cell, y, next, best && i === 0);
      y = next;
    });
  };
  make(root, null, 0, 1, true);
  return cells;
}

export interface View {
  k: number; // vertical zoom, ≥ 1
  y: number; // unit coordinate at the top
}

export const wholeView = (): View => ({ k: 1, y: 0 });

// Zooms by `factor` about a unit coordinate that stays where it is.
export function zoom(view: View, factor: number, about: number, most = 4000): View {
  const k = Math.min(most, Math.max(1, view.k * factor));
  return clampView({ k, y: about - ((about - view.y) * view.k) / k });
}

export const pan = (view: View, by: number): View => clampView({ k: view.k, y: view.y + by });

function clampView(view: View): View {
  return { k: view.k, y: Math.max(0, Math.min(1 - 1 / view.k, view.y)) };
}

// Zooms so that a cell fills most of the height.
export function viewOf(cell: Cell): View {
  const k = Math.max(1, 0.9 / (cell.y1 - cell.y0));
  const middle = (cell.y0 + cell.y1) / 2;
  return clampView({ k, y: middle - 0.5 / k });
}

export function hit(cells: readonly Cell[], column: number, y: number): Cell | null {
  return cells.find(c => c.depth === column && y >= c.y0 && y < c.y1) ?? null;
}

export const cellAt = (cells: readonly Cell[], line: readonly string[]): Cell | null =>
  cells.find(c => c.line.length === line.length && c.line.every((m, i) => m === line[i])) ?? null;

// Arrow keys: to the first child, the parent, the next cell above or below in the column.
export function neighbour(cells: readonly Cell[], cell: Cell, key: string): Cell | null {
  if (key === 'ArrowRight') return cell.children[0] ?? null;
  if (key === 'ArrowLeft') return cell.parent;
  const column = cells.filter(c => c.depth === cell.depth).sort((a, b) => a.y0 - b.y0);
  const at = column.indexOf(cell);
  if (key === 'ArrowDown') return column[at + 1] ?? null;
  if (key === 'ArrowUp') return column[at - 1] ?? null;
  return null;
}

// Where a score stands on the colour scale: −1 (Black wins) to 1 (White wins), steep around 0.
export function tint(score: Score | null): number | null {
  if (!score) return null;
  return Math.tanh(order(score) / 90);
}
