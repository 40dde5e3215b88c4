// The picture on a canvas. Only what is in sight and higher than half a pixel is drawn.
import { text } from '../../../chess/score';
import { tint, type Cell, type View } from './layout';
import { colour, type Palette } from './palette';

export interface Scene {
  cells: readonly Cell[];
  view: View;
  columns: number;
  width: number; // CSS px
  height: number;
  palette: Palette;
  hover: Cell | null;
  focus: Cell | null;
  news: ReadonlySet<Cell>; // changed since the last visit
  carriers: ReadonlySet<Cell>; // what the answer rests on
}

export const columnWidth = (scene: Pick<Scene, 'width' | 'columns'>): number =>
  scene.width / Math.max(1, scene.columns);

export function paint(context: CanvasRenderingContext2D, scene: Scene): void {
  const { palette, view, height } = scene;
  const column = columnWidth(scene);
  const y = (unit: number): number => (unit - view.y) * view.k * height;
  context.clearRect(0, 0, scene.width, height);
  context.textBaseline = 'middle';
  const bottom = view.y + 1 / view.k;
  for (const cell of scene.cells) {
    if (cell.y1 < view.y || cell.y0 > bottom) continue;
    const top = y(cell.y0);
    const rows = y(cell.y1) - top;
    if (rows < 0.5) continue;
    const left = cell.depth * column;
    const gap = rows > 4 ? 1 : 0;
    context.fillStyle = colour(palette, tint(cell.alpha));
    context.globalAlpha = cell.repeat ? 0.45 : 1;
    context.fillRect(left + 1, top + gap / 2, column - 2, rows - gap);
    context.globalAlpha = 1;
    if (rows >= 5 && scene.news.has(cell))
      dot(context, palette.text, left + column - 7, top + Math.min(7, rows / 2));
    if (rows >= 11 && column >= 26) write(context, scene, cell, left, top, rows, column);
  }
  edges(context, scene, c => c.best, palette.bestEdge, 3);
  edges(context, scene, c => scene.carriers.has(c), palette.carrierEdge, 2);
  edges(context, scene, c => c === scene.hover, palette.focusEdge, 1.5);
  edges(context, scene, c => c === scene.focus, palette.focusEdge, 2.5);
}

function dot(context: CanvasRenderingContext2D, colour: string, x: number, y: number): void {
  context.beginPath();
  context.arc(x, y, 2.5, 0, 2 * Math.PI);
  context.fillStyle = colour;
  context.fill();
}

function write(
  context: CanvasRenderingContext2D,
  scene: Scene,
  cell: Cell,
  left: number,
  top: number,
  rows: number,
  column: number,
): void {
  const { palette, height } = scene;
  const visibleTop = Math.max(0, top);
  const middle = (visibleTop + Math.min(height, top + rows)) / 2;
  const size = rows >= 15 ? 12 : 10;
  const score = text(cell.alpha);
  const name = cell.depth ? cell.san : 'root';
  context.fillStyle = palette.text;
  context.font = `600 ${size}px ${family}`;
  context.textAlign = 'left';
  const wide = context.measureText(name).width;
  if (wide > column - 8) return;
  if (rows >= 30) {
    context.fillText(name, left + 6, middle - size * 0.62);
    context.font = `${size - 1}px ${family}`;
    context.fillText(score, left + 6, middle + size * 0.68);
  } else {
    context.fillText(name, left + 6, middle);
    context.font = `${size - 1}px ${family}`;
    const marked = scene.news.has(cell) ? 10 : 0;
    if (wide + context.measureText(score).width < column - 18 - marked) {
      context.textAlign = 'right';
      context.fillText(score, left + column - 6 - marked, middle);
    }
  }
}

const family = '"IBM Plex Sans", system-ui, sans-serif';

function edges(
  context: CanvasRenderingContext2D,
  scene: Scene,
  which: (cell: Cell) => boolean,
  stroke: string,
  width: number,
): void {
  const { view, height } = scene;
  const column = columnWidth(scene);
  context.strokeStyle = stroke;
  context.lineWidth = width;
  for (const cell of scene.cells) {
    if (!which(cell)) continue;
    const top = Math.max(-width, (cell.y0 - view.y) * view.k * height);
    const bottom = Math.min(height + width, (cell.y1 - view.y) * view.k * height);
    if (bottom <= 0 || top >= height) continue;
    const inset = width / 2 + 0.5;
    context.strokeRect(
      cell.depth * column + inset,
      top + inset,
      column - 2 * inset,
      Math.max(1, bottom - top - 2 * inset),
    );
  }
}
