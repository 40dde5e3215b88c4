// Which games are reviewed: they are read here, kept on the server as a file of the analysis "Reviewed games", and
// listed from there, on every device.
import { assign, run, toast, type Ctx } from '../../ctx';
import { startFen, sans } from '../../chess/chess';
import { loadAnalyses, needEngines, toggle } from '../../data/entities';
import { answerOf } from '../../data/latest';
import type { ApiError } from '../../data/api';
import type { FileBrought } from '../../data/types';
import { plural } from '../../ui/format';
import { games, type GameText } from '../../chess/games';
import { decode, pgnOf, players, readGame, type Game } from './games';
import type { ReviewState } from './reviewState';

export const analysisName = 'Reviewed games'; // as `adjourn review` calls it: both find each other's work
const largestFile = 64_000_000; // bytes
const longestAsked = 100_000; // characters of a game that the server is asked to read
const largestKept = 7_000_000; // characters of a file
export const mostKept = 2_000; // games of one

export function enter(ctx: Ctx, review: ReviewState): void {
  run(ctx, needEngines(ctx));
  run(ctx, list(ctx, review));
}

// All files of the analyses that search reviews.
async function list(ctx: Ctx, review: ReviewState): Promise<void> {
  const all = await loadAnalyses(ctx);
  if ('problem' in all) return;
  const own = all.value.filter(a => a.name === analysisName);
  const lists = await Promise.all(
    own.map(async ({ id }) => {
      const files = await answerOf(ctx.api.files(id));
      return 'value' in files ? files.value.map(file => ({ id, file })) : [];
    }),
  );
  review.reviewed = lists.flat().sort((a, b) => b.file.at - a.file.at || b.file.id - a.file.id);
  ctx.redraw();
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
    take(review, '');
    review.problem = `${file.name} is too large to read here.`;
  } else
    try {
      take(review, decode(await file.arrayBuffer()));
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
      review.problem = 'The file cannot be read. Has it changed since it was chosen?';
    }
  ctx.redraw();
}

function take(review: ReviewState, source: string): void {
  const found = games(source);
  Object.assign(review, {
    source,
    games: found,
    chosen: found.length === 1 ? 0 : null,
    words: '',
    problem: source.trim() && !found.length ? 'There is no game in it.' : null,
  });
}

export function set(ctx: Ctx, review: ReviewState, fields: Partial<ReviewState>): void {
  Object.assign(review, fields, { problem: null });
  ctx.redraw();
}

// Whether all games can be kept as one file.
export const fits = (review: ReviewState): boolean =>
  review.games.length <= mostKept && review.source.length <= largestKept;

// --- starting

type Wrong = { message: string };

export const startAll = (ctx: Ctx, review: ReviewState): Promise<void> =>
  start(ctx, review, async () => {
    const first = review.games.map(readGame).find((game): game is Game => !('message' in game));
    const kept = await keep(ctx, review, first?.fen ?? startFen, fileOf(review), review.source);
    if ('message' in kept) return kept;
    const { refused } = kept.brought;
    if (refused) toast(ctx, `${plural(refused, 'place')} of the file cannot be read.`, { ms: 10_000 });
    ctx.go({ page: 'review', id: kept.id, file: kept.brought.id, game: null, line: [], at: 0 });
    return null;
  });

export const startOne = (ctx: Ctx, review: ReviewState): Promise<void> =>
  start(ctx, review, async () => {
    const chosen = review.games[review.chosen!]!;
    const game = await read(ctx, chosen);
    if ('message' in game) return game;
    if (game.note) toast(ctx, game.note, { ms: 10_000 });
    // A file is kept whole, where all of it is read here as it is there.
    const whole = review.games.length > 1 && fits(review) && game.text === chosen.text;
    const source = whole ? review.source : game.text;
    const name = whole ? fileOf(review) : players(game.tags) || fileOf(review);
    let kept = await keep(ctx, review, game.fen, name, source);
    let number = 1 + (whole ? review.chosen! : 0);
    if (!('message' in kept) && whole && kept.brought.games !== review.games.length) {
      kept = await keep(ctx, review, game.fen, players(game.tags) || name, game.text);
      number = 1;
    }
    if ('message' in kept) return kept;
    ctx.go({ page: 'review', id: kept.id, file: kept.brought.id, game: number, line: [], at: 0 });
    return null;
  });

async function start(ctx: Ctx, review: ReviewState, begin: () => Promise<Wrong | null>): Promise<void> {
  if (review.busy || !review.games.length) return;
  assign(ctx, review, { busy: true, problem: null });
  try {
    review.problem = (await begin())?.message ?? null;
  } finally {
    review.busy = false;
    ctx.redraw();
  }
}

const fileOf = (review: ReviewState): string => review.file.slice(0, 100) || 'Pasted games';

async function keep(
  ctx: Ctx,
  review: ReviewState,
  fen: string,
  name: string,
  pgn: string,
): Promise<{ id: number; brought: FileBrought } | Wrong> {
  const made = await analysisFor(ctx, fen, Number(review.depth));
  if ('message' in made) return made;
  const brought = await answerOf(ctx.api.addFile(made.id, { name, pgn, seeds: false }));
  return 'value' in brought ? { id: made.id, brought: brought.value } : brought.problem;
}

// What is not understood here is asked of the server, which reads more: other languages above all.
async function read(ctx: Ctx, chosen: GameText): Promise<Game | Wrong> {
  const here = readGame(chosen);
  const whole = !('message' in here) && !here.note;
  if (whole || chosen.text.length > longestAsked) return here;
  const answer = await answerOf(ctx.api.readPosition(chosen.text));
  if ('problem' in answer || !answer.value.moves.length) return here;
  const { start_fen: fen, moves } = answer.value;
  return { tags: chosen.tags, fen, text: pgnOf(chosen.tags, fen, sans(moves)), note: '' };
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
