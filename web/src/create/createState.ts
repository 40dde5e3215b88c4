// A new analysis being set up: a position and what to do with it. Pure; the calls are in createCtrl.
import type { Key } from '@lichess-org/chessground/types';
import { startFen } from '../chess';
import type { NewAnalysis, OpeningLine } from '../types';
import { strategyText } from './strategies';

export type LimitKind = 'depth' | 'nodes' | 'movetime_ms';

export interface GameChoice {
  label: string;
  fen: string;
  moves: string[];
}

export interface CreateState {
  fen: string; // start position
  moves: string[]; // UCI from there; the root is after `cursor` of them
  cursor: number;
  input: string; // text typed or pasted: FEN, moves, or PGN
  inputProblem: string | null;
  games: GameChoice[]; // when a PGN holds more than one
  opening: {
    query: string;
    results: OpeningLine[] | null; // null: nothing asked
    active: number; // index chosen by arrow keys
    open: boolean;
  };
  name: string;
  engine: string | null; // null = the default one
  limitKind: LimitKind;
  limitValue: string;
  strategy: string;
  distance: string;
  refine: string; // "" = goes on without end
  floor: string;
  positions: string; // budget, "" = none
  engineMinutes: string;
  until: string; // datetime-local
  windowOn: boolean;
  windowFrom: string;
  windowTo: string;
  priority: string;
  hold: boolean;
  busy: boolean;
  errors: Record<string, string>; // field → what is wrong; "" = nowhere in particular
  promotion: { from: Key; to: Key } | null; // a pawn that waits for its new piece
  dropping: boolean; // a file is being dragged over the page
}

export const initialCreate = (): CreateState => ({
  fen: startFen,
  moves: [],
  cursor: 0,
  input: '',
  inputProblem: null,
  games: [],
  opening: { query: '', results: null, active: -1, open: false },
  name: '',
  engine: null,
  limitKind: 'depth',
  limitValue: '12',
  strategy: 'halving',
  distance: '20',
  refine: '6',
  floor: '5',
  positions: '',
  engineMinutes: '',
  until: '',
  windowOn: false,
  windowFrom: '22:00',
  windowTo: '07:00',
  priority: '0',
  hold: false,
  busy: false,
  errors: {},
  promotion: null,
  dropping: false,
});

export const rootMoves = (create: CreateState): string[] => create.moves.slice(0, create.cursor);

export function setPosition(create: CreateState, fen: string, moves: string[]): void {
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

interface NumberRule {
  field: string;
  text: string;
  min: number;
  max: number;
  what: string;
  optional?: boolean;
}

function readNumber(rule: NumberRule, errors: Record<string, string>): number | undefined {
  const text = rule.text.trim();
  if (!text && rule.optional) return undefined;
  const value = Number(text);
  if (!text || !Number.isInteger(value) || value < rule.min || value > rule.max) {
    errors[rule.field] = `${rule.what} is a whole number from ${rule.min} to ${rule.max}.`;
    return undefined;
  }
  return value;
}

const limitRules: Record<LimitKind, { max: number; what: string }> = {
  depth: { max: 245, what: 'The depth' },
  nodes: { max: 1e12, what: 'The number of nodes' },
  movetime_ms: { max: 86_400_000, what: 'The time' },
};

// The request, or what is wrong with the fields.
export function toRequest(create: CreateState): { body: NewAnalysis } | { errors: Record<string, string> } {
  const errors: Record<string, string> = {};
  const read = (field: string, text: string, min: number, max: number, what: string, optional = false) =>
    readNumber({ field, text, min, max, what, optional }, errors);
  const rule = limitRules[create.limitKind];
  const limit = read('limit', create.limitValue, 1, rule.max, rule.what);
  const distance = read('strategy.move_distance', create.distance, 0, 10_000, 'The move distance');
  const refine = read(
    'strategy.refine',
    create.refine,
    0,
    200,
    strategyText(create.strategy).windowed ? 'The depth of the tree' : 'The number of levels',
    true,
  );
  const floor = strategyText(create.strategy).floor
    ? read('strategy.floor', create.floor, 0, 10_000, 'The narrowest window', true)
    : undefined;
  const positions = read('budget.positions', create.positions, 1, 1e12, 'The number of positions', true);
  const minutes = read('budget.engine_seconds', create.engineMinutes, 1, 1e8, 'The engine time', true);
  const priority = read('priority', create.priority, -100, 100, 'The priority', true);
  let until: number | undefined;
  if (create.until) {
    until = new Date(create.until).getTime();
    if (!Number.isFinite(until)) errors['budget.until'] = 'This is not a date and time.';
  }
  if (create.windowOn && !(isClock(create.windowFrom) && isClock(create.windowTo)))
    errors['window'] = 'Times are written like 22:00.';
  if (create.windowOn && create.windowFrom === create.windowTo)
    errors['window'] = 'The window begins and ends at the same time.';
  if (create.inputProblem && create.input.trim()) errors['position'] = create.inputProblem;
  if (Object.keys(errors).length) return { errors };

  const moves = rootMoves(create);
  const budget = {
    ...(positions !== undefined && { positions }),
    ...(minutes !== undefined && { engine_seconds: minutes * 60 }),
    ...(until !== undefined && { until }),
  };
  return {
    body: {
      ...(create.name.trim() && { name: create.name.trim() }),
      position: { ...(create.fen !== startFen && { fen: create.fen }), ...(moves.length && { moves }) },
      ...(create.engine && { engine: create.engine }),
      limit: { [create.limitKind]: limit! },
      strategy: {
        kind: create.strategy,
        move_distance: distance!,
        refine: refine ?? 0,
        ...(floor !== undefined && { floor }),
      },
      ...(Object.keys(budget).length && { budget }),
      ...(create.windowOn && { window: `${create.windowFrom}-${create.windowTo}` }),
      ...(priority !== undefined && priority !== 0 && { priority }),
      ...(create.hold && { hold: true }),
    },
  };
}

const isClock = (text: string): boolean => /^([01]\d|2[0-3]):[0-5]\d$|^24:00$/.test(text);

// The field an error of the server belongs to: "strategy.move_distance" → itself, "position.moves[3]" → "position".
export function fieldOf(where: string): string {
  const known = [
    'name',
    'engine',
    'limit',
    'strategy.kind',
    'strategy.move_distance',
    'strategy.refine',
    'strategy.floor',
    'budget.positions',
    'budget.engine_seconds',
    'budget.until',
    'window',
    'priority',
    'position',
  ];
  return (
    known.find(field => where === field || where.startsWith(`${field}.`) || where.startsWith(`${field}[`)) ??
    ''
  );
}
