// Setting up a new analysis: position by any road, then the request.
import type { Key } from '@lichess-org/chessground/types';
import { ApiError } from '../api';
import type { Promotion } from '../board/promotionView';
import { boardMove, follow, startFen } from '../chess';
import { explain, run, toast } from '../ctx';
import type { Ctx } from '../ctx';
import { loadOffers } from '../offersCtrl';
import { planText, sidesOf } from '../plan';
import { loadEngines } from '../queue/enginesCtrl';
import type { Analysis, OpeningLine } from '../types';
import { fieldOf, initialCreate, play, rootMoves, setPosition, step, toRequest } from './createState';
import type { CreateState } from './createState';
import { readInput, readPgn } from './positionInput';
import type { Input } from './positionInput';

let search: AbortController | null = null;
let searchTimer: ReturnType<typeof setTimeout> | undefined;
const largestFile = 4_000_000; // bytes of PGN read in the page

export function enter(ctx: Ctx, copy: number | null): void {
  run(ctx, loadOffers(ctx));
  if (copy !== null) run(ctx, copyFrom(ctx, copy));
  run(ctx, loadEngines(ctx));
}

async function copyFrom(ctx: Ctx, id: number): Promise<void> {
  try {
    ctx.state.create = likeAnalysis(await ctx.api.analysis(id));
  } catch (error) {
    toast(ctx, explain(error), { tone: 'bad' });
  }
  ctx.redraw();
}

function likeAnalysis(a: Analysis): CreateState {
  const create = initialCreate();
  setPosition(create, a.start_fen, a.moves);
  const [kind, value] = Object.entries(a.limit)[0] ?? ['depth', 12];
  const [from, to] = a.window?.split('-') ?? [];
  const { plan, ...strategyMore } = a.strategy;
  const [white, black] = plan ? sidesOf(plan).map(planText) : [];
  return {
    ...create,
    name: `${a.name} (copy)`,
    engine: a.engine,
    limitKind: kind as CreateState['limitKind'],
    limitValue: String(value),
    strategy: a.strategy.kind,
    strategyMore,
    planMode: !plan ? 'none' : Array.isArray(plan) ? 'both' : 'sides',
    plan: white ?? '',
    planBlack: black ?? '',
    stopProven: a.stop?.proven ?? true,
    stopLead: a.stop?.lead ? String(a.stop.lead) : '',
    stopLevels: String(a.stop?.levels ?? 2),
    distance: String(a.strategy.move_distance),
    refine: a.strategy.refine ? String(a.strategy.refine) : '',
    floor: String(a.strategy.floor ?? ''),
    positions: a.budget.positions ? String(a.budget.positions) : '',
    totalNodes: a.budget.nodes ? String(a.budget.nodes) : '',
    engineMinutes: a.budget.engine_seconds ? String(Math.round(a.budget.engine_seconds / 60)) : '',
    windowOn: a.window !== null,
    windowFrom: from ?? create.windowFrom,
    windowTo: to ?? create.windowTo,
    priority: String(a.priority),
  };
}

export function set(ctx: Ctx, fields: Partial<CreateState>): void {
  Object.assign(ctx.state.create, fields);
  ctx.state.create.errors = {};
  ctx.redraw();
}

// --- position

export function typed(ctx: Ctx, text: string): void {
  const { create } = ctx.state;
  create.input = text;
  take(create, readInput(text));
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

export function chooseGame(ctx: Ctx, index: number): void {
  const game = ctx.state.create.games[index];
  if (game) setPosition(ctx.state.create, game.fen, game.moves);
  ctx.redraw();
}

export async function dropFile(ctx: Ctx, file: File): Promise<void> {
  const { create } = ctx.state;
  create.dropping = false;
  create.input = '';
  if (file.size > largestFile) create.inputProblem = `${file.name} is too large to read here.`;
  else take(create, readPgn(await file.text()));
  if (create.inputProblem) toast(ctx, create.inputProblem, { tone: 'bad' });
  ctx.redraw();
}

export function onBoardMove(ctx: Ctx, from: Key, to: Key, promotion?: Promotion): void {
  const { create } = ctx.state;
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

export function walk(ctx: Ctx, to: number): void {
  step(ctx.state.create, to);
  ctx.redraw();
}

export function reset(ctx: Ctx): void {
  const { create } = ctx.state;
  setPosition(create, startFen, []);
  Object.assign(create, { input: '', inputProblem: null, games: [] });
  create.opening = { query: '', results: null, active: -1, open: false };
  ctx.redraw();
}

// --- openings

export function searchOpenings(ctx: Ctx, query: string): void {
  const { opening } = ctx.state.create;
  opening.query = query;
  opening.open = true;
  clearTimeout(searchTimer);
  search?.abort();
  if (!query.trim()) Object.assign(opening, { results: null, active: -1 });
  else searchTimer = setTimeout(() => run(ctx, runSearch(ctx, query.trim())), 120);
  ctx.redraw();
}

async function runSearch(ctx: Ctx, query: string): Promise<void> {
  const own = new AbortController();
  search = own;
  const { opening } = ctx.state.create;
  try {
    opening.results = await ctx.api.openings(query, 30, own.signal);
    opening.active = opening.results.length ? 0 : -1;
  } catch (error) {
    if (own.signal.aborted) return;
    opening.results = [];
    toast(ctx, explain(error), { tone: 'bad' });
  }
  ctx.redraw();
}

export function chooseOpening(ctx: Ctx, line: OpeningLine): void {
  const { create } = ctx.state;
  setPosition(create, startFen, line.uci);
  Object.assign(create, { input: '', inputProblem: null, games: [] });
  create.opening = { query: line.name, results: null, active: -1, open: false };
  ctx.redraw();
}

export function closeOpenings(ctx: Ctx): void {
  ctx.state.create.opening.open = false;
  ctx.redraw();
}

// --- the request

export async function submit(ctx: Ctx): Promise<void> {
  const { create } = ctx.state;
  const request = toRequest(create);
  const over = follow(create.fen, rootMoves(create))?.end;
  if ('errors' in request) create.errors = request.errors;
  else if (over)
    create.errors = { position: 'The game is over in this position; there is nothing to analyse.' };
  if (Object.keys(create.errors).length || 'errors' in request) {
    ctx.redraw();
    requestAnimationFrame(() => document.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
    return;
  }
  create.busy = true;
  ctx.redraw();
  try {
    const id = await ctx.api.create(request.body);
    ctx.state.create = initialCreate();
    ctx.go({ page: 'tree', id, line: [], tab: 'moves' });
  } catch (error) {
    create.busy = false;
    if (error instanceof ApiError) create.errors = { [fieldOf(error.where)]: error.message };
    else throw error;
    ctx.redraw();
  }
}
