// Export: fetch, look at, save, copy.
import { run, type Ctx } from '../../ctx';
import type { Exported } from '../../data/api';
import { limits } from '../../data/described';
import { answerOf } from '../../data/latest';
import { copyText } from '../../ui/copy';
import { saveFile } from '../../ui/download';
import { exportName, saveImage } from '../../ui/image';
import { Part } from '../../ui/part';
import { boardSvg, pieceImages } from './boardImage';
import { initialExport, pgnQuery, sideQuery } from './exportState';
import type { ExportState, Subject } from './exportState';

const page = new Part(() => import('./pageFile'));
const mostMoves = 2000; // in an HTML file
const mostPlies = 20;
const previewLength = 6000; // characters shown

export function openExport(ctx: Ctx, subject: Subject): void {
  const before = ctx.state.export;
  const e = initialExport(subject);
  if (before) {
    const { format, margin, plies, fromGame, comments, side, ownOnly, mine, engine, marks, study } = before;
    Object.assign(e, {
      format,
      margin,
      plies,
      fromGame,
      comments,
      side,
      ownOnly,
      mine,
      engine,
      marks,
      study,
    });
    if (subject.side)
      Object.assign(e, {
        format: 'pgn',
        side: subject.side,
        ownOnly: subject.ownOnly ?? false,
        margin: subject.margin ?? margin,
      });
  }
  ctx.state.export = e;
  ctx.state.dialog = 'export';
  run(ctx, preview(ctx, e));
  ctx.redraw();
}

export function change(ctx: Ctx, e: ExportState, fields: Partial<ExportState>): void {
  Object.assign(e, fields);
  e.notSoon();
  e.notSoon = ctx.clock.after(250, () => run(ctx, preview(ctx, e)));
  ctx.redraw();
}

function number(text: string, [least, most]: readonly [number, number]): number | null {
  const value = Number(text);
  return text.trim() && Number.isInteger(value) && value >= least && value <= most ? value : null;
}

export function fieldProblems(e: ExportState): { margin?: string; plies?: string } {
  const wanted = (what: string, [least, most]: readonly [number, number]): string =>
    `A whole number of ${what} from ${least} to ${most}.`;
  return {
    ...(number(e.margin, limits['exportAnalysis.margin']) === null && {
      margin: wanted('centipawns', limits['exportAnalysis.margin']),
    }),
    ...(number(e.plies, limits['exportAnalysis.plies']) === null && {
      plies: wanted('plies', limits['exportAnalysis.plies']),
    }),
  };
}

// null: the fields do not say what to ask for.
async function fetchFile(ctx: Ctx, e: ExportState, signal?: AbortSignal): Promise<Exported | null> {
  const margin = number(e.margin, limits['exportAnalysis.margin']);
  const plies = number(e.plies, limits['exportAnalysis.plies']);
  if (margin === null || plies === null) return null;
  const moves = e.whole ? [] : e.line;
  const wish = { ...sideQuery(e), ...pgnQuery(e) };
  return ctx.api.export(e.id, { format: e.format, moves, margin, plies, ...wish }, signal);
}

async function preview(ctx: Ctx, e: ExportState): Promise<void> {
  const asked = e.loading.ask(async signal => {
    const exported = await fetchFile(ctx, e, signal);
    if (!exported) return null;
    const { file } = exported;
    return {
      size: file.size,
      text: file.type === 'application/octet-stream' ? '' : await file.slice(0, previewLength).text(),
    };
  });
  ctx.redraw();
  const answer = await asked;
  if (!answer) return;
  if ('problem' in answer) Object.assign(e, { preview: null, problem: answer.problem.message });
  else if (answer.value) Object.assign(e, { preview: answer.value, problem: null });
  ctx.redraw();
}

async function wholeFile(ctx: Ctx, e: ExportState): Promise<Exported | null> {
  const answer = await answerOf(fetchFile(ctx, e));
  if ('value' in answer) return answer.value;
  e.problem = answer.problem.message;
  ctx.redraw();
  return null;
}

export async function download(ctx: Ctx, e: ExportState): Promise<void> {
  const exported = await wholeFile(ctx, e);
  if (exported) saveFile(exported.name, exported.file);
}

// The whole as one HTML file.
export async function downloadPage(ctx: Ctx, e: ExportState): Promise<void> {
  const margin = number(e.margin, limits['exportAnalysis.margin']);
  const plies = number(e.plies, limits['exportAnalysis.plies']);
  if (margin === null || plies === null) return;
  const line = e.whole ? [] : e.line;
  e.making = true;
  ctx.redraw();
  const answer = await answerOf(
    Promise.all([
      page.load(),
      ctx.api.analysis(e.id),
      ctx.api.node(e.id, line),
      ctx.api.tree(e.id, { moves: line, plies: Math.min(plies, mostPlies), margin, limit: mostMoves }),
      ctx.api.history(e.id),
      ctx.api.notes(e.id),
    ]),
  );
  e.making = false;
  if ('problem' in answer) e.problem = answer.problem.message;
  else {
    const [{ pageFile }, analysis, node, { root: tree }, { snapshots }, notes] = answer.value;
    const { orientation } = e;
    const html = pageFile({
      analysis,
      node,
      tree,
      snapshots,
      notes,
      orientation,
      images: pieceImages(),
      at: ctx.clock.now(),
    });
    saveFile(exportName(e.name, 'html'), new Blob([html], { type: 'text/html;charset=utf-8' }));
  }
  ctx.redraw();
}

export async function copyAll(ctx: Ctx, e: ExportState): Promise<void> {
  const exported = await wholeFile(ctx, e);
  if (exported) await copyText(ctx, await exported.file.text(), e.format.toUpperCase());
}

export async function saveBoard(ctx: Ctx, e: ExportState, kind: 'svg' | 'png'): Promise<void> {
  if (!e.place) return;
  const svg = boardSvg(e.place, e.orientation, pieceImages());
  await saveImage(ctx, svg, kind, exportName(e.name, `board.${kind}`), 1080);
}
