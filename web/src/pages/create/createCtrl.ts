// Setting up a new analysis: position by any road.
import type { Key } from '@lichess-org/chessground/types';
import type { Promotion } from '../../ui/board/promotionView';
import { boardMove, startFen, ucis } from '../../chess/chess';
import { assign, run, toast, type Ctx } from '../../ctx';
import { answerOf } from '../../data/latest';
import { needEngines } from '../../data/entities';
import type { PlayBoard } from '../page';
import { presetFields, type Preset } from '../../setup/presets';
import type { Engine, Game, OpeningLine } from '../../data/types';
import { becomeLike, initialCreate, noOpening, play, rootMoves, setPosition, step } from './createState';
import type { CreateState, GameChoice } from './createState';
import { chess960, editorOf, fenOf, put, readNumber960, type Editor } from './editor';
import { looksLikeName, readInput, readPgn, type Input } from './positionInput';

const longestAsked = 100_000; // characters of a text that the server is asked to read
const largestFile = 4_000_000; // bytes of PGN read in the page

// Each copy is a form of its own, so that what was typed into one is there on every return.
export function enter(ctx: Ctx, copy: number | null): void {
  run(ctx, needEngines(ctx));
  const { state } = ctx;
  const known = state.drafts.get(copy);
  const create = known ?? initialCreate(copy);
  state.create = create;
  state.drafts.set(copy, create);
  if (!known && copy !== null) run(ctx, copyFrom(ctx, create, copy));
  ctx.redraw();
}

async function copyFrom(ctx: Ctx, create: CreateState, id: number): Promise<void> {
  const answer = await answerOf(ctx.api.analysis(id));
  if ('value' in answer) becomeLike(create, answer.value);
  else {
    toast(ctx, answer.problem.message, { tone: 'bad' });
    ctx.state.drafts.delete(id); // asked again on the next visit
  }
  ctx.redraw();
}

export function set(ctx: Ctx, create: CreateState, fields: Partial<CreateState>): void {
  Object.assign(create, fields);
  create.errors = {};
  ctx.redraw();
}

// --- position

// Many texts are read at once, here. A name is looked for among the openings; what else is not understood is asked
// of the server, which reads more.
export function typed(ctx: Ctx, create: CreateState, text: string): void {
  create.input = text;
  create.file = null;
  create.editor = null;
  create.errors = {};
  create.readSoon();
  create.reading.stop();
  const input = readInput(text);
  const name = input.kind === 'wrong' && looksLikeName(text);
  if (name) {
    create.games = [];
    create.inputProblem = null;
    searchOpenings(ctx, create, text);
    return;
  }
  forgetSearch(create);
  take(create, input);
  keepFile(create, input, 'games.pgn', text);
  if (input.kind !== 'games' && create.inputProblem !== null && text.length <= longestAsked)
    create.readSoon = ctx.clock.after(200, () => run(ctx, readElsewhere(ctx, create, text)));
  ctx.redraw();
}

function forgetSearch(create: CreateState): void {
  create.searchSoon();
  create.searching.stop();
  create.opening = noOpening();
}

async function readElsewhere(ctx: Ctx, create: CreateState, text: string): Promise<void> {
  const answer = await create.reading.ask(signal => ctx.api.readPosition(text, signal));
  if (!answer || create.input !== text) return;
  if ('value' in answer) {
    const { start_fen, moves } = answer.value;
    take(create, { kind: 'position', fen: start_fen, moves: ucis(moves) });
  } else if (answer.problem.code === 'bad_value' && !create.inputKept && !looksLikeName(text))
    create.inputProblem = answer.problem.message.replace(/^text: /, '');
  ctx.redraw();
}

function take(create: CreateState, input: Input): void {
  create.games = input.kind === 'games' ? input.games : [];
  create.inputKept = input.kind !== 'wrong';
  if (input.kind === 'wrong') create.inputProblem = input.message;
  else takePosition(create, input.kind === 'games' ? input.games[0]! : input);
}

// Games of a PGN are kept with what is made of them.
function keepFile(create: CreateState, input: Input, name: string, pgn: string): void {
  const read = input.kind === 'games' || (input.kind === 'position' && input.pgn !== undefined);
  Object.assign(create, { file: read ? { name: name.slice(0, 200), pgn } : null, made: 0 });
}

function takePosition(
  create: CreateState,
  read: Pick<GameChoice, 'fen' | 'moves' | 'note'> & { game?: Game },
): void {
  setPosition(create, read.fen, read.moves, read.game);
  create.inputProblem = read.note ?? null;
}

export function chooseGame(ctx: Ctx, create: CreateState, index: number): void {
  const game = create.games[index];
  if (game) takePosition(create, game);
  ctx.redraw();
}

export async function dropFile(ctx: Ctx, create: CreateState, file: File): Promise<void> {
  create.dropping = false;
  create.input = '';
  create.file = null;
  if (file.size > largestFile)
    take(create, { kind: 'wrong', message: `${file.name} is too large to read here.` });
  else {
    const pgn = await file.text();
    const input = readPgn(pgn);
    take(create, input);
    keepFile(create, input, file.name, pgn);
  }
  if (create.inputProblem) toast(ctx, create.inputProblem, { tone: 'bad' });
  ctx.redraw();
}

export function onBoardMove(ctx: Ctx, create: CreateState, from: Key, to: Key, promotion?: Promotion): void {
  const move = boardMove(create.fen, rootMoves(create), from, to, promotion);
  create.promotion = move?.needsPromotion ? { from, to } : null;
  if (move && !move.needsPromotion) playHere(ctx, create, move.uci);
  ctx.redraw();
}

export const boardOf = (ctx: Ctx, create: CreateState): PlayBoard => ({
  fen: create.fen,
  line: rootMoves(create),
  play: uci => playHere(ctx, create, uci),
});

function playHere(ctx: Ctx, create: CreateState, uci: string): void {
  play(create, uci);
  create.input = '';
  create.inputProblem = null;
  create.errors = {};
  forgetSearch(create);
  ctx.redraw();
}

// null: no piece was chosen, the pawn goes back.
export function promote(ctx: Ctx, create: CreateState, role: Promotion | null): void {
  const asked = create.promotion;
  create.promotion = null;
  if (role && asked) onBoardMove(ctx, create, asked.from, asked.to, role);
  ctx.redraw();
}

// --- setting up

export function editFrom(ctx: Ctx, create: CreateState, fen: string): void {
  create.number960 = '';
  edit(ctx, create, editorOf(fen, create.editor?.brush ?? null));
}

// What is set up is the position, as soon as it can be one.
export function edit(ctx: Ctx, create: CreateState, editor: Editor): void {
  const read = fenOf(editor);
  create.editor = editor;
  create.input = '';
  create.games = [];
  create.file = null;
  forgetSearch(create);
  if (read.ok) setPosition(create, read.value, []);
  create.errors = {};
  assign(ctx, create, { inputProblem: read.ok ? null : read.message, inputKept: false });
}

// Of what is set up now, which may be newer than what is drawn.
export function editSome(ctx: Ctx, create: CreateState, fields: Partial<Editor>): void {
  if (create.editor) edit(ctx, create, { ...create.editor, ...fields });
}

export function editClick(ctx: Ctx, create: CreateState, square: string): void {
  const { editor } = create;
  if (editor?.brush) edit(ctx, create, put(editor, square, editor.brush === 'x' ? null : editor.brush));
}

export function edit960(ctx: Ctx, create: CreateState, text: string): void {
  const number = readNumber960(text);
  if (number !== null) edit(ctx, create, editorOf(chess960(number), create.editor?.brush ?? null));
  create.number960 = text;
  ctx.redraw();
}

export function endEditing(ctx: Ctx, create: CreateState): void {
  create.editor = null;
  create.inputProblem = null; // the position is the last one that was legal
  ctx.redraw();
}

export function flip(ctx: Ctx, create: CreateState): void {
  create.orientation = create.orientation === 'white' ? 'black' : 'white';
  ctx.redraw();
}

// What the fields say for a time that is given: those of the preset.
export function usePreset(ctx: Ctx, create: CreateState, preset: Preset): void {
  set(ctx, create, { ...presetFields(preset, engineOf(ctx, create), ctx.clock.now()), preset: preset.key });
}

const engineOf = (ctx: Ctx, create: CreateState): Engine | null =>
  ctx.state.store.engines.all().find(e => (create.engine ? e.name === create.engine : e.default)) ?? null;

export function walk(ctx: Ctx, create: CreateState, to: number): void {
  step(create, to);
  create.errors = {};
  ctx.redraw();
}

export function reset(ctx: Ctx, create: CreateState): void {
  setPosition(create, startFen, []);
  Object.assign(create, {
    input: '',
    inputProblem: null,
    games: [],
    file: null,
    editor: null,
    number960: '',
  });
  forgetSearch(create);
  ctx.redraw();
}

// --- openings

export function searchOpenings(ctx: Ctx, create: CreateState, query: string): void {
  const { opening } = create;
  opening.open = true;
  opening.take = false;
  opening.asked = true;
  create.searchSoon();
  create.searching.stop();
  create.searchSoon = ctx.clock.after(120, () => run(ctx, runSearch(ctx, create, query)));
  ctx.redraw();
}

async function runSearch(ctx: Ctx, create: CreateState, query: string): Promise<void> {
  const { opening, searching } = create;
  const answer = await searching.ask(signal => ctx.api.openings(query.trim(), 30, signal));
  if (!answer) return;
  opening.results = 'value' in answer ? answer.value : [];
  opening.active = opening.results.length ? 0 : -1;
  const first = opening.results[0];
  if (first)
    setPosition(create, startFen, first.uci); // to look at; the list stays open
  else {
    opening.open = false;
    Object.assign(create, {
      inputProblem: 'No opening of that name, nor moves, nor a FEN.',
      inputKept: false,
    });
    await readElsewhere(ctx, create, query);
    if (create.opening !== opening) return;
  }
  opening.asked = false;
  if (opening.take && first) chooseOpening(ctx, create, first);
  opening.take = false;
  if ('problem' in answer) toast(ctx, answer.problem.message, { tone: 'bad' });
  ctx.redraw();
}

// By arrow keys: the board shows each.
export function nextOpening(ctx: Ctx, create: CreateState, by: 1 | -1): boolean {
  const { opening } = create;
  const { results } = opening;
  if (!results?.length || !opening.open) return false;
  opening.active = (opening.active + by + results.length) % results.length;
  setPosition(create, startFen, results[opening.active]!.uci);
  ctx.redraw();
  return true;
}

export function chooseOpening(ctx: Ctx, create: CreateState, line: OpeningLine): void {
  setPosition(create, startFen, line.uci);
  Object.assign(create, { input: line.name, inputProblem: null, games: [] });
  create.opening = noOpening();
  ctx.redraw();
}

// Enter: takes what is chosen in the list, or, while that is on its way, what will stand first in it. Returns whether
// the key has done its work: nothing else is to begin while there is something typed that is no opening yet.
export function enterOpening(ctx: Ctx, create: CreateState): boolean {
  const { opening } = create;
  const chosen = opening.asked ? undefined : opening.results?.[opening.active];
  if (chosen && opening.open) chooseOpening(ctx, create, chosen);
  else if (opening.asked) opening.take = true;
  else return create.inputProblem !== null;
  return true;
}

export function closeOpenings(ctx: Ctx, create: CreateState): void {
  create.opening.open = false;
  ctx.redraw();
}
