// What an analysis is to do, as the texts of its form: of a new one, or of one whose settings change. Pure.
import { toLocalInput } from '../ui/format';
import type { Analysis, AnalysisPatch, Limit, NewAnalysis, Strategy, StrategyKind } from '../data/types';
import {
  planText,
  minutesText,
  readMinutes,
  readNumber,
  readPlanField,
  readUntil,
  readWindow,
  type Errors,
  type NumberField,
} from './rules';
import { strategyText } from './strategies';

export type LimitKind = keyof Limit;

// Windows by distance and floor, or by a plan.
export type PlanMode = 'none' | 'plies';

export interface Setup {
  name: string;
  engine: string | null; // null = the default one
  secondEngine: string; // "" = none
  limitKind: LimitKind;
  limitValue: string;
  strategy: StrategyKind;
  strategyMore: Partial<Strategy>; // of the analysis that was copied: costs
  distance: string;
  refine: string; // "" = goes on without end
  floor: string;
  planMode: PlanMode;
  plan: string; // as rules.ts reads it
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

// The fields of a form that are texts.
export type TextKey = {
  [K in keyof Setup]: Setup[K] extends string ? K : never;
}[keyof Setup];

export const initialSetup = (): Setup => ({
  name: '',
  engine: null,
  secondEngine: '',
  limitKind: 'depth',
  limitValue: '12',
  strategy: 'anchored',
  strategyMore: {},
  distance: '20',
  refine: '6',
  floor: '5',
  planMode: 'none',
  plan: '',
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

// A setting in the form: where it stands in a request, the fields that it is made of, and how it is read and shown.
interface Row {
  place: string;
  keys: readonly (keyof Setup)[];
  // null: nothing is wanted; undefined: nothing is said. What is wrong goes to `errors`.
  read(setup: Setup, errors: Errors): unknown;
  show(a: Analysis): Partial<Setup>;
  usual?: unknown; // not said of a new analysis
  none?: unknown; // what a change says where nothing is wanted
}

type Json = Record<string, unknown>;

const at = (body: unknown, place: string): unknown =>
  place.split('.').reduce<unknown>((of, name) => (of as Json | undefined)?.[name], body);

function put(body: Json, place: string, value: unknown): void {
  const names = place.split('.');
  const last = names.pop() ?? '';
  let owner = body;
  for (const name of names) owner = (owner[name] ??= {}) as Json;
  if (value === undefined) delete owner[last];
  else owner[last] = value;
}

const textOf = (value: unknown): string => (value ? String(value) : '');

// A number; what is empty is `empty`, or wrong where that is undefined. `blank`: 0 is shown as an empty text.
const number = (
  place: NumberField,
  key: TextKey,
  { empty, usual, blank = false }: { empty?: number | null; usual?: number; blank?: boolean } = {},
): Row => ({
  place,
  keys: [key],
  read: (setup, errors) => readNumber(errors, place, setup[key], empty),
  show: a => ({ [key]: blank ? textOf(at(a, place)) : String(at(a, place) ?? usual ?? '') }),
  usual,
});

const flag = (place: string, key: 'stopProven' | 'fiftyMoves'): Row => ({
  place,
  keys: [key],
  read: setup => setup[key],
  show: a => ({ [key]: at(a, place) ?? true }),
  usual: true,
});

const rows: readonly Row[] = [
  {
    place: 'name',
    keys: ['name'],
    read: setup => setup.name.trim() || null,
    show: a => ({ name: a.name }),
  },
  {
    place: 'limit',
    keys: ['limitKind', 'limitValue'],
    read: ({ limitKind, limitValue }, errors) => ({
      [limitKind]: readNumber(errors, `limit.${limitKind}`, limitValue, undefined, 'limit'),
    }),
    show: a => {
      const [kind, value] = Object.entries(a.limit)[0] ?? ['depth', 12];
      return { limitKind: kind as LimitKind, limitValue: String(value) };
    },
  },
  {
    place: 'strategy.kind',
    keys: ['strategy'],
    read: setup => setup.strategy,
    show: a => ({ strategy: a.strategy.kind }),
  },
  number('strategy.move_distance', 'distance'),
  number('strategy.refine', 'refine', { empty: 0, blank: true }),
  {
    ...number('strategy.floor', 'floor'),
    read: (setup, errors) =>
      strategyText(setup.strategy).floor && setup.floor.trim()
        ? readNumber(errors, 'strategy.floor', setup.floor)
        : undefined,
  },
  {
    place: 'strategy.plan',
    keys: ['planMode', 'plan'],
    read: (setup, errors) =>
      strategyText(setup.strategy).windowed
        ? readPlanField(errors, setup.planMode === 'plies', setup.plan)
        : undefined,
    show: ({ strategy: { plan } }) =>
      plan?.length ? { planMode: 'plies', plan: planText(plan) } : { planMode: 'none', plan: '' },
    none: [],
  },
  flag('stop.proven', 'stopProven'),
  number('stop.lead', 'stopLead', { empty: 0, usual: 0, blank: true }),
  number('stop.levels', 'stopLevels', { empty: 2, usual: 2 }),
  number('budget.positions', 'positions', { empty: null, blank: true }),
  number('budget.nodes', 'totalNodes', { empty: null, blank: true }),
  {
    place: 'budget.engine_seconds',
    keys: ['engineMinutes'],
    read: (setup, errors) => readMinutes(errors, setup.engineMinutes),
    show: ({ budget: { engine_seconds: seconds } }) => ({
      engineMinutes: seconds ? minutesText(seconds) : '',
    }),
  },
  {
    place: 'budget.until',
    keys: ['until'],
    read: (setup, errors) => readUntil(errors, setup.until),
    show: ({ budget: { until } }) => ({ until: until ? toLocalInput(until) : '' }),
  },
  {
    place: 'window',
    keys: ['windowOn', 'windowFrom', 'windowTo'],
    read: (setup, errors) => (setup.windowOn ? readWindow(errors, setup.windowFrom, setup.windowTo) : null),
    show: ({ window }) => {
      const [windowFrom, windowTo] = window?.split('-') ?? [];
      return { windowOn: window !== null, ...(windowFrom && windowTo && { windowFrom, windowTo }) };
    },
    none: null,
  },
  number('priority', 'priority', { empty: 0, usual: 0 }),
  flag('fifty_moves', 'fiftyMoves'),
  {
    place: 'second_engine',
    keys: ['secondEngine'],
    read: setup => setup.secondEngine,
    show: a => ({ secondEngine: a.second_engine ?? '' }),
    usual: '',
  },
];

// The form as it shows an analysis. What it has no fields for goes along.
export function setupOf(a: Analysis): Setup {
  const strategyMore: Partial<Analysis['strategy']> = { ...a.strategy };
  delete strategyMore.plan;
  const more = { engine: a.engine, strategyMore, accept: a.accept ?? [] };
  return Object.assign(initialSetup(), more, ...rows.map(row => row.show(a))) as Setup;
}

export type Wish = Omit<NewAnalysis, 'position' | 'hold'>;

// Everything that the form asks for; what is wrong with it goes to `errors`.
export function toRequest(setup: Setup, errors: Errors): Wish {
  const body: Json = {
    ...(setup.engine && { engine: setup.engine }),
    strategy: { ...setup.strategyMore },
    ...(setup.accept.length && { accept: setup.accept }),
  };
  for (const row of rows) {
    const value = row.read(setup, errors) ?? row.usual;
    if (value !== row.usual) put(body, row.place, value);
  }
  return body as unknown as Wish;
}

// What differs from `before`, the form as it was opened on `a`. Fields that nobody touched are neither sent nor
// judged, so nothing is lost where the form shows less than the analysis has.
export function toPatch(setup: Setup, before: Setup, a: Analysis, errors: Errors): AnalysisPatch {
  const patch: Json = {};
  for (const row of rows) {
    if (row.keys.every(key => setup[key] === before[key])) continue;
    const value = row.read(setup, errors);
    if (value === undefined || (value === null && row.read(before, {}) === null)) continue;
    // The server replaces the whole budget: what was not touched goes along as it is.
    if (row.place.startsWith('budget.')) patch['budget'] ??= { ...a.budget };
    put(patch, row.place, value ?? row.none);
  }
  if (setup.name !== before.name && !setup.name.trim()) errors['name'] = 'A name is needed.';
  return patch;
}

// Where an error of the server is shown; the boxes to tick have no place for one.
const fields = [
  ...rows.map(row => row.place).filter(place => place !== 'stop.proven' && place !== 'fifty_moves'),
  'engine',
  'position',
];

// The field an error of the server belongs to: "strategy.move_distance" → itself, "position.moves[3]" →
// "position"; "" where no field shows it.
export const fieldOf = (where: string): string =>
  fields.find(field => where === field || where.startsWith(`${field}.`) || where.startsWith(`${field}[`)) ??
  '';
