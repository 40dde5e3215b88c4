// The queue: all analyses in order, the engines, and what is being done to them here.
import type { Analysis, Engine } from '../../data/types';

export interface Drag {
  id: number;
  from: number; // index at the start
  to: number; // index it would drop to
  offset: number; // px the row has been pulled
}

export interface QueueState {
  analyses: Analysis[] | null; // null: not loaded yet
  engines: Engine[] | null;
  problem: string | null;
  drag: Drag | null;
  orders: number; // how often rows were moved here
  deleting: Set<number>; // hidden, and deleted for good when the time for undo has passed
}

export const initialQueue = (): QueueState => ({
  analyses: null,
  engines: null,
  problem: null,
  drag: null,
  orders: 0,
  deleting: new Set(),
});

export const visible = (queue: QueueState): Analysis[] =>
  (queue.analyses ?? []).filter(a => !queue.deleting.has(a.id));

export const find = (queue: QueueState, id: number): Analysis | null =>
  queue.analyses?.find(a => a.id === id) ?? null;

export const engineOf = (queue: QueueState, name: string): Engine | null =>
  queue.engines?.find(e => e.name === name) ?? null;

// A newer state of one analysis; a new one goes to the end.
export function putAnalysis(queue: QueueState, analysis: Analysis): void {
  if (!queue.analyses) return;
  const at = queue.analyses.findIndex(a => a.id === analysis.id);
  if (at < 0) queue.analyses.push(analysis);
  else queue.analyses[at] = analysis;
}

export function dropAnalysis(queue: QueueState, id: number): void {
  queue.analyses = queue.analyses?.filter(a => a.id !== id) ?? null;
  queue.deleting.delete(id);
}

export function putEngine(queue: QueueState, engine: Engine): void {
  if (!queue.engines) return;
  const at = queue.engines.findIndex(e => e.name === engine.name);
  if (at < 0) queue.engines.push(engine);
  else queue.engines[at] = engine;
}

// Moves the analysis at one visible index to another. Returns its new rank: between its neighbours'.
export function reorder(queue: QueueState, from: number, to: number): number | null {
  const shown = visible(queue);
  const [taken] = shown.splice(from, 1);
  if (!taken) return null;
  shown.splice(to, 0, taken);
  const before = shown[to - 1]?.rank;
  const after = shown[to + 1]?.rank;
  const rank =
    before === undefined && after === undefined
      ? taken.rank
      : before === undefined
        ? after! - 1
        : after === undefined
          ? before + 1
          : (before + after) / 2;
  shown[to] = { ...taken, rank };
  const hidden = (queue.analyses ?? []).filter(a => queue.deleting.has(a.id));
  queue.analyses = [...shown, ...hidden];
  return rank;
}

// Where a dragged row would drop, if all rows are `rowHeight` px high.
export function dropIndex(drag: Drag, rowHeight: number, rows: number): number {
  const steps = Math.round(drag.offset / rowHeight);
  return Math.max(0, Math.min(rows - 1, drag.from + steps));
}
