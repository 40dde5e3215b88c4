// The review of a game: which game is chosen, and what is known of the one that is looked at.
import type { Side } from '../../chess/score';
import type { Review, ReviewedMove } from '../../data/types';
import type { GameText, Tags } from './games';

export interface OpenReview {
  id: number; // the analysis that searches it
  line: string[]; // UCI, the whole game
  tags: Tags;
  clocks: readonly string[]; // after each move; may be empty
  text: string; // the game as it came; "": not known here
  review: Review | null; // null: on its way
  problem: string | null;
  asked: boolean; // the missing positions were asked for
  busy: boolean; // an answer is on its way
  at: number; // how many moves of the game are on the board
  orientation: Side;
  deepened: Set<number>; // plies before which one asked for more
  due: number; // Unix ms at which it is fetched again; Infinity: never
  notSoon: () => void; // calls that off
}

export interface ReviewState {
  text: string; // as pasted
  file: string; // name of the chosen file
  games: GameText[];
  chosen: number | null; // of `games`
  words: string; // search among them
  depth: string;
  problem: string | null;
  busy: boolean; // is being started
  dropping: boolean; // a file is over the page
  open: OpenReview | null;
}

export const initialReview = (): ReviewState => ({
  text: '',
  file: '',
  games: [],
  chosen: null,
  words: '',
  depth: '14',
  problem: null,
  busy: false,
  dropping: false,
  open: null,
});

export const openReview = (id: number, line: string[], at: number, tags: Tags): OpenReview => ({
  id,
  line,
  tags,
  clocks: [],
  text: '',
  review: null,
  problem: null,
  asked: false,
  busy: false,
  at,
  orientation: 'white',
  deepened: new Set(),
  due: Infinity,
  notSoon: () => undefined,
});

export const complete = (review: Review): boolean => review.searched >= review.positions;

// What a person wants to see first: what was lost, not taken, or found where nothing else would do.
export const isMoment = (move: ReviewedMove): boolean => move.judgement !== null || move.missed || move.only;

const glyphs = { inaccuracy: '?!', mistake: '?', blunder: '??' } as const;

export const glyph = (move: ReviewedMove): string =>
  move.judgement ? glyphs[move.judgement] : move.only ? '□' : '';

// The place of the next moment in this direction, or null.
export function nextMoment(review: Review, at: number, step: 1 | -1): number | null {
  for (let i = at + step; i >= 1 && i <= review.moves.length; i += step)
    if (isMoment(review.moves[i - 1]!)) return i;
  return null;
}
