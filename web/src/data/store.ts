// The analyses and engines of the server, each in one place, the newest that is known of it. Answers and events
// come in any order: an answer is as old as its question, an event is news.
import type { Analysis, Engine } from './types';

interface Held<T> {
  value: T;
  at: number; // the moment that its news are of, counted by `now`
}

// Fields that have changed, each with the moment of its news.
type Changed<T> = Map<keyof T, { value: T[keyof T]; at: number }>;

class Table<K, T> {
  private rows = new Map<K, Held<T>>();
  private readonly gone = new Map<K, number>(); // when it was taken away
  private readonly changed = new Map<K, Changed<T>>(); // what is newer than the row, or came before it
  complete = false; // all that the server has are here, and kept up to date
  loaded = false; // they once were

  constructor(
    private readonly keyOf: (value: T) => K,
    private readonly shown: (value: T) => T = value => value, // as the page has it
  ) {}

  get = (key: K): T | null => this.rows.get(key)?.value ?? null;

  at = (key: K): number => this.rows.get(key)?.at ?? this.gone.get(key) ?? 0;

  all = (): T[] => [...this.rows.values()].map(row => row.value);

  // Takes what is newer than what is here.
  put(value: T, at: number): void {
    const key = this.keyOf(value);
    if (at < this.at(key)) return;
    this.gone.delete(key);
    const changed = this.changed.get(key);
    if (changed) {
      for (const [field, news] of changed) if (news.at < at) changed.delete(field);
      value = withChanges(value, changed);
    }
    this.rows.set(key, { value: this.shown(value), at });
  }

  // Some fields of a row. They stay newer than the answers to earlier questions.
  merge(key: K, fields: Partial<T>, at: number): void {
    if (this.gone.has(key)) return;
    const changed = this.changed.get(key) ?? (new Map() as Changed<T>);
    for (const field of Object.keys(fields) as (keyof T)[]) changed.set(field, { value: fields[field]!, at });
    this.changed.set(key, changed);
    const row = this.rows.get(key);
    if (row) row.value = this.shown(withChanges(row.value, changed));
  }

  drop(key: K, at: number): void {
    if (at < this.at(key)) return;
    this.rows.delete(key);
    this.changed.delete(key);
    this.gone.set(key, at);
  }

  // All that there were at that moment, in their order; others have gone, unless they are newer.
  putAll(values: readonly T[], at: number): void {
    for (const value of values) this.put(value, at);
    const keys = new Set(values.map(this.keyOf));
    for (const [key, row] of this.rows) if (!keys.has(key) && row.at <= at) this.drop(key, at);
    const rest = [...this.rows.keys()].filter(key => !keys.has(key));
    const order = [...keys, ...rest].filter(key => this.rows.has(key));
    this.rows = new Map(order.map(key => [key, this.rows.get(key)!]));
    this.complete = this.loaded = true;
  }
}

function withChanges<T>(value: T, changed: Changed<T>): T {
  const now = { ...value };
  for (const [field, news] of changed) now[field] = news.value;
  return now;
}

// Where nothing of a name can be seen, it is told by its number.
const named = (a: Analysis): Analysis =>
  /[^\s\p{C}]/u.test(a.name) ? a : { ...a, name: `Analysis ${a.id}` };

export class Store {
  readonly analyses = new Table<number, Analysis>(a => a.id, named);
  readonly engines = new Table<string, Engine>(e => e.name);
  private moment = 0;

  // The next moment: of an event that has come, or of a question that is about to be asked.
  now = (): number => ++this.moment;
}

// As the server has them in its queue.
export const inOrder = (analyses: readonly Analysis[]): Analysis[] =>
  [...analyses].sort((a, b) => b.priority - a.priority || a.rank - b.rank || a.id - b.id);
