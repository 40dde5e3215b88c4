// The review of games: which are chosen, the table of a file, and what is known of the game that is looked at.
import type { Key } from '@lichess-org/chessground/types';
import type { Side } from '../../chess/score';
import type { FileReview, GameReview, ListedFile, Review, ReviewedMove, Score } from '../../data/types';
import type { GameText, Tags } from './games';

// What is fetched again and again until all of it is searched.
export interface Followed {
  id: number; // the analysis that searches it
  problem: string | null;
  asked: boolean; // the missing positions were asked for
  busy: boolean; // an answer is on its way
  due: number; // Unix ms at which it is fetched again; Infinity: never
  notSoon: () => void; // calls that off
  refresh: () => Promise<void>;
}

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

export interface OpenReview extends Followed {
  file: number | null; // null: the game along a line
  game: number | null;
  line: string[]; // UCI, the whole game; empty: not known yet
  tags: Tags;
  clocks: readonly string[]; // after each move; may be empty
  review: Review | null; // null: on its way
  beside: Pick<GameReview, 'file' | 'previous' | 'next'> | null; // null: it is of no file
  at: number; // how many moves of the game are on the board
  orientation: Side;
  deepened: Set<number>; // plies before which one asked for more
  trying: Trying | null;
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

export interface OpenTable extends Followed {
  file: number;
  table: FileReview | null; // null: on its way
  sort: SortColumn;
  down: boolean;
}

export interface ReviewState {
  text: string; // as pasted
  file: string; // name of the chosen file
  source: string; // the text with the games
  games: GameText[];
  chosen: number | null; // of `games`
  words: string; // search among them
  depth: string;
  problem: string | null;
  busy: boolean; // is being started
  dropping: boolean; // a file is over the page
  reviewed: { id: number; file: ListedFile }[] | null; // the newest first; null: on their way
  open: OpenReview | null;
  table: OpenTable | null;
}

export const initialReview = (): ReviewState => ({
  text: '',
  file: '',
  source: '',
  games: [],
  chosen: null,
  words: '',
  depth: '14',
  problem: null,
  busy: false,
  dropping: false,
  reviewed: null,
  open: null,
  table: null,
});

const followed = (id: number): Followed => ({
  id,
  problem: null,
  asked: false,
  busy: false,
  due: Infinity,
  notSoon: () => undefined,
  refresh: () => Promise.resolve(),
});

export const openReview = (
  id: number,
  of: { file: number | null; game: number | null; line: string[]; at: number },
): OpenReview => ({
  ...followed(id),
  file: of.file,
  game: of.game,
  line: of.line,
  tags: [],
  clocks: [],
  review: null,
  beside: null,
  at: of.at,
  orientation: 'white',
  deepened: new Set(),
  trying: null,
});

export const openTable = (id: number, file: number): OpenTable => ({
  ...followed(id),
  file,
  table: null,
  sort: 'number',
  down: false,
});

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
