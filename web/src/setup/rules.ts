// What may stand in the fields of an analysis: the server's limits, so that a slip is told at its field
// before anything is sent. Pure.
import { readPlan } from './plan';
import type { Plan } from './plan';
import type { PlyPlan, Stop } from '../data/types';

export type Errors = Record<string, string>; // field → what is wrong; "" = nowhere in particular

type Rule = readonly [least: number, most: number, what: string, fractions?: boolean];

const rules = {
  'limit.depth': [1, 245, 'The depth'],
  'limit.nodes': [1, 1e12, 'The number of nodes'],
  'limit.movetime_ms': [1, 86_400_000, 'The time'],
  'strategy.move_distance': [0, 10_000, 'The move distance'],
  'strategy.refine': [0, 200, 'The depth of the tree'],
  'strategy.floor': [0, 10_000, 'The narrowest window'],
  'budget.positions': [1, 1e9, 'The number of positions'],
  'budget.nodes': [1, 1e15, 'The number of nodes'],
  'stop.lead': [0, 100, 'The lead in σ', true],
  'stop.levels': [1, 200, 'The number of levels'],
  plies: [1, 10_000, 'The number of plies'],
  priority: [-100, 100, 'The priority'],
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
  const [least, most, what, fractions = false]: Rule = rules[field];
  const value = Number(trimmed);
  const right = fractions ? Number.isFinite(value) : Number.isInteger(value);
  if (!trimmed || !right || value < least || value > most)
    errors[at] = `${what} is a ${fractions ? '' : 'whole '}number from ${least} to ${most}.`;
  return value;
}

// When to end early; a lead of 0 is never asked for.
export function readStop(errors: Errors, proven: boolean, lead: string, levels: string): Stop {
  return {
    proven,
    lead: readNumber(errors, 'stop.lead', lead, 0),
    levels: readNumber(errors, 'stop.levels', levels, 2),
  };
}

const engineSeconds = [0.001, 1e9] as const;

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
  const [least, most] = engineSeconds;
  if (!(seconds >= least && seconds <= most))
    errors['budget.engine_seconds'] = `The engine time is a number of minutes above 0, to ${Math.floor(most / 60)}.`;
  return seconds;
}

// The plan of both sides or of each; null where none is wanted.
export function readPlanFields(
  errors: Errors,
  mode: 'none' | 'both' | 'sides',
  both: string,
  black: string,
): Plan | null {
  const read = (field: string, text: string): PlyPlan[] => {
    const plan = readPlan(text);
    if (typeof plan !== 'string') return plan;
    errors[field] = plan;
    return [];
  };
  if (mode === 'none') return null;
  if (mode === 'both') return read('strategy.plan', both);
  // One side alone may go by the distance.
  const side = (field: string, text: string): PlyPlan[] => (text.trim() ? read(field, text) : []);
  return { white: side('strategy.plan', both), black: side('strategy.plan.black', black) };
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
  else if (from === to) errors['window'] = 'The window begins and ends at the same time.';
  return `${from}-${to}`;
}
