// The queue: the order of the analyses on the screen, and what is being done to them here. It comes with the first view;
// what is done with it is in queueRows.
import type { Analysis, InstalledEngines, Machines, WebhookTests, Webhooks } from '../../data/types';

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

// What the rows are in order of. `order`: as they are worked on.
export type SortKey = 'order' | 'name' | 'state' | 'changed' | 'priority' | 'move_by';

export const initialQueue = () => ({
  problem: null as string | null,
  words: '', // only those whose name, line, opening, tags or game have them
  only: '' as Analysis['state'] | '', // only those in this state
  tag: '', // only those with this tag; "": all
  sort: 'order' as SortKey,
  selecting: false, // rows have boxes
  selected: new Set<number>(), // ids
  anchor: null as number | null, // the box that was used last: with Shift, all from there
  drag: null as Drag | null,
  moved: new Map<number, Moved>(),
  deleting: new Map<number, () => void>(), // hidden, deleted for good when the time for undo has passed; calls that off
  list: { top: 0 } as { top: number }, // document offset of the rows, px
  machines: null as Machines | null, // null: not known yet
  installed: null as InstalledEngines | 'looking' | null, // engines to add; null: nobody wants to see them
  adding: null as string | null, // the one that is being added or taken out
  webhooks: [] as Webhooks['webhooks'], // that the server tells; none: not known yet, or there are none
  tests: null as WebhookTests['webhooks'] | 'testing' | null, // what came of the last test; null: none yet
});

export type QueueState = ReturnType<typeof initialQueue>;
