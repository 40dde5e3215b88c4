// The review of games: which are chosen, the table of a file, and what is known of the game that is looked at.
import { nothing } from '../../data/clock';
import type { Key } from '@lichess-org/chessground/types';
import type { Side } from '../../chess/score';
import type { FileReview, GameReview, ListedFile, Review, ReviewedMove, Score } from '../../data/types';
import type { GameText, Tags } from '../../chess/games';

// A position of the game whose better move the reader looks for.
export interface Trying {
  side: Side | 'both'; // whose moments
  at: number; // the move that was played, as OpenReview.at would have it behind it
  tried: string[]; // UCI, wrong ones
  said: Verdict | null; // of the last try
  shown: boolean; // the answer was asked for
  asking: boolean; // the tree is asked what it knows
  promotion: { from: Key; to: Key } | null;
  right: number; // moments that were found at once
  done: number; // moments before this one
  typed: string;
}

export interface Verdict {
  uci: string;
  san: string;
  kind: 'right' | 'wrong' | 'played' | 'unknown' | 'searching';
  score: Score | null; // of the move, where it is known
  loss: number | null; // in winning chances, against the best one
}

export type SortColumn =
  | 'number'
  | 'White'
  | 'Black'
  | 'Event'
  | 'Date'
  | 'Result'
  | 'plies'
  | 'white'
  | 'black'
  | 'worst';

export const initialReview = () => ({
  text: '', // as pasted
  file: '', // name of the chosen file
  source: '', // the text with the games
  games: [] as GameText[],
  chosen: null as number | null, // of `games`
  words: '', // search among them
  depth: '14',
  problem: null as string | null,
  busy: false, // is being started
  dropping: false, // a file is over the page
  reviewed: null as { id: number; file: ListedFile }[] | null, // the newest first; null: on their way
  open: null as OpenReview | null,
  table: null as OpenTable | null,
});

export type ReviewState = ReturnType<typeof initialReview>;

// What is fetched again and again until all of it is searched.
const followed = (id: number) => ({
  id, // the analysis that searches it
  problem: null as string | null,
  asked: false, // the missing positions were asked for
  busy: false, // an answer is on its way
  due: Infinity, // Unix ms at which it is fetched again; Infinity: never
  notSoon: nothing, // calls that off
  refresh: (): Promise<void> => Promise.resolve(),
});

export type Followed = ReturnType<typeof followed>;

export const openReview = (
  id: number,
  of: { file: number | null; game: number | null; line: string[]; at: number },
) => ({
  ...followed(id),
  file: of.file as number | null, // null: the game along a line
  game: of.game as number | null,
  line: of.line as string[], // UCI, the whole game; empty: not known yet
  tags: [] as Tags,
  clocks: [] as readonly string[], // after each move; may be empty
  review: null as Review | null, // null: on its way
  beside: null as Pick<GameReview, 'file' | 'previous' | 'next'> | null, // null: it is of no file
  at: of.at, // how many moves of the game are on the board
  orientation: 'white' as Side,
  deepened: new Set<number>(), // plies before which one asked for more
  trying: null as Trying | null,
});

export type OpenReview = ReturnType<typeof openReview>;

export const openTable = (id: number, file: number) => ({
  ...followed(id),
  file,
  table: null as FileReview | null, // null: on its way
  sort: 'number' as SortColumn,
  down: false,
});

export type OpenTable = ReturnType<typeof openTable>;

export const complete = (review: Pick<Review, 'searched' | 'positions'>): boolean =>
  review.searched >= review.positions;

// What a person wants to see first: what was lost, not taken, or found where nothing else would do.
export const isMoment = (move: ReviewedMove): boolean => move.judgement !== null || move.missed || move.only;

// Where there was a better move to be found.
export const isToFind = (move: ReviewedMove): boolean =>
  (move.judgement === 'mistake' || move.judgement === 'blunder' || move.missed) &&
  move.line.length > 0 &&
  move.line[0]!.uci !== move.uci;

// Whoever walks elsewhere looks for nothing any more.
export function follows(open: OpenReview): void {
  if (open.trying && open.trying.at - 1 !== open.at) open.trying = null;
}

const glyphs = { inaccuracy: '?!', mistake: '?', blunder: '??' } as const;

export const glyph = (move: Pick<ReviewedMove, 'judgement'> & { only?: boolean }): string =>
  move.judgement ? glyphs[move.judgement] : move.only ? '□' : '';

// The place of the next moment in this direction, or null.
export function nextMoment(review: Review, at: number, step: 1 | -1): number | null {
  for (let i = at + step; i >= 1 && i <= review.moves.length; i += step)
    if (isMoment(review.moves[i - 1]!)) return i;
  return null;
}
