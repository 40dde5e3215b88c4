// Setting up a new analysis: position by any road, then the request.
import type { Key } from '@lichess-org/chessground/types';
import type { Promotion } from '../../ui/board/promotionView';
import { boardMove, follow, startFen } from '../../chess/chess';
import { run, toast } from '../../ctx';
import type { Ctx } from '../../ctx';
import { answerOf } from '../../data/latest';
import { needEngines } from '../../data/entities';
import { fieldOf } from '../../setup/setupState';
import type { OpeningLine } from '../../data/types';
import {
  becomeLike,
  initialCreate,
  noOpening,
  play,
  rootMoves,
  setPosition,
  step,
  toRequest,
} from './createState';
import type { CreateState } from './createState';
import { readInput, readPgn } from './positionInput';
import type { Input } from './positionInput';

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

// Many texts are read at once, here; what is not understood is asked of the server, which reads more.
export function typed(ctx: Ctx, create: CreateState, text: string): void {
  create.input = text;
  create.errors = {};
  create.readSoon();
  create.reading.stop();
  const input = readInput(text);
  take(create, input);
  if (input.kind === 'wrong' && text.length <= longestAsked)
    create.readSoon = ctx.clock.after(200, () => run(ctx, readElsewhere(ctx, create, text)));
  ctx.redraw();
}

async function readElsewhere(ctx: Ctx, create: CreateState, text: string): Promise<void> {
  const answer = await create.reading.ask(signal => ctx.api.readPosition(text, signal));
  if (!answer || create.input !== text) return;
  if ('value' in answer) {
    const { start_fen, moves } = answer.value;
    take(create, { kind: 'position', fen: start_fen, moves: moves.map(move => move.uci) });
  } else if (answer.problem.code === 'bad_value')
    create.inputProblem = answer.problem.message.replace(/^text: /, '');
  ctx.redraw();
}

function take(create: CreateState, input: Input): void {
  create.games = [];
  create.inputProblem = null;
  if (input.kind === 'position') setPosition(create, input.fen, input.moves);
  else if (input.kind === 'games') {
    create.games = input.games;
    setPosition(create, input.games[0]!.fen, input.games[0]!.moves);
  } else create.inputProblem = input.message;
}

export function chooseGame(ctx: Ctx, create: CreateState, index: number): void {
  const game = create.games[index];
  if (game) setPosition(create, game.fen, game.moves);
  ctx.redraw();
}

export async function dropFile(ctx: Ctx, create: CreateState, file: File): Promise<void> {
  create.dropping = false;
  create.input = '';
  if (file.size > largestFile) create.inputProblem = `${file.name} is too large to read here.`;
  else take(create, readPgn(await file.text()));
  if (create.inputProblem) toast(ctx, create.inputProblem, { tone: 'bad' });
  ctx.redraw();
}

export function onBoardMove(ctx: Ctx, create: CreateState, from: Key, to: Key, promotion?: Promotion): void {
  const move = boardMove(create.fen, rootMoves(create), from, to, promotion);
  create.promotion = move?.needsPromotion ? { from, to } : null;
  if (move && !move.needsPromotion) {
    play(create, move.uci);
    create.input = '';
    create.inputProblem = null;
    create.errors = {};
  }
  ctx.redraw();
}

// null: no piece was chosen, the pawn goes back.
export function promote(ctx: Ctx, create: CreateState, role: Promotion | null): void {
  const asked = create.promotion;
  create.promotion = null;
  if (role && asked) onBoardMove(ctx, create, asked.from, asked.to, role);
  ctx.redraw();
}

export function walk(ctx: Ctx, create: CreateState, to: number): void {
  step(create, to);
  create.errors = {};
  ctx.redraw();
}

export function reset(ctx: Ctx, create: CreateState): void {
  setPosition(create, startFen, []);
  Object.assign(create, { input: '', inputProblem: null, games: [] });
  create.opening = noOpening();
  ctx.redraw();
}

// --- openings

export function searchOpenings(ctx: Ctx, create: CreateState, query: string): void {
  const { opening } = create;
  opening.query = query;
  opening.open = true;
  opening.take = false;
  opening.asked = Boolean(query.trim());
  create.searchSoon();
  create.searching.stop();
  if (!query.trim()) Object.assign(opening, { results: null, active: -1 });
  else create.searchSoon = ctx.clock.after(120, () => run(ctx, runSearch(ctx, create, query.trim())));
  ctx.redraw();
}

async function runSearch(ctx: Ctx, create: CreateState, query: string): Promise<void> {
  const { opening, searching } = create;
  const answer = await searching.ask(signal => ctx.api.openings(query, 30, signal));
  if (!answer) return;
  opening.results = 'value' in answer ? answer.value : [];
  opening.active = opening.results.length ? 0 : -1;
  opening.asked = false;
  const first = opening.results[0];
  if (opening.take && first) chooseOpening(ctx, create, first);
  opening.take = false;
  if ('problem' in answer) toast(ctx, answer.problem.message, { tone: 'bad' });
  ctx.redraw();
}

export function chooseOpening(ctx: Ctx, create: CreateState, line: OpeningLine): void {
  setPosition(create, startFen, line.uci);
  Object.assign(create, { input: '', inputProblem: null, games: [] });
  create.opening = { ...noOpening(), query: line.name };
  ctx.redraw();
}

// Enter: takes what is chosen in the list, or, while that is on its way, what will stand first in it. Returns whether
// the key has done its work: nothing else is to begin while there is something typed that is no opening yet.
export function enterOpening(ctx: Ctx, create: CreateState): boolean {
  const { opening } = create;
  const chosen = opening.asked ? undefined : opening.results?.[opening.active];
  if (chosen && opening.open) chooseOpening(ctx, create, chosen);
  else if (opening.asked) opening.take = true;
  else return opening.results !== null;
  return true;
}

export function closeOpenings(ctx: Ctx, create: CreateState): void {
  create.opening.open = false;
  ctx.redraw();
}

// --- the request

export async function submit(ctx: Ctx, create: CreateState): Promise<void> {
  const request = toRequest(create);
  const over = follow(create.fen, rootMoves(create))?.end;
  create.errors = 'errors' in request ? request.errors : {};
  if (over && 'body' in request)
    create.errors = { position: 'The game is over in this position; there is nothing to analyse.' };
  if (Object.keys(create.errors).length || 'errors' in request) {
    ctx.redraw();
    requestAnimationFrame(() => document.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
    return;
  }
  create.busy = true;
  ctx.redraw();
  const made = await answerOf(ctx.api.create(request.body));
  create.busy = false;
  if ('value' in made) {
    ctx.state.drafts.delete(create.copy);
    ctx.go({ page: 'tree', id: made.value, line: [], tab: 'moves' });
    return;
  }
  create.errors = { [fieldOf(made.problem.where)]: made.problem.message };
  ctx.redraw();
}
