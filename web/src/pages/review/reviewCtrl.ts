// Reviewing a game: it is read here, searched by the analysis "Reviewed games", and looked at as the answers come.
import { attempt, run, toast } from '../../ctx';
import type { Ctx } from '../../ctx';
import { startFen } from '../../chess/chess';
import { loadAnalyses, loadAnalysis, needEngines, toggle } from '../../data/entities';
import { answerOf } from '../../data/latest';
import { load as loadPref, save } from '../../data/prefs';
import type { ApiError } from '../../data/api';
import type { Analysis } from '../../data/types';
import type { Route } from '../../router';
import { copyText } from '../../ui/copy';
import { saveFile } from '../../ui/download';
import { fileName } from '../../ui/format';
import { decode, games, players, readGame, tagOf } from './games';
import type { Game, GameText, Tags } from './games';
import { complete, initialReview, openReview } from './reviewState';
import type { OpenReview, ReviewState } from './reviewState';

export type ReviewRoute = Extract<Route, { page: 'review' }>;

const analysisName = 'Reviewed games'; // as `adjourn review` calls it: both find each other's work
const largestFile = 64_000_000; // bytes
const longestAsked = 100_000; // characters of a game that the server is asked to read
const mostKept = 30;

export function enter(ctx: Ctx, route: ReviewRoute): void {
  const { state } = ctx;
  const review = (state.review ??= initialReview());
  if (route.id === null) {
    leave(ctx);
    review.open = null;
    run(ctx, needEngines(ctx));
    return;
  }
  const { open } = review;
  if (open?.id === route.id && open.line.join() === route.line.join()) {
    open.at = route.at;
    return;
  }
  leave(ctx);
  const found = kept().find(k => k.id === route.id && k.line === route.line.join());
  review.open = openReview(route.id, route.line, route.at, found?.tags ?? []);
  review.open.clocks = found?.clocks ?? [];
  review.open.text = found?.text ?? '';
  run(ctx, loadAnalysis(ctx, route.id));
  run(ctx, refresh(ctx, review.open));
}

export function leave(ctx: Ctx): void {
  const open = ctx.state.review?.open;
  if (!open) return;
  open.notSoon();
  open.due = Infinity;
  ctx.state.review!.open = null;
}

// --- the choice

export function pasted(ctx: Ctx, review: ReviewState, text: string): void {
  Object.assign(review, { text, file: '' });
  take(review, text);
  ctx.redraw();
}

export async function chooseFile(ctx: Ctx, review: ReviewState, file: File | null): Promise<void> {
  review.dropping = false;
  ctx.redraw();
  if (!file) return;
  Object.assign(review, { file: file.name, text: '' });
  if (file.size > largestFile) {
    Object.assign(review, { games: [], chosen: null, problem: `${file.name} is too large to read here.` });
  } else
    try {
      take(review, decode(await file.arrayBuffer()));
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
      review.problem = 'The file cannot be read. Has it changed since it was chosen?';
    }
  ctx.redraw();
}

function take(review: ReviewState, text: string): void {
  const found = games(text);
  Object.assign(review, {
    games: found,
    chosen: found.length === 1 ? 0 : null,
    words: '',
    problem: text.trim() && !found.length ? 'There is no game in it.' : null,
  });
}

export function set(ctx: Ctx, review: ReviewState, fields: Partial<ReviewState>): void {
  Object.assign(review, fields, { problem: null });
  ctx.redraw();
}

// --- starting

export async function start(ctx: Ctx, review: ReviewState): Promise<void> {
  const chosen = review.chosen === null ? null : review.games[review.chosen];
  if (!chosen || review.busy) return;
  const depth = Number(review.depth);
  Object.assign(review, { busy: true, problem: null });
  ctx.redraw();
  const game = await read(ctx, chosen);
  const made = 'message' in game ? game : await analysisFor(ctx, game.fen, depth);
  review.busy = false;
  if ('message' in game || 'message' in made) {
    review.problem = 'message' in game ? game.message : 'message' in made ? made.message : null;
    ctx.redraw();
    return;
  }
  if (game.note) toast(ctx, game.note, { ms: 10_000 });
  keep(made.id, game, ctx.clock.now());
  ctx.go({ page: 'review', id: made.id, line: game.moves, at: 0 });
}

// What is not understood here is asked of the server, which reads more: other languages above all.
async function read(ctx: Ctx, chosen: GameText): Promise<Game | { message: string }> {
  const here = readGame(chosen);
  const whole = !('message' in here) && !here.note;
  if (whole || chosen.text.length > longestAsked) return here;
  const answer = await answerOf(ctx.api.readPosition(chosen.text));
  if ('problem' in answer) return here;
  const { start_fen: fen, moves } = answer.value;
  return moves.length
    ? { tags: chosen.tags, fen, text: '', moves: moves.map(m => m.uci), clocks: [], note: '' }
    : here;
}

// One analysis for all games from the same position, searched in the same way.
async function analysisFor(ctx: Ctx, fen: string, depth: number): Promise<{ id: number } | ApiError> {
  const all = await loadAnalyses(ctx);
  if ('problem' in all) return all.problem;
  await needEngines(ctx);
  const engine = ctx.state.store.engines.all()[0]?.name;
  const known = all.value.find(
    a =>
      a.name === analysisName &&
      a.fen === fen &&
      (engine === undefined || a.engine === engine) &&
      'depth' in a.limit &&
      a.limit.depth === depth,
  );
  if (known?.hold) await toggle(ctx, known);
  if (known) return known;
  const made = await answerOf(
    ctx.api.create({
      name: analysisName,
      position: fen === startFen ? {} : { fen },
      limit: { depth },
      strategy: { refine: 1 },
    }),
  );
  return 'value' in made ? { id: made.value } : made.problem;
}

// --- looking at it

export const analysisOf = (ctx: Ctx, open: OpenReview): Analysis | null =>
  ctx.state.store.analyses.get(open.id);

export async function refresh(ctx: Ctx, open: OpenReview): Promise<void> {
  if (open.busy) return;
  open.busy = true;
  const answer = await answerOf(ctx.api.review(open.id, open.line));
  open.busy = false;
  if (ctx.state.review?.open !== open) return;
  if ('value' in answer) Object.assign(open, { review: answer.value, problem: null });
  else if (answer.problem.status !== 503 && !(answer.problem.unreachable && open.review))
    open.problem = answer.problem.message; // 503: its engine has not said yet who it is, or its graph is being read
  ctx.redraw();
  if ('problem' in answer && answer.problem.status === 503) return refreshSoon(ctx, open, 500);
  if (open.review && !complete(open.review) && !open.asked) await ask(ctx, open);
}

async function ask(ctx: Ctx, open: OpenReview): Promise<void> {
  open.asked = true;
  const answer = await answerOf(ctx.api.searchGame(open.id, open.line));
  if ('value' in answer) return refreshSoon(ctx, open, 300);
  if (answer.problem.status === 503) {
    open.asked = false;
    return refreshSoon(ctx, open, 1000);
  }
  toast(ctx, answer.problem.message, { tone: 'bad', ms: 10_000 });
}

// Fetches again in `ms` at the latest.
export function refreshSoon(ctx: Ctx, open: OpenReview, ms: number): void {
  const at = ctx.clock.now() + ms;
  if (at >= open.due) return;
  open.notSoon();
  open.due = at;
  open.notSoon = ctx.clock.after(ms, () => {
    open.due = Infinity;
    if (open.busy) refreshSoon(ctx, open, 200);
    else run(ctx, refresh(ctx, open));
  });
}

export function walk(ctx: Ctx, open: OpenReview, at: number): void {
  const to = Math.max(0, Math.min(open.line.length, at));
  ctx.go({ page: 'review', id: open.id, line: open.line, at: to }, 'replace');
}

export function flip(ctx: Ctx, open: OpenReview): void {
  open.orientation = open.orientation === 'white' ? 'black' : 'white';
  ctx.redraw();
}

// More search at the position before the move that is looked at: the moment becomes clearer.
export async function deepen(ctx: Ctx, open: OpenReview): Promise<void> {
  const before = Math.max(0, open.at - 1);
  open.deepened.add(before);
  ctx.redraw();
  const moves = open.line.slice(0, before);
  const answer = await answerOf(ctx.api.direct(open.id, { moves, action: 'deepen' }));
  if ('problem' in answer) {
    open.deepened.delete(before);
    toast(ctx, answer.problem.message, { tone: 'bad' });
    return;
  }
  refreshSoon(ctx, open, 1000);
  const { at } = answer.value;
  const undo = async (): Promise<void> => {
    close();
    if (await attempt(ctx, () => ctx.api.direct(open.id, { moves, action: 'retract', at })))
      open.deepened.delete(before);
    ctx.redraw();
  };
  const close = toast(ctx, 'This move is searched deeper.', {
    ms: 7000,
    action: { label: 'Undo', run: () => run(ctx, undo()) },
  });
}

// --- taking it along

// The game as it came, with what was found; only its moves where it is not here any more.
export const pgn = (ctx: Ctx, open: OpenReview): Promise<string> =>
  open.text ? ctx.api.annotate(open.id, open.text) : ctx.api.reviewPgn(open.id, open.line);

export const gameFile = (open: OpenReview, ending: string): string =>
  `${fileName([players(open.tags), tagOf(open.tags, 'Date')].filter(Boolean).join(' ') || 'game')}-review.${ending}`;

export const download = (ctx: Ctx, open: OpenReview): Promise<boolean> =>
  attempt(ctx, async () =>
    saveFile(
      gameFile(open, 'pgn'),
      new Blob([await pgn(ctx, open)], { type: 'application/x-chess-pgn;charset=utf-8' }),
    ),
  );

export const copy = (ctx: Ctx, open: OpenReview): Promise<boolean> =>
  attempt(ctx, async () => copyText(ctx, await pgn(ctx, open), 'PGN'));

// --- the games that this browser has reviewed

export interface Kept {
  id: number;
  line: string;
  tags: Tags;
  clocks?: string[]; // where the file told them
  text?: string; // the game as it came
  at: number; // Unix ms
}

export function kept(): Kept[] {
  try {
    const parsed: unknown = JSON.parse(loadPref('reviews') ?? '[]');
    return Array.isArray(parsed) ? (parsed as Kept[]) : [];
  } catch {
    return []; // not ours
  }
}

function keep(id: number, game: Game, at: number): void {
  const line = game.moves.join();
  const others = kept().filter(k => k.id !== id || k.line !== line);
  const all: Kept[] = [
    {
      id,
      line,
      tags: game.tags,
      at,
      ...(game.clocks.some(Boolean) && { clocks: game.clocks }),
      ...(game.text.length <= longestAsked && { text: game.text }),
    },
    ...others,
  ].slice(0, mostKept);
  save('reviews', JSON.stringify(all));
}
