// Fetches files and games, and sends what somebody changes in them. Changes of a game go one after the other, each with
// the version that it is about: what somebody else wrote meanwhile is not lost.
import type { DrawShape } from '@lichess-org/chessground/draw';
import { attempt, offerUndo, run, toast, type Ctx } from '../../../ctx';
import { sameMove } from '../../../chess/chess';
import { lineBelow, lineTo, nodeAt, pathTo, readGame, type Game } from '../../../chess/gameTree';
import { drawn, markWord, marksOf } from '../../../chess/marks';
import { loadAnalysis } from '../../../data/entities';
import { answerOf } from '../../../data/latest';
import type { FileBrought, GameEdit, KeptGame, ListedFile } from '../../../data/types';
import { saveFile } from '../../../ui/download';
import { plural } from '../../../ui/format';
import { setPreview } from '../../../ui/board/preview';
import { place, rootFen, type TreeState } from '../treeState';
import { walkBefore, walkTo } from '../treeCtrl';
import { initialFiles, type FilesState, type OpenGame } from './filesState';

// Also called for every step on the tree.
export async function enter(ctx: Ctx, tree: TreeState): Promise<void> {
  if (!tree.analysis) await loadAnalysis(ctx, tree.id);
  if (!tree.analysis || ctx.state.tree !== tree) return; // the page says why, or is another one
  const files = (tree.files ??= initialFiles());
  if (!files.list && !files.listing.busy) run(ctx, load(ctx, tree, files));
  const { open } = files;
  if (open) choose({ ctx, tree, files, open }, whereNow(tree, open));
}

export async function load(ctx: Ctx, tree: TreeState, files: FilesState): Promise<void> {
  const answer = await files.listing.ask(() => ctx.api.files(tree.id));
  if (!answer) return;
  if ('value' in answer) Object.assign(files, { list: answer.value, problem: null });
  else files.problem = answer.problem.message;
  ctx.redraw();
}

// --- files

const most = 8 << 20; // bytes of one

export async function add(
  ctx: Ctx,
  tree: TreeState,
  files: FilesState,
  pgn: string,
  name?: string,
): Promise<void> {
  if (files.sending || !pgn.trim()) return;
  if (pgn.length > most) {
    toast(ctx, 'Files above 8 MB are for the command line: adjourn import FILE.', {
      tone: 'bad',
      ms: 15_000,
    });
    return;
  }
  files.sending = true;
  ctx.redraw();
  const answer = await answerOf(ctx.api.addFile(tree.id, { ...(name && { name: name.slice(0, 200) }), pgn }));
  files.sending = false;
  if ('problem' in answer) {
    toast(ctx, answer.problem.message, { tone: 'bad' });
    return;
  }
  const { games, seeds } = answer.value;
  toast(
    ctx,
    `${plural(games, 'game')} kept; ${plural(seeds, 'move is new', 'moves are new')} in the analysis.`,
  );
  Object.assign(files, { pasted: '', adding: false, told: toldOf(name ?? 'What you pasted', answer.value) });
  await load(ctx, tree, files);
}

function toldOf(name: string, { mended, refused, told }: FileBrought): FilesState['told'] {
  return told.length ? { name, places: told, more: Math.max(0, mended + refused - told.length) } : null;
}

export async function addFiles(
  ctx: Ctx,
  tree: TreeState,
  files: FilesState,
  chosen: FileList | null | undefined,
): Promise<void> {
  for (const file of [...(chosen ?? [])]) await add(ctx, tree, files, await file.text(), file.name);
}

export async function rename(ctx: Ctx, tree: TreeState, files: FilesState): Promise<void> {
  const wish = files.renaming;
  const name = wish?.name.trim();
  if (!wish || !name) return;
  if (!(await attempt(ctx, () => ctx.api.putFile(tree.id, wish.id, { name })))) return;
  if (files.renaming === wish) files.renaming = null;
  await load(ctx, tree, files);
}

export async function download(ctx: Ctx, tree: TreeState, file: ListedFile, game?: number): Promise<void> {
  const text = await ctx.api.filePgn(tree.id, file.id, game);
  const name = file.name.replace(/[^\p{L}\p{N} ._-]+/gu, '-');
  saveFile(
    /\.pgn$/i.test(name) ? name : `${name}.pgn`,
    new Blob([text], { type: 'application/x-chess-pgn' }),
  );
}

export async function remove(ctx: Ctx, tree: TreeState, files: FilesState, file: ListedFile): Promise<void> {
  if (!(await attempt(ctx, () => ctx.api.deleteFile(tree.id, file.id)))) return;
  const undo = async (): Promise<void> => {
    await attempt(ctx, () => ctx.api.undoFile(tree.id, file.id));
    await load(ctx, tree, files);
  };
  const said = `${file.name} is deleted. Its moves stay in the analysis.`;
  offerUndo(ctx, said, () => run(ctx, undo()), 10_000);
  await load(ctx, tree, files);
}

// --- a game

// One that is open, and where.
export interface Here {
  ctx: Ctx;
  tree: TreeState;
  files: FilesState;
  open: OpenGame;
}

export async function openGame(
  ctx: Ctx,
  tree: TreeState,
  files: FilesState,
  file: ListedFile,
  number: number,
): Promise<void> {
  const answer = await files.opening.ask(signal => ctx.api.game(tree.id, file.id, number, signal));
  if (!answer) return;
  const fen = rootFen(tree);
  if ('problem' in answer) toast(ctx, answer.problem.message, { tone: 'bad' });
  else if (fen) {
    const game = readGame(answer.value, fen);
    const open: OpenGame = {
      file: file.id,
      name: file.name,
      game,
      at: null,
      editing: false,
      draft: null,
      saving: Promise.resolve(),
      shown: 500,
    };
    files.open = open;
    open.at = whereNow(tree, open) ?? 0;
    setBoard({ ctx, tree, files, open });
  }
  ctx.redraw();
}

export async function closeGame(ctx: Ctx, tree: TreeState, files: FilesState): Promise<void> {
  const { open } = files;
  if (open) sendDraft({ ctx, tree, files, open });
  Object.assign(files, { open: null, board: null });
  setPreview(ctx, null);
  ctx.redraw();
  await open?.saving;
  await load(ctx, tree, files);
}

export function setEditing({ ctx, tree, files, open }: Here, on: boolean): void {
  sendDraft({ ctx, tree, files, open });
  open.editing = on;
  setBoard({ ctx, tree, files, open });
  ctx.redraw();
}

// The move of the game that the board shows. One that does not stand in the analysis stays chosen.
function whereNow(tree: TreeState, { game, at }: OpenGame): number | null {
  const stays = at !== null && lineBelow(game, at) === null;
  const line = tree.line.join();
  return game.places.get(line) ?? (stays ? at : null);
}

function choose({ ctx, tree, files, open }: Here, at: number | null): void {
  if (open.at !== at) sendDraft({ ctx, tree, files, open });
  open.at = at;
  setBoard({ ctx, tree, files, open });
}

// Goes to a move: on the board, where it stands in the analysis or in the game before it; else on a small one.
export function goTo({ ctx, tree, files, open }: Here, at: number, button: Element): void {
  const { game } = open;
  choose({ ctx, tree, files, open }, at);
  const below = lineBelow(game, at);
  const before = below ? null : pliesBefore(tree, game, at);
  setPreview(ctx, null);
  if (below) walkTo(ctx, below);
  else if (before !== null) {
    if (tree.line.length) walkTo(ctx, []);
    walkBefore(ctx, tree, before);
    choose({ ctx, tree, files, open }, at); // at the root another one is
  } else
    setPreview(ctx, {
      fen: game.kept.start_fen ?? '',
      line: lineTo(game, at),
      orientation: tree.orientation,
      at: button.getBoundingClientRect(),
    });
  ctx.redraw();
}

// How far before the root it stands, where the game of the analysis is this one; null: elsewhere.
function pliesBefore(tree: TreeState, game: Game, at: number): number | null {
  const a = tree.analysis;
  const line = lineTo(game, at);
  if (!a || game.kept.start_fen !== a.start_fen) return null;
  return line.every((move, i) => a.moves[i] === move) ? a.moves.length - line.length : null;
}

function setBoard({ ctx, tree, files, open }: Here): void {
  const { game, at, editing } = open;
  const onBoard = at !== null && game.places.get(tree.line.join()) === at;
  const mine = onBoard ? marksOf(marksAsText(game, at)) : [];
  const active = editing && onBoard;
  files.board = {
    shapes: mine,
    draw: active ? shape => draw({ ctx, tree, files, open }, at, shape) : null,
    play: active ? uci => play({ ctx, tree, files, open }, at, uci) : null,
  };
}

const marksHere = (game: Game, at: number): string[] =>
  (at ? game.nodes[at]!.move!.marks : game.kept.marks) ?? [];
const marksAsText = (game: Game, at: number): string => `[%cal ${marksHere(game, at).join()}]`;

// --- changes

type Change = Pick<GameEdit, 'action' | 'move' | 'nag' | 'text' | 'marks'>;

// `at`: the move that it is about.
export function edit({ ctx, tree, files, open }: Here, at: number, change: Change): void {
  const path = pathTo(open.game, at);
  const call = ({ kept }: Game): Promise<KeptGame> =>
    ctx.api.editGame(tree.id, open.file, { game: kept.number, version: kept.version, path, ...change });
  send({ ctx, tree, files, open }, call, path);
  if (change.action !== 'delete') return;
  const said = `${open.game.nodes[at]!.move?.san ?? 'The move'} and what follows it is deleted.`;
  offerUndo(ctx, said, () => undo({ ctx, tree, files, open }));
}

export const undo = ({ ctx, tree, files, open }: Here): void =>
  send({ ctx, tree, files, open }, ({ kept }) => ctx.api.undoEdit(tree.id, open.file, kept.number));

function send(
  { ctx, tree, files, open }: Here,
  call: (game: Game) => Promise<KeptGame>,
  about: string | null = null,
): void {
  open.saving = open.saving.then(async () => {
    const answer = await answerOf(call(open.game));
    if ('value' in answer) put({ ctx, tree, files, open }, answer.value, about);
    else if (answer.problem.status === 409) {
      const { kept } = open.game;
      const now = await ctx.api.game(tree.id, open.file, kept.number);
      put({ ctx, tree, files, open }, now);
      const why =
        now.version === kept.version
          ? answer.problem.message
          : 'Not changed: somebody else has changed the game. You see it as it is now.';
      toast(ctx, why, { tone: 'bad' });
    } else toast(ctx, answer.problem.message, { tone: 'bad' });
    ctx.redraw();
  });
  run(ctx, open.saving);
}

// The game as the server has it now.
function put(
  { ctx, tree, files, open }: Here,
  kept: KeptGame,
  about: string | null = null, // the path that was named
): void {
  const fen = rootFen(tree);
  if (!fen || kept.deleted) return;
  const { at } = open;
  const path = at === null ? null : pathTo(open.game, at);
  const elsewhere = at !== null && lineBelow(open.game, at) === null;
  open.game = readGame(kept, fen);
  const chosen = path === null ? null : nodeAt(open.game, path === about ? (kept.path ?? path) : path);
  const shown = open.game.places.get(tree.line.join());
  open.at = elsewhere ? chosen : (shown ?? chosen);
  if (files.open !== open) return;
  setBoard({ ctx, tree, files, open });
  const line = chosen === null ? null : lineBelow(open.game, chosen);
  // What stood on the board is not in the game any more.
  if (line && !elsewhere && shown === undefined && ctx.state.tree === tree && tree.tab === 'files')
    walkTo(ctx, line);
}

export function write(open: OpenGame, at: number, kind: 'comment' | 'comment_before', text: string): void {
  open.draft = { at, kind, text };
}

// What was written is sent when one leaves its field, or its move.
export function sendDraft({ ctx, tree, files, open }: Here): void {
  const { draft } = open;
  open.draft = null;
  if (!draft || draft.text === commentOf(open.game, draft.at, draft.kind)) return;
  edit({ ctx, tree, files, open }, draft.at, { action: draft.kind, text: draft.text });
}

export function commentOf(game: Game, at: number, kind: 'comment' | 'comment_before'): string {
  const { move } = game.nodes[at]!;
  if (!move) return kind === 'comment' ? (game.kept.comment ?? '') : '';
  return (kind === 'comment' ? move.comment : move.before) ?? '';
}

function draw({ ctx, tree, files, open }: Here, at: number, { orig, dest, brush }: DrawShape): void {
  const shape: DrawShape = { orig, ...(dest && { dest }), ...(brush && { brush }) };
  const marks = drawn(files.board?.shapes ?? [], shape).flatMap(markWord);
  if (files.board) files.board.shapes = marksOf(`[%cal ${marks.join()}]`); // at once
  edit({ ctx, tree, files, open }, at, { action: 'marks', marks });
  ctx.redraw();
}

// A move on the board that the game does not have there is a new variation of it.
function play({ ctx, tree, files, open }: Here, at: number, uci: string): void {
  const fen = place(tree)?.fen;
  const known = open.game.nodes[at]!.children.some(
    next => fen && sameMove(fen, open.game.nodes[next]!.move!.uci, uci),
  );
  if (!known) edit({ ctx, tree, files, open }, at, { action: 'move', move: uci });
}
