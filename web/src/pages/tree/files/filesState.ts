// The files of an analysis: their list, the game that is open, and what is being written in it.
import type { DrawShape } from '@lichess-org/chessground/draw';
import type { Game } from '../../../chess/gameTree';
import type { ListedFile, Told } from '../../../data/types';
import { Latest } from '../../../data/latest';

// What the board of the page does while a game is open.
export interface GameBoard {
  shapes: DrawShape[]; // of the chosen move, where it is on the board
  draw: ((shape: DrawShape) => void) | null; // null: what is drawn is a note of the analysis
  play: ((uci: string) => void) | null; // is told of a move that somebody plays
}

export interface OpenGame {
  file: number;
  name: string;
  game: Game;
  at: number | null; // the chosen move, 0: the start; null: the board shows what is not in the game
  editing: boolean;
  draft: { at: number; kind: 'comment' | 'comment_before'; text: string } | null; // not sent yet
  saving: Promise<void>; // the changes before
  shown: number; // moves that are drawn at most
}

export const initialFiles = () => ({
  list: null as ListedFile[] | null, // null: on its way
  problem: null as string | null,
  listing: new Latest(),
  opening: new Latest(),
  rows: 50, // games of a file that are listed at most
  adding: false, // the form is open
  pasted: '',
  sending: false,
  dropping: false, // a file is held over the list
  renaming: null as { id: number; name: string } | null,
  told: null as { name: string; more: number; places: Told } | null, // of what was brought last
  open: null as OpenGame | null,
  board: null as GameBoard | null, // null: no game is open
});

export type FilesState = ReturnType<typeof initialFiles>;

// "Kasparov – Topalov", as far as the tags say.
export function playersOf(tags: Readonly<Record<string, string>>): string {
  const known = (value: string | undefined): string => (value && value !== '?' ? value : '');
  const sides = [known(tags['White']), known(tags['Black'])].filter(Boolean).join(' – ');
  return sides || known(tags['Event']) || 'Game';
}

// What else there is to tell: event, date, result; "?" says nothing.
export function factsOf(tags: Readonly<Record<string, string>>): string {
  const players = playersOf(tags);
  return ['Event', 'Date', 'Result']
    .map(name => (tags[name] ?? '').replace(/[.?]+$/, ''))
    .filter(value => value && value !== '*' && value !== players)
    .join(', ');
}
