// The one state record. Features change it by their own pure functions; one redraw shows it.
import type { Side } from './chess/score';
import type { CreateState } from './pages/create/createState';
import type { Topic } from './dialogs/meaning/topics';
import type { ExportState } from './dialogs/export/exportState';
import type { ImportState } from './dialogs/import/importState';
import type { Health, Note } from './data/types';
import { Store } from './data/store';
import type { LabelsState } from './dialogs/labels/labelsState';
import { initialWish } from './pages/tree/picture/pictureState';
import type { Theme } from './data/prefs';
import type { Shared } from './data/shared';
import type { Site } from './data/source';
import type { ShareState } from './dialogs/share/shareState';
import { initialQueue } from './pages/queue/queueState';
import type { ReviewState } from './pages/review/reviewState';
import type { Route } from './router';
import type { SummaryState } from './pages/summary/summaryState';
import type { SettingsState } from './dialogs/settings/settingsState';
import type { TreeState } from './pages/tree/treeState';

// The notes of an analysis, open in a dialog.
export interface NotesState {
  id: number;
  title: string;
  ply: number; // of the root
  words: string; // only those that have them
  list: Note[] | null; // null: on their way
  problem: string | null;
}

export interface Toast {
  id: number;
  text: string;
  tone: 'plain' | 'bad';
  action: { label: string; run: () => void } | null;
}

export interface MenuItem {
  label: string;
  hint?: string; // the key that does the same
  danger?: boolean;
  disabled?: boolean;
  run: () => void;
}

export interface Menu {
  label: string;
  items: MenuItem[];
  anchor: { left: number; right: number; top: number; bottom: number };
  active: number;
  opener: Element; // gets the focus back
}

export interface Preview {
  fen: string; // where the line begins
  line: readonly string[]; // UCI
  orientation: Side;
  at: { left: number; top: number; bottom: number }; // of what is pointed at, px in the window
}

export interface Link {
  status: 'connecting' | 'online' | 'offline' | 'locked'; // locked: a token is needed
  since: number;
}

export type Dialog =
  | 'keys'
  | 'export'
  | 'import'
  | 'token'
  | 'settings'
  | 'meaning'
  | 'labels'
  | 'notes'
  | 'share';

export const initialState = (
  route: Route,
  theme: Theme,
  now: number,
  shared: Shared | null = null,
  site: Site | null = null,
) => ({
  route,
  theme,
  link: { status: 'connecting', since: now } as Link,
  shared, // what the tab was opened to show, by a link; null: all there is
  site, // where it is shown from files; then `shared` says what. null: a server answers
  now, // Unix ms, advanced once a second while something shows the time
  version: null as string | null, // the server's
  health: null as Health | null, // the server's, as it was told last
  zone: null as string | null, // in which the server means hours of the day
  store: new Store(),
  queue: initialQueue(),
  create: null as CreateState | null, // one of the drafts; null: that page was not entered yet
  drafts: new Map<number | null, CreateState>(), // by the analysis that is copied; null: none
  tree: null as TreeState | null,
  review: null as ReviewState | null, // null: that page was not entered yet
  summary: null as SummaryState | null, // null: that page was not entered yet
  picture: initialWish(), // of all trees
  export: null as ExportState | null,
  import: null as ImportState | null,
  settings: null as SettingsState | null,
  labels: null as LabelsState | null,
  notes: null as NotesState | null,
  share: null as ShareState | null,
  meaning: 'alpha' as Topic, // what is explained, or was last
  preview: null as Preview | null, // a line that one points at
  told: 0, // what happened to analyses while nobody looked
  notify: false, // such things are told as notifications, too
  tour: null as number | null, // the mark of the first steps that is shown
  toasts: [] as Toast[],
  menu: null as Menu | null,
  dialog: null as Dialog | null,
  moveEntry: null as string | null, // a move that is being typed
  chord: null as { key: string; at: number } | null, // the first of two keys, and when it was pressed (Unix ms)
});

export type State = ReturnType<typeof initialState>;
