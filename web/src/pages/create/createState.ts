// A new analysis being set up: a position and what to do with it. Pure; the calls are in createCtrl.
import { nothing } from '../../data/clock';
import type { Key } from '@lichess-org/chessground/types';
import { startFen } from '../../chess/chess';
import type { Side } from '../../chess/score';
import type { PresetKey } from '../../setup/presets';
import type { Editor } from './editor';
import { Latest } from '../../data/latest';
import type { Errors } from '../../setup/rules';
import { initialSetup, setupOf, toRequest as setupRequest, type Setup } from '../../setup/setupState';
import type { Analysis, Game, NewAnalysis, OpeningLine } from '../../data/types';

export interface GameChoice {
  label: string;
  title: string; // chapter, players, or event
  fen: string;
  moves: string[];
  game: Game; // its tags
  pgn: string; // its own text
  note?: string; // why only the moves up to there are taken
}

export const noOpening = () => ({
  results: null as OpeningLine[] | null, // null: nothing asked
  active: -1, // index chosen by arrow keys
  open: false,
  asked: false, // what was typed is on its way, `results` are of before
  take: false, // the first of them is to be taken when they come
});

export const initialCreate = (copy: number | null = null) => ({
  ...initialSetup(),
  fen: startFen, // start position
  moves: [] as string[], // UCI from there; the root is after `cursor` of them
  cursor: 0,
  game: {} as Game, // that the position is of
  tags: [] as string[], // of the analysis that was copied
  input: '', // text typed or pasted: FEN, moves, or PGN
  inputProblem: null as string | null,
  inputKept: false, // the problem is of the end only: what comes before it is the position
  games: [] as GameChoice[], // when a PGN holds more than one
  file: null as { name: string; pgn: string } | null, // the PGN that the position is of: it is kept with the analysis
  each: false, // each of the games becomes an analysis
  rootAt: 'end' as 'end' | 'start', // of each
  made: 0, // analyses of these games that are made already
  opening: noOpening(),
  hold: false,
  copy, // the analysis it was asked to be like
  reading: new Latest(), // text that the server is asked to read
  readSoon: nothing, // calls off the reading that waits for the next letter
  searching: new Latest(), // openings
  searchSoon: nothing, // calls off the search that waits for the next letter
  busy: false,
  promotion: null as { from: Key; to: Key } | null, // a pawn that waits for its new piece
  orientation: 'white' as Side,
  editor: null as Editor | null, // the position is being set up piece by piece
  number960: '', // typed
  preset: null as PresetKey | null, // the last one that was chosen
  unfolded: copy !== null, // all settings are shown
  dropping: false, // a file is being dragged over the page
});

export type CreateState = ReturnType<typeof initialCreate>;

export const rootMoves = (create: CreateState): string[] => create.moves.slice(0, create.cursor);

export function setPosition(create: CreateState, fen: string, moves: string[], game: Game = {}): void {
  create.game = game;
  create.fen = fen;
  create.moves = moves;
  create.cursor = moves.length;
  create.errors = {};
}

// A move played on the board: cuts what came after.
export function play(create: CreateState, uci: string): void {
  if (create.moves[create.cursor] !== uci) create.moves = [...create.moves.slice(0, create.cursor), uci];
  create.cursor++;
}

export function step(create: CreateState, to: number): void {
  create.cursor = Math.max(0, Math.min(create.moves.length, to));
}

// The request, or what is wrong with the fields.
export function toRequest(create: CreateState): { body: NewAnalysis } | { errors: Errors } {
  const errors: Errors = {};
  const wish = setupRequest(create, errors);
  if (create.inputProblem && !create.inputKept && (create.input.trim() || create.editor))
    errors['position'] = create.inputProblem;
  if (Object.keys(errors).length) return { errors };
  const moves = rootMoves(create);
  const { clock, ...game } = create.game;
  if (clock && create.cursor === create.moves.length) Object.assign(game, { clock }); // it is of the last move
  return {
    body: {
      ...wish,
      position: { ...(create.fen !== startFen && { fen: create.fen }), ...(moves.length && { moves }) },
      ...(create.hold && { hold: true }),
      ...(create.tags.length && { tags: create.tags }),
      ...(Object.keys(game).length && { game }),
    },
  };
}

// The same form for one of the games.
export function ofGame(create: CreateState, { fen, moves, game, title }: GameChoice): CreateState {
  const name = create.name.trim() ? `${create.name.trim()}: ${title}` : title;
  return {
    ...create,
    fen,
    moves,
    cursor: create.rootAt === 'end' ? moves.length : 0,
    game,
    name: [...name].slice(0, 50).join(''), // 200 bytes
    inputProblem: null,
  };
}

// What has no field.
const hidden: readonly (keyof Setup)[] = ['errors', 'strategyMore', 'accept'];

// Makes it the same position with the same settings, until when apart: that moment may be gone. What was typed
// while the analysis was on its way stays.
export function becomeLike(create: CreateState, a: Analysis): void {
  const blank = initialCreate();
  const copied = { ...setupOf(a), name: `${a.name} (copy)`, until: '' };
  const typed = (Object.keys(copied) as (keyof Setup)[]).filter(
    key => !hidden.includes(key) && create[key] !== blank[key],
  );
  const kept = Object.fromEntries(typed.map(key => [key, create[key]]));
  Object.assign(create, copied, kept);
  if (!create.input && create.fen === blank.fen && !create.moves.length)
    setPosition(create, a.start_fen, a.moves, a.game);
  create.tags = a.tags;
}
