// Which analyses the queue shows, in which order, and where one goes that is moved. Pure.
import { inOrder, type Store } from '../../data/store';
import type { Analysis } from '../../data/types';
import type { Drag, QueueState, SortKey } from './queueState';

export const sortKeys: readonly SortKey[] = ['order', 'name', 'state', 'changed', 'priority', 'move_by'];

// The rows: all analyses that are not being deleted, in their order.
export function visible(queue: QueueState, store: Store): Analysis[] {
  const ranked = (a: Analysis): Analysis => {
    const moved = queue.moved.get(a.id);
    const told = !moved || (moved.until !== null && store.analyses.at(a.id) > moved.until);
    return told ? a : { ...a, rank: moved.rank, priority: moved.priority };
  };
  return inOrder(store.analyses.all().map(ranked)).filter(a => !queue.deleting.has(a.id));
}

// The same, as far as they are wanted, as they are wanted. Nothing is moved while some are left out or stand elsewhere.
export function wanted(queue: QueueState, rows: readonly Analysis[]): readonly Analysis[] {
  const found = filtered(queue) ? search(queue, rows) : rows;
  const before = orders[queue.sort];
  return before ? [...found].sort(before) : found;
}

const stateOrder: readonly Analysis['state'][] = [
  'failed',
  'running',
  'queued',
  'paused',
  'exhausted',
  'settled',
];

const compared = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

// Equal ones stay in the order of work. Those without a date to move by come last.
const orders: Record<SortKey, ((a: Analysis, b: Analysis) => number) | null> = {
  order: null,
  name: (a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }),
  state: (a, b) => stateOrder.indexOf(a.state) - stateOrder.indexOf(b.state),
  changed: (a, b) => b.changed_at - a.changed_at,
  priority: (a, b) => b.priority - a.priority,
  move_by: (a, b) => compared(a.game.move_by ?? '~', b.game.move_by ?? '~'),
};

function search(queue: QueueState, rows: readonly Analysis[]): readonly Analysis[] {
  const words = queue.words.toLowerCase().split(/\s+/).filter(Boolean);
  const text = (a: Analysis): string =>
    [a.name, a.san, a.opening?.eco, a.opening?.name, a.best?.san, ...a.tags, ...Object.values(a.game)]
      .join(' ')
      .toLowerCase();
  return rows.filter(
    a =>
      (!queue.only || a.state === queue.only) &&
      (!queue.tag || a.tags.includes(queue.tag)) &&
      words.every(word => text(a).includes(word)),
  );
}

export const filtered = (queue: QueueState): boolean =>
  Boolean(queue.words.trim() || queue.only || queue.tag);

// The rows stand as they are worked on, all of them: they can be moved.
export const asWorkedOn = (queue: QueueState): boolean => !filtered(queue) && queue.sort === 'order';

// All tags that there are, by name.
export const allTags = (rows: readonly Analysis[]): string[] =>
  [...new Set(rows.flatMap(a => a.tags))].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));

// Those that are selected and still there, in the order shown.
export const chosen = (queue: QueueState, rows: readonly Analysis[]): Analysis[] =>
  rows.filter(a => queue.selected.has(a.id));

// A box is ticked or cleared; with Shift all from the last one to this.
export function select(queue: QueueState, shown: readonly Analysis[], id: number, range: boolean): void {
  const on = !queue.selected.has(id);
  const at = shown.findIndex(a => a.id === id);
  const from = range ? shown.findIndex(a => a.id === queue.anchor) : -1;
  const rows = from < 0 ? [shown[at]] : shown.slice(Math.min(from, at), Math.max(from, at) + 1);
  for (const row of rows) {
    if (row && on) queue.selected.add(row.id);
    else if (row) queue.selected.delete(row.id);
  }
  queue.anchor = id;
}

// Rank and priority of a row that moves from one index to another: between its neighbours'. Whoever is put among
// others of another priority gets theirs. null: there is no such row.
export function placeAt(
  rows: readonly Analysis[],
  from: number,
  to: number,
): { rank: number; priority: number } | null {
  const others = [...rows];
  const [taken] = others.splice(from, 1);
  if (!taken) return null;
  const above = others[to - 1];
  const below = others[to];
  const priority = Math.max(
    below?.priority ?? -Infinity,
    Math.min(above?.priority ?? Infinity, taken.priority),
  );
  const before = above?.priority === priority ? above.rank : undefined;
  const after = below?.priority === priority ? below.rank : undefined;
  if (before === undefined) return { priority, rank: after === undefined ? taken.rank : after - 1 };
  return { priority, rank: after === undefined ? before + 1 : (before + after) / 2 };
}

// Where a dragged row would drop, if all rows are `rowHeight` px high.
export function dropIndex(drag: Drag, rowHeight: number, rows: number): number {
  const steps = Math.round(drag.offset / rowHeight);
  return Math.max(0, Math.min(rows - 1, drag.from + steps));
}
