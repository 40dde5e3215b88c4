// A new analysis being set up: a position and what to do with it. Pure; the calls are in createCtrl.
import type { Key } from '@lichess-org/chessground/types';
import { startFen } from '../chess';
import type { NewAnalysis, OpeningLine, Strategy } from '../types';
import { readNumber, readPlanFields, readStop, readUntil, readWindow, usesFloor } from '../rules';
import type { Errors } from '../rules';
import { strategyText } from './strategies';

export type LimitKind = 'depth' | 'nodes' | 'movetime_ms';

// Windows by distance and floor, by a plan, or by a plan for each side.
export type PlanMode = 'none' | 'both' | 'sides';

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
  strategyMore: Partial<Strategy>; // of the analysis that was copied: costs
  distance: string;
  refine: string; // "" = goes on without end
  floor: string;
  planMode: PlanMode;
  plan: string; // as plan.ts reads it; White's with `sides`
  planBlack: string;
  stopProven: boolean;
  stopLead: string; // σ, "" = never
  stopLevels: string;
  positions: string; // budget, "" = none
  totalNodes: string;
  engineMinutes: string;
  until: string; // datetime-local
  windowOn: boolean;
  windowFrom: string;
  windowTo: string;
  priority: string;
  hold: boolean;
  busy: boolean;
  errors: Errors;
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
  strategyMore: {},
  distance: '20',
  refine: '6',
  floor: '5',
  planMode: 'none',
  plan: '',
  planBlack: '',
  stopProven: true,
  stopLead: '',
  stopLevels: '2',
  positions: '',
  totalNodes: '',
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

// The request, or what is wrong with the fields.
export function toRequest(create: CreateState): { body: NewAnalysis } | { errors: Errors } {
  const errors: Errors = {};
  const { limitKind } = create;
  const limit = readNumber(errors, `limit.${limitKind}`, create.limitValue, undefined, 'limit');
  const distance = readNumber(errors, 'strategy.move_distance', create.distance);
  const refine = readNumber(errors, 'strategy.refine', create.refine, 0);
  const floor = usesFloor(create.strategy) ? readNumber(errors, 'strategy.floor', create.floor, null) : null;
  const windowed = strategyText(create.strategy).windowed;
  const plan = windowed ? readPlanFields(errors, create.planMode, create.plan, create.planBlack) : null;
  const stop = readStop(errors, create.stopProven, create.stopLead, create.stopLevels);
  const positions = readNumber(errors, 'budget.positions', create.positions, null);
  const nodes = readNumber(errors, 'budget.nodes', create.totalNodes, null);
  const minutes = readNumber(errors, 'budget.engine_seconds', create.engineMinutes, null);
  const priority = readNumber(errors, 'priority', create.priority, 0);
  const until = readUntil(errors, create.until);
  const window = create.windowOn ? readWindow(errors, create.windowFrom, create.windowTo) : null;
  if (create.inputProblem && create.input.trim()) errors['position'] = create.inputProblem;
  if (Object.keys(errors).length) return { errors };

  const moves = rootMoves(create);
  const budget = {
    ...(positions !== null && { positions }),
    ...(nodes !== null && { nodes }),
    ...(minutes !== null && { engine_seconds: minutes * 60 }),
    ...(until !== null && { until }),
  };
  return {
    body: {
      ...(create.name.trim() && { name: create.name.trim() }),
      position: { ...(create.fen !== startFen && { fen: create.fen }), ...(moves.length && { moves }) },
      ...(create.engine && { engine: create.engine }),
      limit: { [limitKind]: limit! },
      strategy: {
        ...create.strategyMore,
        kind: create.strategy,
        move_distance: distance!,
        refine,
        ...(floor !== null && { floor }),
        ...(plan !== null && { plan }),
      },
      ...((!stop.proven || stop.lead > 0) && { stop }),
      ...(Object.keys(budget).length && { budget }),
      ...(window !== null && { window }),
      ...(priority !== 0 && { priority }),
      ...(create.hold && { hold: true }),
    },
  };
}

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
    'strategy.plan.black',
    'strategy.plan',
    'stop.lead',
    'stop.levels',
    'budget.positions',
    'budget.nodes',
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
