// Puts the page together: one state, one redraw, the router, the live connection.
import { Api } from './data/api';
import { systemClock } from './data/clock';
import * as createCtrl from './pages/create/createCtrl';
import { createView } from './pages/create/createView';
import { run, tellMistake } from './ctx';
import type { Ctx } from './ctx';
import { exportDialog } from './dialogs/export/exportView';
import * as factsCtrl from './pages/tree/facts/factsCtrl';
import { bannerView, headerView, lostView, toastsView } from './ui/frameView';
import { keysDialog } from './dialogs/keysDialog';
import { tokenDialog } from './dialogs/tokenDialog';
import { importDialog } from './dialogs/import/importView';
import { onKey } from './keyboard';
import * as link from './linkCtrl';
import * as pictureCtrl from './pages/tree/picture/pictureCtrl';
import { load as loadPref, loadTheme, recordVisit } from './data/prefs';
import * as queueCtrl from './pages/queue/queueCtrl';
import { find } from './pages/queue/queueState';
import { queueView } from './pages/queue/queueView';
import { settingsDialog } from './dialogs/settings/settingsView';
import { formatRoute, parseRoute } from './router';
import type { Route } from './router';
import { initialState } from './state';
import type { State } from './state';
import * as timeCtrl from './pages/tree/time/timeCtrl';
import * as treeCtrl from './pages/tree/treeCtrl';
import { documentTitle, treeView } from './pages/tree/treeView';
import type { Analysis } from './data/types';
import { h, patch } from './ui/dom';
import type { VNode } from './ui/dom';
import { menuView } from './ui/menuView';

const state: State = initialState(parseRoute(location.hash), loadTheme(), Date.now());

let shown: VNode | Element = document.getElementById('page')!;
let frame = 0;

function redrawNow(): void {
  frame = 0;
  const region = document.activeElement?.closest('[data-keep-focus]')?.getAttribute('data-keep-focus');
  shown = patch(shown, page());
  // What had the focus is gone (a row that was followed): the focus stays in its table.
  if (region && document.activeElement === document.body)
    document.querySelector<HTMLElement>(`[data-keep-focus=${region}]`)?.focus({ preventScroll: true });
  const title = titleOf();
  if (document.title !== title) document.title = title;
}

const ctx: Ctx = {
  state,
  api: new Api(() => loadPref('token')),
  clock: systemClock,
  redraw: () => {
    if (!frame) frame = requestAnimationFrame(redrawNow);
  },
  go: (route, how = 'push') => {
    const url = formatRoute(route);
    if (url !== location.hash) {
      if (how === 'push') history.pushState(null, '', url);
      else history.replaceState(null, '', url);
    }
    enter(route);
  },
};

function titleOf(): string {
  const { route, tree } = state;
  if (route.page === 'tree' && tree) return documentTitle(tree);
  return route.page === 'new' ? 'New analysis – Adjourn' : 'Adjourn';
}

function page(): VNode {
  return h('div#page', { attrs: { 'data-page': state.route.page } }, [
    headerView(ctx),
    bannerView(ctx),
    content(),
    menuView(ctx),
    dialogView(),
    toastsView(ctx),
  ]);
}

function content(): VNode {
  const { route, tree } = state;
  if (route.page === 'queue') return queueView(ctx);
  if (route.page === 'new') return createView(ctx);
  if (route.page === 'tree' && tree) return treeView(ctx, tree);
  return lostView(route.page === 'lost' ? route.path : '');
}

const known = (id: number): Analysis | null =>
  find(state.queue, id) ?? (state.tree?.id === id ? state.tree.analysis : null);

function dialogView(): VNode | null {
  const close = (): void => {
    state.dialog = null;
    ctx.redraw();
  };
  switch (state.dialog) {
    case 'keys':
      return keysDialog(ctx, close);
    case 'token':
      return tokenDialog(ctx, close);
    case 'settings': {
      const { settings } = state;
      const now = settings && known(settings.id);
      return settings && now && settingsDialog(ctx, settings, now, close);
    }
    case 'export':
      return state.export && exportDialog(ctx, state.export, close);
    case 'import':
      return state.import && importDialog(ctx, state.import, close);
    case null:
      return null;
  }
}

function enter(route: Route): void {
  const before = state.route;
  const samePlace =
    before.page === route.page &&
    !(before.page === 'tree' && route.page === 'tree' && before.id !== route.id);
  if (before.page === 'tree' && !samePlace) treeCtrl.leave(ctx);
  state.route = route;
  state.menu = null;
  if (!samePlace) {
    state.dialog = null;
    window.scrollTo(0, 0);
  }
  load(route);
  link.follow(ctx, route.page === 'tree' ? route.id : null);
  ctx.redraw();
}

function load(route: Route): void {
  if (route.page === 'queue') queueCtrl.enter(ctx);
  if (route.page === 'new') createCtrl.enter(ctx, route.copy);
  if (route.page !== 'tree') return;
  treeCtrl.enter(ctx, route);
  const { tree } = state;
  if (!tree) return;
  if (route.tab === 'picture') run(ctx, pictureCtrl.load(ctx, tree));
  if (route.tab === 'time') timeCtrl.enter(ctx, tree);
  if (route.tab === 'facts') run(ctx, factsCtrl.load(ctx, tree));
}

// Once a second: what shows the time, and the tabs that follow the growth at leisure.
function tick(): void {
  state.now = Date.now();
  if (document.hidden) return;
  const { route, tree, link: connection } = state;
  if (route.page !== 'tree' || !tree || connection.status !== 'online') return;
  const growing = tree.analysis?.state === 'running';
  if (route.tab === 'picture' && growing) pictureCtrl.loadIfOld(ctx, tree);
  if (route.tab === 'time' && growing) timeCtrl.loadIfOld(ctx);
}

// The browser has them in its console already.
const mistake = (reason: unknown): void => tellMistake(ctx, reason);
window.addEventListener('error', event => event.error && mistake(event.error)); // else the browser's own notice
window.addEventListener('unhandledrejection', event => mistake(event.reason));
window.addEventListener('popstate', () => enter(parseRoute(location.hash)));
window.addEventListener('keydown', event => onKey(ctx, event));
window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => ctx.redraw());
window.addEventListener('online', () => link.hurry());
document.addEventListener('visibilitychange', () => {
  if (document.hidden) {
    if (state.tree) recordVisit(state.tree.id, Date.now());
  } else link.hurry();
});
window.addEventListener('pagehide', () => {
  queueCtrl.finishRemovals(ctx);
  if (state.tree) recordVisit(state.tree.id, Date.now());
});
setInterval(tick, 1000);

enter(state.route);
