// Export: fetch, look at, save, copy.
import { explain, run, toast } from '../../ctx';
import type { Ctx } from '../../ctx';
import { saveFile } from '../../ui/download';
import { fileName } from '../../ui/format';
import { loadOffers } from '../../data/offersCtrl';
import { place } from '../../pages/tree/treeState';
import { boardSvg, pieceImages } from './boardImage';
import { extension, initialExport } from './exportState';
import type { ExportState } from './exportState';
import { svgToPng } from './raster';

let abort: AbortController | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;
const previewLength = 6000; // characters shown

export function openExport(ctx: Ctx): void {
  const { tree } = ctx.state;
  if (!tree) return;
  const before = ctx.state.export;
  ctx.state.export = initialExport(tree.id, tree.line);
  if (before)
    Object.assign(ctx.state.export, { format: before.format, margin: before.margin, plies: before.plies });
  ctx.state.dialog = 'export';
  run(ctx, loadOffers(ctx));
  run(ctx, preview(ctx));
}

export function change(ctx: Ctx, fields: Partial<ExportState>): void {
  if (!ctx.state.export) return;
  Object.assign(ctx.state.export, fields);
  clearTimeout(timer);
  timer = setTimeout(() => run(ctx, preview(ctx)), 250);
  ctx.redraw();
}

function number(text: string, most: number): number | null {
  const value = Number(text);
  return text.trim() && Number.isInteger(value) && value >= 0 && value <= most ? value : null;
}

export function fieldProblems(e: ExportState): { margin?: string; plies?: string } {
  return {
    ...(number(e.margin, 10_000) === null && { margin: 'A whole number of centipawns from 0 to 10000.' }),
    ...(number(e.plies, 200) === null && { plies: 'A whole number of plies from 0 to 200.' }),
  };
}

async function fetchFile(ctx: Ctx, e: ExportState, signal?: AbortSignal): Promise<Blob | null> {
  const margin = number(e.margin, 10_000);
  const plies = number(e.plies, 200);
  if (margin === null || plies === null) return null;
  const moves = e.whole ? [] : e.line;
  return ctx.api.export(e.id, { format: e.format, moves, margin, plies }, signal);
}

async function preview(ctx: Ctx): Promise<void> {
  const e = ctx.state.export;
  if (!e) return;
  abort?.abort();
  const own = new AbortController();
  abort = own;
  e.busy = true;
  ctx.redraw();
  try {
    const blob = await fetchFile(ctx, e, own.signal);
    if (blob) {
      const binary = e.format === 'polyglot';
      e.preview = { size: blob.size, text: binary ? '' : await blob.slice(0, previewLength).text() };
      e.problem = null;
    }
  } catch (error) {
    if (own.signal.aborted) return;
    e.preview = null;
    e.problem = explain(error);
  } finally {
    if (abort === own) e.busy = false;
  }
  ctx.redraw();
}

export function exportName(ctx: Ctx, suffix: string): string {
  const name = fileName(ctx.state.tree?.analysis?.name ?? 'analysis');
  return `adjourn-${name}.${suffix}`;
}

export async function download(ctx: Ctx): Promise<void> {
  const e = ctx.state.export;
  if (!e) return;
  try {
    const blob = await fetchFile(ctx, e);
    if (blob) saveFile(exportName(ctx, extension[e.format]), blob);
  } catch (error) {
    e.problem = explain(error);
    ctx.redraw();
  }
}

export async function wholeText(ctx: Ctx): Promise<string | null> {
  const e = ctx.state.export;
  if (!e) return null;
  try {
    return (await (await fetchFile(ctx, e))?.text()) ?? null;
  } catch (error) {
    e.problem = explain(error);
    ctx.redraw();
    return null;
  }
}

export async function saveBoard(ctx: Ctx, kind: 'svg' | 'png'): Promise<void> {
  const { tree } = ctx.state;
  const at = tree && place(tree);
  if (!tree || !at) return;
  const svg = boardSvg(at, tree.orientation, pieceImages());
  await saveImage(ctx, svg, kind, 'board', 1080);
}

export async function saveImage(
  ctx: Ctx,
  svg: string,
  kind: 'svg' | 'png',
  what: string,
  width: number,
): Promise<void> {
  const name = exportName(ctx, `${what}.${kind}`);
  if (kind === 'svg') {
    saveFile(name, new Blob([svg], { type: 'image/svg+xml' }));
    return;
  }
  const png = await svgToPng(svg, width);
  if (png) saveFile(name, png);
  else toast(ctx, 'The browser could not draw the picture.', { tone: 'bad' });
}
