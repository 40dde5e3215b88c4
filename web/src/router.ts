// Which page the URL names. Everything sits behind the #, so that any static server will do and a
// link to a position can be shared as it stands.
import type { Shared } from './data/shared';

export type Tab = 'moves' | 'picture' | 'time' | 'facts' | 'repertoire' | 'files' | 'orders';
export const tabs: readonly Tab[] = ['moves', 'picture', 'time', 'facts', 'repertoire', 'files', 'orders'];

// The choice (without id), all games of a file, one of them, or the game along a line.
export interface ReviewRoute {
  page: 'review';
  id: number | null;
  file: number | null; // null: a line
  game: number | null; // of the file; null: all
  line: string[];
  at: number; // moves of the game on the board
}

export type Route =
  | { page: 'queue' }
  | { page: 'summary' }
  | { page: 'new'; copy: number | null }
  | ReviewRoute
  | { page: 'tree'; id: number; line: string[]; tab: Tab }
  | { page: 'lost'; path: string };

const uci = /^[a-h][1-8][a-h][1-8][nbrqk]?$/;

export function parseRoute(hash: string): Route {
  // The secret of a link is not the router's (data/shared.ts).
  const [path = '', search = ''] = hash.replace(/^#(\/shared\/[^/]+(?=\/))?/, '').split('?');
  const parameters = new URLSearchParams(search);
  const parts = path.split('/').filter(Boolean);
  const [page, first, second] = parts;
  if (!page) return { page: 'queue' };
  if (page === 'summary' && parts.length === 1) return { page: 'summary' };
  if (page === 'new' && parts.length === 1) return { page: 'new', copy: positive(parameters.get('copy')) };
  if (page === 'review') {
    const review = reviewRoute(parts.slice(1), positive(parameters.get('at')) ?? 0);
    if (review) return review;
  }
  if (page === 'analysis' && parts.length <= 3) {
    const id = positive(first ?? null);
    const line = second ? second.split(',') : [];
    if (id !== null && line.every(move => uci.test(move))) {
      const tab = parameters.get('tab') as Tab;
      return { page: 'tree', id, line, tab: tabs.includes(tab) ? tab : 'moves' };
    }
  }
  return { page: 'lost', path };
}

function reviewRoute([first, second, third, word, last, ...more]: string[], at: number): ReviewRoute | null {
  const route: ReviewRoute = { page: 'review', id: null, file: null, game: null, line: [], at: 0 };
  if (first === undefined) return route;
  const id = positive(first);
  if (id === null || second === undefined || more.length) return null;
  if (second === 'file') {
    const [file, game] = [positive(third ?? null), positive(last ?? null)];
    if (file === null || (word === undefined ? last !== undefined : word !== 'game' || game === null))
      return null;
    return { ...route, id, file, game, at: game === null ? 0 : at };
  }
  const line = second.split(',');
  return third === undefined && line.every(move => uci.test(move))
    ? { ...route, id, line, at: Math.min(at, line.length) }
    : null;
}

function positive(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

export function formatRoute(route: Route): string {
  switch (route.page) {
    case 'queue':
      return '#/';
    case 'summary':
      return '#/summary';
    case 'new':
      return route.copy === null ? '#/new' : `#/new?copy=${route.copy}`;
    case 'review': {
      if (route.id === null) return '#/review';
      const game = route.game === null ? '' : `/game/${route.game}`;
      const what = route.file === null ? route.line.join() : `file/${route.file}${game}`;
      return `#/review/${route.id}/${what}${route.at ? `?at=${route.at}` : ''}`;
    }
    case 'tree': {
      const line = route.line.length ? `/${route.line.join()}` : '';
      return `#/analysis/${route.id}${line}${route.tab === 'moves' ? '' : `?tab=${route.tab}`}`;
    }
    case 'lost':
      return `#${route.path}`;
  }
}

// Whose calls a link allows.
const sharedTabs: readonly Tab[] = ['moves', 'picture', 'time', 'files'];
export const tabsFor = (shared: Shared | null): readonly Tab[] => (shared ? sharedTabs : tabs);

// The route itself where a link shows it, else the place that it is to.
export function within(shared: Shared | null, route: Route): Route {
  if (!shared) return route;
  const { id, file } = shared;
  if (file !== null) {
    const home = `#/review/${id}/file/${file}`;
    const url = formatRoute(route);
    return url === home || url.startsWith(`${home}/`) || url.startsWith(`${home}?`)
      ? route
      : parseRoute(home);
  }
  if (route.page !== 'tree' || route.id !== id) return { page: 'tree', id, line: [], tab: 'moves' };
  return tabsFor(shared).includes(route.tab) ? route : { ...route, tab: 'moves' };
}

export const treeLink = (id: number, line: readonly string[] = [], tab: Tab = 'moves'): string =>
  formatRoute({ page: 'tree', id, line: [...line], tab });

export const reviewLink = (id: number, file: number, game: number | null = null, at = 0): string =>
  formatRoute({ page: 'review', id, file, game, line: [], at });
