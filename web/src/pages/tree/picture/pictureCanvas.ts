// The picture of the tree: what the pointer and the keys do on it. What is drawn lives beside the canvas, not in
// the state: it changes sixty times a second.
import { run, type Ctx } from '../../../ctx';
import { setPreview } from '../../../ui/board/preview';
import { exportName, saveImage } from '../../../ui/image';
import { hasMoved } from '../../../ui/pointer';
import { lineText } from '../../../chess/chess';
import { markOf } from '../news';
import * as treeCtrl from '../treeCtrl';
import { rootPly, type TreeState } from '../treeState';
import { verdict } from '../verdict/verdict';
import { cellAt, hit, layout, neighbour, pan, viewOf, wholeView, zoom, type Cell, type View } from './layout';
import { columnWidth, paint } from './paint';
import { darkPalette, isDark, lightPalette } from './palette';
import { pictureKey, type Canvas } from './pictureState';
import { pictureSvg } from './svg';

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
    const line = this.tree.node?.line.map(s => s.san) ?? [];
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
