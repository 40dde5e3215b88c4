// What may stand in the fields of an analysis: the server's limits, so that a slip is told at its field
// before anything is sent. Pure.
import { limits } from '../data/described';
import type { Strategy } from '../data/types';

// Plans ply by ply as text, as the command line has them: "40, 40, 20, 10": windows in cp. Pure.
type Plan = NonNullable<Strategy['plan']>;

const [, widest] = limits['strategy.plan.window'];
const [, longest] = limits['strategy.plan.length'];

// The plan, or what is wrong with it.
export function readPlan(text: string): Plan | string {
  const entries = text.split(/[\s,;]+/).filter(Boolean);
  if (!entries.length) return 'A plan has a window for each ply, like 40, 40, 20.';
  if (entries.length > longest) return `A plan has at most ${longest} plies.`;
  const wrong = entries.find(entry => !/^\d+$/.test(entry) || Number(entry) > widest);
  if (wrong !== undefined) return `“${wrong}” is no window from 0 to ${widest}.`;
  return entries.map(entry => ({ window: Number(entry) }));
}

export const planText = (plan: Plan): string => plan.map(({ window }) => String(window)).join(', ');

// "within 40 cp, then 20 cp"; the last one goes on.
export function planWords(plan: Plan): string {
  const words = plan.map(({ window }) => `${window} cp`);
  return `within ${words.filter((word, i) => word !== words[i - 1]).join(', then ')}`;
}

export type Errors = Record<string, string>; // field → what is wrong; "" = nowhere in particular

type Rule = readonly [limit: keyof typeof limits, what: string, fractions?: boolean];

const rules = {
  'limit.depth': ['limit.depth', 'The depth'],
  'limit.nodes': ['limit.nodes', 'The number of nodes'],
  'limit.movetime_ms': ['limit.movetime_ms', 'The time'],
  'strategy.move_distance': ['strategy.move_distance', 'The move distance'],
  'strategy.refine': ['strategy.refine', 'The depth of the tree'],
  'strategy.floor': ['strategy.floor', 'The narrowest window'],
  'budget.positions': ['budget.positions', 'The number of positions'],
  'budget.nodes': ['budget.nodes', 'The number of nodes'],
  'stop.lead': ['stop.lead', 'The lead in σ', true],
  'stop.levels': ['stop.levels', 'The number of levels'],
  plies: ['importFile.plies', 'The number of plies'],
  priority: ['priority', 'The priority'],
} satisfies Record<string, Rule>;
export type NumberField = keyof typeof rules;

// The number in `text`. What is wrong with it goes to `errors` under the field's name, `at` if given. Empty
// text is `empty`, or wrong where that is undefined.
export function readNumber<Empty extends number | null = number>(
  errors: Errors,
  field: NumberField,
  text: string,
  empty?: Empty,
  at: string = field,
): number | Empty {
  const trimmed = text.trim();
  if (!trimmed && empty !== undefined) return empty;
  const [limit, what, fractions = false]: Rule = rules[field];
  const [least, most] = limits[limit];
  const value = Number(trimmed);
  const right = fractions ? Number.isFinite(value) : Number.isInteger(value);
  if (!trimmed || !right || value < least || value > most)
    errors[at] = `${what} is a ${fractions ? '' : 'whole '}number from ${least} to ${most}.`;
  return value;
}

// Seconds, to the millisecond as the server has them, of a text in minutes.
const secondsOf = (text: string): number => Math.round(Number(text) * 60_000) / 1000;

// The shortest text in minutes that is exactly these seconds.
export function minutesText(seconds: number): string {
  for (let digits = 0; digits < 8; digits++) {
    const text = String(Number((seconds / 60).toFixed(digits)));
    if (secondsOf(text) === Math.round(seconds * 1000) / 1000) return text;
  }
  return String(seconds / 60);
}

// Seconds; null if nothing is typed.
export function readMinutes(errors: Errors, text: string): number | null {
  if (!text.trim()) return null;
  const seconds = secondsOf(text.trim());
  const [least, most] = limits['budget.engine_seconds'];
  if (!(seconds >= least && seconds <= most))
    errors['budget.engine_seconds'] =
      `The engine time is a number of minutes above 0, to ${Math.floor(most / 60)}.`;
  return seconds;
}

// The plan; null where none is wanted.
export function readPlanField(errors: Errors, wanted: boolean, text: string): Plan | null {
  if (!wanted) return null;
  const plan = readPlan(text);
  if (typeof plan !== 'string') return plan;
  errors['strategy.plan'] = plan;
  return [];
}

// The moment in a field of date and time; null if it is empty or none.
export function readUntil(errors: Errors, text: string): number | null {
  if (!text) return null;
  const at = new Date(text).getTime();
  if (Number.isFinite(at)) return at;
  errors['budget.until'] = 'This is not a date and time.';
  return null;
}

const isClock = (text: string): boolean => /^([01]\d|2[0-3]):[0-5]\d$|^24:00$/.test(text);

// "22:00-07:00" from its two ends.
export function readWindow(errors: Errors, from: string, to: string): string {
  if (!isClock(from) || !isClock(to)) errors['window'] = 'Times are written like 22:00.';
  else if (from === '24:00') errors['window'] = 'Hours that begin at midnight begin at 00:00.';
  else if (from === to) errors['window'] = 'The window begins and ends at the same time.';
  return `${from}-${to}`;
}
