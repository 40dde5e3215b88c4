// The queue: the order of the analyses on the screen, and what is being done to them here.
import { inOrder } from '../../data/store';
import type { Store } from '../../data/store';
import type { Analysis } from '../../data/types';

export interface Drag {
  id: number;
  from: number; // index at the start
  to: number; // index it would drop to
  offset: number; // px the row has been pulled
}

// A row that was moved stands at its new place before the server says so.
export interface Moved {
  rank: number;
  priority: number;
  until: number | null; // it is told by what is newer than this moment of the store; null: not answered yet
}

export interface QueueState {
  problem: string | null;
  words: string; // only those whose name, line or opening has them
  only: Analysis['state'] | ''; // only those in this state
  drag: Drag | null;
  moved: Map<number, Moved>;
  deleting: Map<number, () => void>; // hidden, deleted for good when the time for undo has passed; calls that off
  list: { top: number }; // document offset of the rows, px
}

export const initialQueue = (): QueueState => ({
  problem: null,
  words: '',
  only: '',
  drag: null,
  moved: new Map(),
  deleting: new Map(),
  list: { top: 0 },
});

// The rows: all analyses that are not being deleted, in their order.
export function visible(queue: QueueState, store: Store): Analysis[] {
  const ranked = (a: Analysis): Analysis => {
    const moved = queue.moved.get(a.id);
    const told = !moved || (moved.until !== null && store.analyses.at(a.id) > moved.until);
    return told ? a : { ...a, rank: moved.rank, priority: moved.priority };
  };
  return inOrder(store.analyses.all().map(ranked)).filter(a => !queue.deleting.has(a.id));
}

// The same, as far as they are wanted. Nothing is moved while some are left out.
export function wanted(queue: QueueState, rows: readonly Analysis[]): readonly Analysis[] {
  if (!filtered(queue)) return rows;
  const words = queue.words.toLowerCase().split(/\s+/).filter(Boolean);
  const text = (a: Analysis): string =>
    [a.name, a.san, a.opening?.eco, a.opening?.name, a.best?.san].join(' ').toLowerCase();
  return rows.filter(
    a => (!queue.only || a.state === queue.only) && words.every(word => text(a).includes(word)),
  );
}

export const filtered = (queue: QueueState): boolean => Boolean(queue.words.trim() || queue.only);

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
