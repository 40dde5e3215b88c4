// The one state record. Features change it by their own pure functions; one redraw shows it.
import type { CreateState } from './pages/create/createState';
import { initialCreate } from './pages/create/createState';
import type { ExportState } from './dialogs/export/exportState';
import type { FactsState } from './pages/tree/facts/factsState';
import { initialFacts } from './pages/tree/facts/factsState';
import type { ImportState } from './dialogs/import/importState';
import { leastOffers } from './data/offers';
import type { Offers } from './data/offers';
import type { PictureState } from './pages/tree/picture/pictureState';
import { initialPicture } from './pages/tree/picture/pictureState';
import type { Theme } from './data/prefs';
import type { QueueState } from './pages/queue/queueState';
import { initialQueue } from './pages/queue/queueState';
import type { Route } from './router';
import type { SettingsState } from './dialogs/settings/settingsState';
import type { TimeState } from './pages/tree/time/timeState';
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
}

export interface Link {
  status: 'connecting' | 'online' | 'offline' | 'locked'; // locked: a token is needed
  since: number;
}

export type Dialog = 'keys' | 'export' | 'import' | 'token' | 'settings';

export interface State {
  route: Route;
  theme: Theme;
  link: Link;
  now: number; // Unix ms, advanced once a second while something shows the time
  version: string | null; // the server's
  offers: Offers;
  queue: QueueState;
  create: CreateState; // one of the drafts
  drafts: Map<number | null, CreateState>; // by the analysis that is copied; null: none
  tree: TreeState | null;
  picture: PictureState;
  time: TimeState | null;
  facts: FactsState;
  export: ExportState | null;
  import: ImportState | null;
  settings: SettingsState | null;
  toasts: Toast[];
  menu: Menu | null;
  dialog: Dialog | null;
}

export const initialState = (route: Route, theme: Theme, now: number): State => ({
  route,
  theme,
  link: { status: 'connecting', since: now },
  now,
  version: null,
  offers: leastOffers,
  queue: initialQueue(),
  create: initialCreate(),
  drafts: new Map(),
  tree: null,
  picture: initialPicture(),
  time: null,
  facts: initialFacts(),
  export: null,
  import: null,
  settings: null,
  toasts: [],
  menu: null,
  dialog: null,
});
