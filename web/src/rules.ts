// What may stand in the fields of an analysis: the server's limits, so that a slip is told at its field
// before anything is sent. Pure.
import { strategyText } from './create/strategies';

export type Errors = Record<string, string>; // field → what is wrong; "" = nowhere in particular

type Rule = readonly [least: number, most: number, what: string];

const rules = {
  'limit.depth': [1, 245, 'The depth'],
  'limit.nodes': [1, 1e12, 'The number of nodes'],
  'limit.movetime_ms': [1, 86_400_000, 'The time'],
  'strategy.move_distance': [0, 10_000, 'The move distance'],
  'strategy.refine': [0, 200, 'The depth of the tree'],
  'strategy.floor': [0, 10_000, 'The narrowest window'],
  'budget.positions': [1, 1e9, 'The number of positions'],
  'budget.engine_seconds': [1, 1e7, 'The engine time'], // typed in minutes
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
  const [least, most, what] = rules[field];
  const value = Number(trimmed);
  if (!trimmed || !Number.isInteger(value) || value < least || value > most)
    errors[at] = `${what} is a whole number from ${least} to ${most}.`;
  return value;
}

export const usesFloor = (kind: string): boolean => strategyText(kind).floor;

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
