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

export interface QueueState {
  problem: string | null;
  words: string; // only those whose name, line, opening, tags or game have them
  only: Analysis['state'] | ''; // only those in this state
  tag: string; // only those with this tag; "": all
  sort: SortKey;
  selecting: boolean; // rows have boxes
  selected: Set<number>; // ids
  anchor: number | null; // the box that was used last: with Shift, all from there
  drag: Drag | null;
  moved: Map<number, Moved>;
  deleting: Map<number, () => void>; // hidden, deleted for good when the time for undo has passed; calls that off
  list: { top: number }; // document offset of the rows, px
  machines: Machines | null; // null: not known yet
  installed: InstalledEngines | 'looking' | null; // engines to add; null: nobody wants to see them
  adding: string | null; // the one that is being added or taken out
  webhooks: Webhooks['webhooks']; // that the server tells; none: not known yet, or there are none
  tests: WebhookTests['webhooks'] | 'testing' | null; // what came of the last test; null: none yet
}

export const initialQueue = (): QueueState => ({
  problem: null,
  words: '',
  only: '',
  tag: '',
  sort: 'order',
  selecting: false,
  selected: new Set(),
  anchor: null,
  drag: null,
  moved: new Map(),
  deleting: new Map(),
  list: { top: 0 },
  machines: null,
  installed: null,
  adding: null,
  webhooks: [],
  tests: null,
});
