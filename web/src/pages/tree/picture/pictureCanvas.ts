// The picture of the tree: what the pointer and the keys do on it. What is drawn lives beside the canvas, not in
// the state: it changes sixty times a second.
import { run, type Ctx } from '../../../ctx';
import { setPreview } from '../../../ui/board/preview';
import { exportName, saveImage } from '../../../ui/image';
import { hasMoved } from '../../../ui/dom';
import { lineText, sans } from '../../../chess/chess';
import { markOf } from '../news';
import * as treeCtrl from '../treeCtrl';
import { rootPly, type TreeState } from '../treeState';
import { verdict } from '../verdict/verdict';
import { cellAt, hit, layout, neighbour, pan, viewOf, wholeView, zoom, tint } from './layout';
import type { Cell, View } from './layout';
import { darkPalette, isDark, lightPalette, colour, type Palette } from './palette';
import { pictureKey, type Canvas } from './pictureState';
import { text } from '../../../chess/score';

// The picture on a canvas. Only what is in sight and higher than half a pixel is drawn.
interface Scene {
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

const columnWidth = (scene: Pick<Scene, 'width' | 'columns'>): number =>
  scene.width / Math.max(1, scene.columns);

function paint(context: CanvasRenderingContext2D, scene: Scene): void {
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

// The picture as an SVG file: the whole tree, with all cells that are high enough to see.
export function pictureSvg(cells: readonly Cell[], columns: number, title: string): string {
  const column = 110;
  const height = 900;
  const width = columns * column;
  const parts: string[] = [];
  for (const cell of cells) {
    const top = cell.y0 * height;
    const rows = (cell.y1 - cell.y0) * height;
    if (rows < 0.5) continue;
    const left = cell.depth * column;
    parts.push(
      `<rect x="${left + 1}" y="${top.toFixed(1)}" width="${column - 2}" height="${Math.max(0.5, rows - 1).toFixed(1)}" fill="${colour(lightPalette, tint(cell.alpha))}"${cell.repeat ? ' opacity="0.45"' : ''}${cell.best ? ` stroke="${lightPalette.bestEdge}" stroke-width="2.5"` : ''}/>`,
    );
    if (rows >= 11)
      parts.push(
        `<text x="${left + 7}" y="${(top + rows / 2 + 4).toFixed(1)}"><tspan font-weight="600">${escape(cell.depth ? cell.san : 'root')}</tspan> ${text(cell.alpha)}</text>`,
      );
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height + 30}" width="${width}" height="${height + 30}" font-family="sans-serif" font-size="11" fill="#1d1b17"><rect width="100%" height="100%" fill="#fffdf9"/><text x="6" y="19" font-size="14" font-weight="600">${escape(title)}</text><g transform="translate(0 30)">${parts.join('')}</g></svg>`;
}

const escape = (value: string): string =>
  value.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

export class PictureCanvas implements Canvas {
  private cells: Cell[] = [];
  private news = new Set<Cell>();
  private carriers = new Set<Cell>();
  private source: unknown = null;
  private view: View = wholeView();
  private target: View | null = null; // a zoom under way
  private hover: Cell | null = null;
  private focus: Cell | null = null;
  private frame = 0;
  private readonly observer: ResizeObserver;
  private readonly pointers = new Map<number, { x: number; y: number }>();
  private moved = 0;

  constructor(
    readonly element: HTMLCanvasElement,
    private ctx: Ctx,
    private tree: TreeState,
  ) {
    this.observer = new ResizeObserver(() => this.schedule());
    this.observer.observe(element);
    element.addEventListener('wheel', e => this.onWheel(e), { passive: false });
    element.addEventListener('pointerdown', e => this.onDown(e));
    element.addEventListener('pointermove', e => this.onMove(e));
    element.addEventListener('pointerup', e => this.onUp(e));
    element.addEventListener('pointercancel', e => this.pointers.delete(e.pointerId));
    element.addEventListener('pointerleave', () => this.setHover(null));
    element.addEventListener('keydown', e => this.onKey(e));
    run(
      this.ctx,
      document.fonts.ready.then(() => this.schedule()),
    );
  }

  destroy(): void {
    this.observer.disconnect();
    cancelAnimationFrame(this.frame);
  }

  update(ctx: Ctx, tree: TreeState): void {
    this.ctx = ctx;
    this.tree = tree;
    const { picture } = tree;
    // Until the picture of this position comes, there is none: neither to see nor to point at.
    const own = picture.key === pictureKey(tree.id, tree.line) ? picture.tree : null;
    if (own !== this.source) {
      this.source = own;
      this.cells = own ? layout(own.root) : [];
      this.element.dataset['cells'] = String(this.cells.length);
      this.focus = cellAt(this.cells, picture.focus);
      this.hover = picture.hover && cellAt(this.cells, picture.hover);
    }
    const marked = (c: Cell): boolean => c.depth > 0 && markOf(tree, [...tree.line, ...c.line]) !== null;
    this.news = new Set(tree.news ? this.cells.filter(marked) : []);
    this.element.dataset['marked'] = String(this.news.size);
    const carried = verdict.here?.carriedLines(tree) ?? new Set<string>();
    this.carriers = new Set(this.cells.filter(c => c.depth > 0 && carried.has(c.line.join())));
    this.element.dataset['carriers'] = String(this.carriers.size);
    this.schedule();
  }

  get columns(): number {
    return this.cells.reduce((most, c) => Math.max(most, c.depth + 1), 1);
  }

  zoomBy(factor: number): void {
    this.view = zoom(this.view, factor, this.view.y + 0.5 / this.view.k);
    this.schedule();
  }

  fit(): void {
    this.view = wholeView();
    this.schedule();
  }

  async save(kind: 'svg' | 'png'): Promise<void> {
    const a = this.tree.analysis;
    const line = sans(this.tree.node?.line ?? []);
    const title = a ? `${a.name} ${line.length ? lineText(rootPly(a), line) : ''}` : '';
    const svg = pictureSvg(this.cells, this.columns, title);
    await saveImage(this.ctx, svg, kind, exportName(a?.name ?? '', `tree.${kind}`), 2000);
  }

  private schedule(): void {
    if (!this.frame) this.frame = requestAnimationFrame(() => this.draw());
  }

  private draw(): void {
    this.frame = 0;
    const { clientWidth: width, clientHeight: height } = this.element;
    if (!width || !height) return;
    const ratio = window.devicePixelRatio || 1;
    if (
      this.element.width !== Math.round(width * ratio) ||
      this.element.height !== Math.round(height * ratio)
    ) {
      this.element.width = Math.round(width * ratio);
      this.element.height = Math.round(height * ratio);
    }
    if (this.target) this.approach();
    const context = this.element.getContext('2d');
    if (!context) return;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    paint(context, {
      cells: this.cells,
      view: this.view,
      columns: this.columns,
      width,
      height,
      palette: isDark() ? darkPalette : lightPalette,
      hover: this.hover,
      focus: document.activeElement === this.element ? this.focus : null,
      news: this.news,
      carriers: this.carriers,
    });
  }

  // One frame of a zoom towards `target`.
  private approach(): void {
    const to = this.target!;
    const speed = 0.25;
    this.view = {
      k: this.view.k + (to.k - this.view.k) * speed,
      y: this.view.y + (to.y - this.view.y) * speed,
    };
    if (Math.abs(this.view.k - to.k) < to.k * 0.01) {
      this.view = to;
      this.target = null;
    } else this.schedule();
  }

  private at(event: { offsetX: number; offsetY: number }): { column: number; y: number } {
    const width = columnWidth({ width: this.element.clientWidth, columns: this.columns });
    return {
      column: Math.floor(event.offsetX / width),
      y: this.view.y + event.offsetY / this.element.clientHeight / this.view.k,
    };
  }

  private onWheel(event: WheelEvent): void {
    event.preventDefault();
    if (event.shiftKey) this.view = pan(this.view, event.deltaY / this.element.clientHeight / this.view.k);
    else this.view = zoom(this.view, Math.exp(-event.deltaY * 0.002), this.at(event).y);
    this.target = null;
    this.schedule();
  }

  private onDown(event: PointerEvent): void {
    this.pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    this.element.setPointerCapture(event.pointerId);
    this.moved = 0;
  }

  private onMove(event: PointerEvent): void {
    const held = this.pointers.get(event.pointerId);
    if (!held) {
      if (!hasMoved(event)) return;
      const { column, y } = this.at(event);
      this.setHover(hit(this.cells, column, y));
      return;
    }
    const others = [...this.pointers].filter(([id]) => id !== event.pointerId).map(([, p]) => p);
    const dy = event.offsetY - held.y;
    this.moved += Math.abs(dy) + Math.abs(event.offsetX - held.x);
    const height = this.element.clientHeight;
    const other = others[0];
    if (other) {
      const before = Math.max(10, Math.abs(held.y - other.y));
      const after = Math.max(10, Math.abs(event.offsetY - other.y));
      const middle = this.view.y + (event.offsetY + other.y) / 2 / height / this.view.k;
      this.view = zoom(this.view, after / before, middle);
    } else this.view = pan(this.view, -dy / height / this.view.k);
    this.pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    this.schedule();
  }

  private onUp(event: PointerEvent): void {
    const alone = this.pointers.size === 1;
    this.pointers.delete(event.pointerId);
    if (!alone || this.moved > 6) return;
    const { column, y } = this.at(event);
    const cell = hit(this.cells, column, y);
    if (cell) this.go(cell);
  }

  private go(cell: Cell): void {
    if (cell.line.length) treeCtrl.walkTo(this.ctx, [...this.tree.line, ...cell.line]);
  }

  private setHover(cell: Cell | null): void {
    if (cell === this.hover) return;
    this.hover = cell;
    this.tree.picture.hover = cell?.line ?? null;
    this.element.style.cursor = cell?.line.length ? 'pointer' : '';
    this.preview(cell);
    this.schedule();
  }

  // Beside its cell.
  private preview(cell: Cell | null): void {
    const { analysis, line, orientation } = this.tree;
    if (!cell?.line.length || !analysis) return setPreview(this.ctx, null);
    const box = this.element.getBoundingClientRect();
    const y = (at: number): number =>
      box.top + Math.max(0, Math.min(1, (at - this.view.y) * this.view.k)) * box.height;
    setPreview(this.ctx, {
      fen: analysis.fen,
      line: [...line, ...cell.line],
      orientation,
      at: { left: box.left + (cell.depth * box.width) / this.columns, top: y(cell.y0), bottom: y(cell.y1) },
    });
  }

  private onKey(event: KeyboardEvent): void {
    const from = this.focus ?? this.cells[0];
    if (!from) return;
    if (event.key === 'Enter') this.go(from);
    else if (event.key === '+' || event.key === '=') this.zoomBy(1.5);
    else if (event.key === '-') this.zoomBy(1 / 1.5);
    else if (event.key === '0') this.fit();
    else {
      const next = neighbour(this.cells, from, event.key);
      if (!next) return;
      this.focus = next;
      this.tree.picture.focus = next.line;
      this.preview(next);
      const top = (next.y0 - this.view.y) * this.view.k;
      const bottom = (next.y1 - this.view.y) * this.view.k;
      if (top < 0 || bottom > 1 || bottom - top < 0.03) this.target = viewOf(next);
      this.ctx.redraw();
    }
    event.preventDefault();
    event.stopPropagation();
    this.schedule();
  }
}
