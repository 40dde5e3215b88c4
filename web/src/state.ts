// The one state record. Features change it by their own pure functions; one redraw shows it.
import type { Side } from './chess/score';
import type { CreateState } from './pages/create/createState';
import type { Topic } from './dialogs/meaning/topics';
import type { ExportState } from './dialogs/export/exportState';
import type { ImportState } from './dialogs/import/importState';
import type { Health } from './data/types';
import { Store } from './data/store';
import type { LabelsState } from './dialogs/labels/labelsState';
import type { NotesState } from './dialogs/notes/notesState';
import type { PictureWish } from './pages/tree/picture/pictureState';
import { initialWish } from './pages/tree/picture/pictureState';
import type { Theme } from './data/prefs';
import type { Shared } from './data/shared';
import type { Site } from './data/source';
import type { ShareState } from './dialogs/share/shareState';
import type { QueueState } from './pages/queue/queueState';
import { initialQueue } from './pages/queue/queueState';
import type { ReviewState } from './pages/review/reviewState';
import type { Route } from './router';
import type { SummaryState } from './pages/summary/summaryState';
import type { SettingsState } from './dialogs/settings/settingsState';
import type { TreeState } from './pages/tree/treeState';

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

export interface State {
  route: Route;
  theme: Theme;
  link: Link;
  shared: Shared | null; // what the tab was opened to show, by a link; null: all there is
  site: Site | null; // where it is shown from files; then `shared` says what. null: a server answers
  now: number; // Unix ms, advanced once a second while something shows the time
  version: string | null; // the server's
  health: Health | null; // the server's, as it was told last
  zone: string | null; // in which the server means hours of the day
  store: Store;
  queue: QueueState;
  create: CreateState | null; // one of the drafts; null: that page was not entered yet
  drafts: Map<number | null, CreateState>; // by the analysis that is copied; null: none
  tree: TreeState | null;
  review: ReviewState | null; // null: that page was not entered yet
  summary: SummaryState | null; // null: that page was not entered yet
  picture: PictureWish; // of all trees
  export: ExportState | null;
  import: ImportState | null;
  settings: SettingsState | null;
  labels: LabelsState | null;
  notes: NotesState | null;
  share: ShareState | null;
  meaning: Topic; // what is explained, or was last
  preview: Preview | null; // a line that one points at
  told: number; // what happened to analyses while nobody looked
  notify: boolean; // such things are told as notifications, too
  tour: number | null; // the mark of the first steps that is shown
  toasts: Toast[];
  menu: Menu | null;
  dialog: Dialog | null;
  moveEntry: string | null; // a move that is being typed
  chord: { key: string; at: number } | null; // the first of two keys, and when it was pressed (Unix ms)
}

export const initialState = (
  route: Route,
  theme: Theme,
  now: number,
  shared: Shared | null = null,
  site: Site | null = null,
): State => ({
  route,
  theme,
  link: { status: 'connecting', since: now },
  shared,
  site,
  now,
  version: null,
  health: null,
  zone: null,
  store: new Store(),
  queue: initialQueue(),
  create: null,
  drafts: new Map(),
  tree: null,
  review: null,
  summary: null,
  picture: initialWish(),
  export: null,
  import: null,
  settings: null,
  labels: null,
  notes: null,
  share: null,
  meaning: 'alpha',
  preview: null,
  told: 0,
  notify: false,
  tour: null,
  toasts: [],
  menu: null,
  dialog: null,
  moveEntry: null,
  chord: null,
});
