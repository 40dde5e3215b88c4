// A new analysis being set up: a position and what to do with it. Pure; the calls are in createCtrl.
import type { Key } from '@lichess-org/chessground/types';
import { startFen } from '../../chess/chess';
import type { Side } from '../../chess/score';
import type { PresetKey } from '../../setup/presets';
import type { Editor } from './editor';
import { Latest } from '../../data/latest';
import type { Errors } from '../../setup/rules';
import { initialSetup, setupOf, toRequest as setupRequest } from '../../setup/setupState';
import type { Setup } from '../../setup/setupState';
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

export interface CreateState extends Setup {
  fen: string; // start position
  moves: string[]; // UCI from there; the root is after `cursor` of them
  cursor: number;
  game: Game; // that the position is of
  tags: string[]; // of the analysis that was copied
  input: string; // text typed or pasted: FEN, moves, or PGN
  inputProblem: string | null;
  inputKept: boolean; // the problem is of the end only: what comes before it is the position
  games: GameChoice[]; // when a PGN holds more than one
  file: { name: string; pgn: string } | null; // the PGN that the position is of: it is kept with the analysis
  each: boolean; // each of the games becomes an analysis
  rootAt: 'end' | 'start'; // of each
  made: number; // analyses of these games that are made already
  opening: {
    results: OpeningLine[] | null; // null: nothing asked
    active: number; // index chosen by arrow keys
    open: boolean;
    asked: boolean; // what was typed is on its way, `results` are of before
    take: boolean; // the first of them is to be taken when they come
  };
  hold: boolean;
  copy: number | null; // the analysis it was asked to be like
  reading: Latest; // text that the server is asked to read
  readSoon: () => void; // calls off the reading that waits for the next letter
  searching: Latest; // openings
  searchSoon: () => void; // calls off the search that waits for the next letter
  busy: boolean;
  promotion: { from: Key; to: Key } | null; // a pawn that waits for its new piece
  orientation: Side;
  editor: Editor | null; // the position is being set up piece by piece
  number960: string; // typed
  preset: PresetKey | null; // the last one that was chosen
  unfolded: boolean; // all settings are shown
  dropping: boolean; // a file is being dragged over the page
}

export const noOpening = (): CreateState['opening'] => ({
  results: null,
  active: -1,
  open: false,
  asked: false,
  take: false,
});

export const initialCreate = (copy: number | null = null): CreateState => ({
  ...initialSetup(),
  fen: startFen,
  moves: [],
  cursor: 0,
  game: {},
  tags: [],
  input: '',
  inputProblem: null,
  inputKept: false,
  games: [],
  file: null,
  each: false,
  rootAt: 'end',
  made: 0,
  opening: noOpening(),
  hold: false,
  copy,
  reading: new Latest(),
  readSoon: () => undefined,
  searching: new Latest(),
  searchSoon: () => undefined,
  busy: false,
  promotion: null,
  orientation: 'white',
  editor: null,
  number960: '',
  preset: null,
  unfolded: copy !== null,
  dropping: false,
});

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
