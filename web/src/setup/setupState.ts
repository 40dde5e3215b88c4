// What an analysis is to do, as the texts of its form: of a new one, or of one whose settings change. Pure.
import { toLocalInput } from '../ui/format';
import type {
  Analysis,
  AnalysisPatch,
  Budget,
  Limit,
  NewAnalysis,
  Stop,
  Strategy,
  StrategyKind,
} from '../data/types';
import { planText, sidesOf } from './plan';
import {
  minutesText,
  readMinutes,
  readNumber,
  readPlanFields,
  readStop,
  readUntil,
  readWindow,
} from './rules';
import type { Errors } from './rules';
import { strategyText } from './strategies';

export type LimitKind = keyof Limit;

// Windows by distance and floor, by a plan, or by a plan for each side.
export type PlanMode = 'none' | 'both' | 'sides';

export interface Setup {
  name: string;
  engine: string | null; // null = the default one
  limitKind: LimitKind;
  limitValue: string;
  strategy: StrategyKind;
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
  fiftyMoves: boolean; // the rule counts
  accept: string[]; // of the analysis that was copied: whose evaluations count
  errors: Errors;
}

export const initialSetup = (): Setup => ({
  name: '',
  engine: null,
  limitKind: 'depth',
  limitValue: '12',
  strategy: 'anchored',
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
  fiftyMoves: true,
  accept: [],
  errors: {},
});

const textOf = (value: number | undefined): string => (value ? String(value) : '');

// The form as it shows an analysis.
export function setupOf(a: Analysis): Setup {
  const blank = initialSetup();
  const [kind, value] = Object.entries(a.limit)[0] ?? ['depth', 12];
  const { plan, ...strategyMore } = a.strategy;
  const [white = '', black = ''] = plan ? sidesOf(plan).map(planText) : [];
  const [from = blank.windowFrom, to = blank.windowTo] = a.window?.split('-') ?? [];
  const both = Array.isArray(plan);
  return {
    ...blank,
    name: a.name,
    engine: a.engine,
    limitKind: kind as LimitKind,
    limitValue: String(value),
    strategy: a.strategy.kind,
    strategyMore,
    distance: String(a.strategy.move_distance),
    refine: textOf(a.strategy.refine),
    floor: String(a.strategy.floor ?? ''),
    planMode: !plan || (both && !plan.length) ? 'none' : both ? 'both' : 'sides',
    plan: white,
    planBlack: both ? '' : black,
    stopProven: a.stop?.proven ?? true,
    stopLead: textOf(a.stop?.lead),
    stopLevels: String(a.stop?.levels ?? 2),
    positions: textOf(a.budget.positions),
    totalNodes: textOf(a.budget.nodes),
    engineMinutes: a.budget.engine_seconds ? minutesText(a.budget.engine_seconds) : '',
    until: a.budget.until ? toLocalInput(a.budget.until) : '',
    windowOn: a.window !== null,
    windowFrom: from,
    windowTo: to,
    priority: String(a.priority),
    fiftyMoves: a.fifty_moves ?? true,
    accept: a.accept ?? [],
  };
}

export type Wish = Omit<NewAnalysis, 'position' | 'hold'>;

// Everything that the form asks for; what is wrong with it goes to `errors`.
export function toRequest(setup: Setup, errors: Errors): Wish {
  const limit = readLimit(setup, errors);
  const distance = readNumber(errors, 'strategy.move_distance', setup.distance);
  const refine = readNumber(errors, 'strategy.refine', setup.refine, 0);
  const { windowed, floor: hasFloor } = strategyText(setup.strategy);
  const floor = hasFloor ? readNumber(errors, 'strategy.floor', setup.floor, null) : null;
  const plan = windowed ? readPlanFields(errors, setup.planMode, setup.plan, setup.planBlack) : null;
  const stop = readStop(errors, setup.stopProven, setup.stopLead, setup.stopLevels);
  const budget = readBudget(setup, errors);
  const window = setup.windowOn ? readWindow(errors, setup.windowFrom, setup.windowTo) : null;
  const priority = readNumber(errors, 'priority', setup.priority, 0);
  return {
    ...(setup.name.trim() && { name: setup.name.trim() }),
    ...(setup.engine && { engine: setup.engine }),
    limit,
    strategy: {
      ...setup.strategyMore,
      kind: setup.strategy,
      move_distance: distance,
      refine,
      ...(floor !== null && { floor }),
      ...(plan !== null && { plan }),
    },
    ...((!stop.proven || stop.lead > 0 || stop.levels !== 2) && { stop }),
    ...(Object.keys(budget).length && { budget }),
    ...(window !== null && { window }),
    ...(priority !== 0 && { priority }),
    ...(!setup.fiftyMoves && { fifty_moves: false }),
    ...(setup.accept.length && { accept: setup.accept }),
  };
}

function readLimit({ limitKind, limitValue }: Setup, errors: Errors): Limit {
  return { [limitKind]: readNumber(errors, `limit.${limitKind}`, limitValue, undefined, 'limit') };
}

function readBudget(setup: Setup, errors: Errors): Budget {
  const positions = readNumber(errors, 'budget.positions', setup.positions, null);
  const nodes = readNumber(errors, 'budget.nodes', setup.totalNodes, null);
  const seconds = readMinutes(errors, setup.engineMinutes);
  const until = readUntil(errors, setup.until);
  return {
    ...(positions !== null && { positions }),
    ...(nodes !== null && { nodes }),
    ...(seconds !== null && { engine_seconds: seconds }),
    ...(until !== null && { until }),
  };
}

// What differs from `before`, the form as it was opened on `a`. Fields that nobody touched are neither sent nor
// judged, so nothing is lost where the form shows less than the analysis has.
export function toPatch(setup: Setup, before: Setup, a: Analysis, errors: Errors): AnalysisPatch {
  const changed = (...keys: (keyof Setup)[]): boolean => keys.some(key => setup[key] !== before[key]);
  const patch: AnalysisPatch = {};
  if (changed('name')) {
    patch.name = setup.name.trim();
    if (!patch.name) errors['name'] = 'A name is needed.';
  }
  if (changed('limitKind', 'limitValue')) patch.limit = readLimit(setup, errors);
  const strategy = strategyPatch(setup, changed, errors);
  if (Object.keys(strategy).length) patch.strategy = strategy;
  const stop = readStopChanges(setup, changed, errors);
  if (Object.keys(stop).length) patch.stop = stop;
  if (changed('positions', 'totalNodes', 'engineMinutes', 'until'))
    patch.budget = budgetPatch(setup, changed, a.budget, errors);
  if (changed('windowOn') || (setup.windowOn && changed('windowFrom', 'windowTo')))
    patch.window = setup.windowOn ? readWindow(errors, setup.windowFrom, setup.windowTo) : null;
  if (changed('fiftyMoves')) patch.fifty_moves = setup.fiftyMoves;
  if (changed('priority')) patch.priority = readNumber(errors, 'priority', setup.priority, 0);
  return patch;
}

type Changed = (...keys: (keyof Setup)[]) => boolean;

function strategyPatch(setup: Setup, changed: Changed, errors: Errors): Partial<Strategy> {
  const { windowed, floor: hasFloor } = strategyText(setup.strategy);
  const patch: Partial<Strategy> = {};
  if (changed('strategy')) patch.kind = setup.strategy;
  if (changed('distance')) patch.move_distance = readNumber(errors, 'strategy.move_distance', setup.distance);
  if (changed('refine')) patch.refine = readNumber(errors, 'strategy.refine', setup.refine, 0);
  if (hasFloor && changed('floor') && setup.floor.trim())
    patch.floor = readNumber(errors, 'strategy.floor', setup.floor);
  if (windowed && changed('planMode', 'plan', 'planBlack'))
    patch.plan = readPlanFields(errors, setup.planMode, setup.plan, setup.planBlack) ?? [];
  return patch;
}

function readStopChanges(setup: Setup, changed: Changed, errors: Errors): Partial<Stop> {
  const patch: Partial<Stop> = {};
  if (changed('stopProven')) patch.proven = setup.stopProven;
  if (changed('stopLead')) patch.lead = readNumber(errors, 'stop.lead', setup.stopLead, 0);
  if (changed('stopLevels')) patch.levels = readNumber(errors, 'stop.levels', setup.stopLevels, 2);
  return patch;
}

// The server replaces the whole budget: what was not touched goes along as it is.
function budgetPatch(setup: Setup, changed: Changed, now: Budget, errors: Errors): Budget {
  const budget: Budget = { ...now };
  const take = (key: keyof Budget, value: number | null): void => {
    if (value === null) delete budget[key];
    else budget[key] = value;
  };
  if (changed('positions')) take('positions', readNumber(errors, 'budget.positions', setup.positions, null));
  if (changed('totalNodes')) take('nodes', readNumber(errors, 'budget.nodes', setup.totalNodes, null));
  if (changed('engineMinutes')) take('engine_seconds', readMinutes(errors, setup.engineMinutes));
  if (changed('until')) take('until', readUntil(errors, setup.until));
  return budget;
}

const fields = [
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

// The field an error of the server belongs to: "strategy.move_distance" → itself, "position.moves[3]" →
// "position"; "" where no field shows it.
export const fieldOf = (where: string): string =>
  fields.find(field => where === field || where.startsWith(`${field}.`) || where.startsWith(`${field}[`)) ??
  '';
