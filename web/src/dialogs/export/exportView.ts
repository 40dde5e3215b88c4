// The export dialog: what, how much, a look at it, and the ways to take it along.
import { run, type Ctx } from '../../ctx';
import { bytes } from '../../ui/format';
import { copyText, saveFile } from '../../ui/download';
import { choices, limits } from '../../data/described';
import type { ExportFormat } from '../../data/types';
import { button, checkbox, h, segments, type VNode, inputField, choiceField, alertLine } from '../../ui/dom';
import { dialog } from '../../ui/dialog';
import { type ExportState, initialExport, pgnQuery, sideQuery, type Subject } from './exportState';
import type { Exported } from '../../data/api';
import { answerOf } from '../../data/latest';
import { exportName, saveImage } from '../../ui/image';
import { Part } from '../../ui/part';
import { boardSvg, pieceImages } from './boardImage';

// Export: fetch, look at, save, copy.
const page = new Part(() => import('./pageFile'));
const mostMoves = 2000; // in an HTML file
const mostPlies = 20;
const previewLength = 6000; // characters shown

export function openExport(ctx: Ctx, subject: Subject): void {
  const before = ctx.state.export;
  const e = initialExport(subject);
  if (before) {
    const { format, margin, plies, fromGame, comments, side, ownOnly, mine, engine, marks, study } = before;
    Object.assign(e, { format, margin, plies, fromGame, comments, side, ownOnly });
    Object.assign(e, { mine, engine, marks, study });
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

type Range = readonly [number, number];
const margins: Range = limits['exportAnalysis.margin'];
const plyRange: Range = limits['exportAnalysis.plies'];

function number(text: string, [least, most]: Range): number | null {
  const value = Number(text);
  return text.trim() && Number.isInteger(value) && value >= least && value <= most ? value : null;
}

const numbers = (e: ExportState) => ({ margin: number(e.margin, margins), plies: number(e.plies, plyRange) });

export function fieldProblems(e: ExportState): { margin?: string; plies?: string } {
  const wanted = (what: string, [least, most]: Range): string =>
    `A whole number of ${what} from ${least} to ${most}.`;
  const { margin, plies } = numbers(e);
  return {
    ...(margin === null && { margin: wanted('centipawns', margins) }),
    ...(plies === null && { plies: wanted('plies', plyRange) }),
  };
}

// null: the fields do not say what to ask for.
async function fetchFile(ctx: Ctx, e: ExportState, signal?: AbortSignal): Promise<Exported | null> {
  const { margin, plies } = numbers(e);
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

async function download(ctx: Ctx, e: ExportState): Promise<void> {
  const exported = await wholeFile(ctx, e);
  if (exported) saveFile(exported.name, exported.file);
}

// The whole as one HTML file.
async function downloadPage(ctx: Ctx, e: ExportState): Promise<void> {
  const { margin, plies } = numbers(e);
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

async function copyAll(ctx: Ctx, e: ExportState): Promise<void> {
  const exported = await wholeFile(ctx, e);
  if (exported) await copyText(ctx, await exported.file.text(), e.format.toUpperCase());
}

async function saveBoard(ctx: Ctx, e: ExportState, kind: 'svg' | 'png'): Promise<void> {
  if (!e.place) return;
  const svg = boardSvg(e.place, e.orientation, pieceImages());
  await saveImage(ctx, svg, kind, exportName(e.name, `board.${kind}`), 1080);
}

// Short names are abbreviations.
const captionOf = (format: ExportFormat): string =>
  format.length > 4 ? format[0]!.toUpperCase() + format.slice(1) : format.toUpperCase();

const formats = choices.formats.map((format): [ExportFormat, string] => [format, captionOf(format)]);

export function exportDialog(ctx: Ctx, e: ExportState, close: () => void): VNode {
  const problems = fieldProblems(e);
  const bad = Object.keys(problems).length > 0 || e.problem !== null;
  return dialog('.export', 'Export', close, [
    h('div.export-grid', [
      h('div.export-form', [
        segments('Format', e.format, formats, format => change(ctx, e, { format })),
        e.line.length
          ? segments(
              'From where',
              e.whole ? 'whole' : 'here',
              { here: 'From this position', whole: 'From the root' },
              value => change(ctx, e, { whole: value === 'whole' }),
            )
          : null,
        h('div.fields', [
          inputField(
            { id: 'export-margin', label: 'Variations within (cp of the best)', error: problems.margin },
            { type: 'number', step: 5, inputmode: 'numeric' },
            e.margin,
            margin => change(ctx, e, { margin }),
          ),
          inputField(
            { id: 'export-plies', label: 'To ply', error: problems.plies },
            { type: 'number', inputmode: 'numeric' },
            e.plies,
            plies => change(ctx, e, { plies }),
          ),
        ]),
        h('div.fields', [
          choiceField(
            { id: 'export-side', label: 'Repertoire' },
            e.side,
            {
              both: 'None: all moves of both',
              white: 'White: my answers, else its best move',
              black: 'Black: my answers, else its best move',
            },
            side => change(ctx, e, { side: side as ExportState['side'] }),
          ),
          e.format === 'pgn' ? commentsField(ctx, e) : null,
        ]),
        e.side === 'both'
          ? null
          : checkbox('export-own', 'Only my own moves are answers', e.ownOnly, ownOnly =>
              change(ctx, e, { ownOnly }),
            ),
        e.format === 'pgn' ? partFields(ctx, e) : null,
        ...(e.format === 'pgn' ? pgnBoxes(ctx, e) : []),
        h('div.actions.left', [
          button('.primary', {
            label: `Download ${formats.find(([f]) => f === e.format)![1]}`,
            testid: 'download',
            attrs: { autofocus: true },
            disabled: bad,
            run: () => run(ctx, download(ctx, e)),
          }),
          e.format === 'polyglot'
            ? null
            : button('', { label: 'Copy', disabled: bad, run: () => run(ctx, copyAll(ctx, e)) }),
        ]),
        h('h3', 'To send to somebody'),
        h('div.actions.left', [
          button('', {
            label: e.making ? 'Making it…' : 'One HTML page',
            title: 'Boards, moves, tree, graph and notes in one file that any browser shows',
            testid: 'html',
            disabled: e.making || Object.keys(problems).length > 0,
            run: () => run(ctx, downloadPage(ctx, e)),
          }),
        ]),
        h('h3', 'This position'),
        h('div.actions.left', [
          button('', { label: 'Copy FEN', run: () => run(ctx, copyText(ctx, e.fen ?? '', 'FEN')) }),
          button('', { label: 'Board as SVG', run: () => run(ctx, saveBoard(ctx, e, 'svg')) }),
          button('', { label: 'Board as PNG', run: () => run(ctx, saveBoard(ctx, e, 'png')) }),
        ]),
        h('p.muted.small', 'The picture of the tree is saved from its own tab.'),
      ]),
      h('div.export-preview', { attrs: { 'aria-busy': String(e.loading.busy) } }, [
        alertLine(e.problem),
        h(
          'pre',
          { attrs: { tabindex: 0, role: 'region', 'aria-label': 'Preview', 'data-testid': 'preview' } },
          previewText(e),
        ),
        h('p.muted', { attrs: { 'data-testid': 'size' } }, e.preview ? size(e) : ' '),
      ]),
    ]),
  ]);
}

const commentsField = (ctx: Ctx, e: ExportState): VNode =>
  choiceField(
    { id: 'export-comments', label: 'Comments' },
    e.comments,
    { all: 'At every move', branches: 'At choices and ends', leaves: 'At the ends of lines', none: 'None' },
    comments => change(ctx, e, { comments: comments as ExportState['comments'] }),
  );

const partFields = (ctx: Ctx, e: ExportState): VNode =>
  h('div.fields', [
    choiceField(
      { id: 'export-mine', label: 'Of mine' },
      e.mine,
      { all: 'Moves, notes, arrows, files', annotated: 'Only where something is said', none: 'Nothing' },
      mine => change(ctx, e, { mine: mine as ExportState['mine'] }),
    ),
    choiceField(
      { id: 'export-engine', label: 'Of the engine' },
      e.engine,
      { all: 'Moves within the bounds', best: 'The best moves', none: 'Nothing' },
      engine => change(ctx, e, { engine: engine as ExportState['engine'] }),
    ),
  ]);

const pgnBoxes = (ctx: Ctx, e: ExportState): VNode[] => [
  checkbox('export-game', 'Begin with the moves of the game', e.fromGame || e.study, fromGame =>
    change(ctx, e, { fromGame, study: e.study && fromGame }),
  ),
  checkbox('export-marks', 'Glyphs by loss, arrows at choices', e.marks || e.study, marks =>
    change(ctx, e, { marks, study: e.study && marks }),
  ),
  checkbox('export-study', 'For a lichess study, at most 2,500 moves', e.study, study =>
    change(ctx, e, { study }),
  ),
];

function previewText(e: ExportState): string {
  if (!e.preview) return '';
  if (e.format === 'polyglot') return `${Math.floor(e.preview.size / 16)} book entries of 16 bytes.`;
  const more = e.preview.size > e.preview.text.length ? '\n…' : '';
  return e.preview.text + more;
}

const size = (e: ExportState): string => `${bytes(e.preview!.size)}${e.loading.busy ? ', changing' : ''}`;
