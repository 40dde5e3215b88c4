// Puts the page together: one state, one redraw, the router, and the live connection where there is one.
import { assign, run, tellMistake, type Ctx } from './ctx';
import { Api } from './data/api';
import { systemClock } from './data/clock';
import { dropEarly, earlyHere } from './data/early';
import { loadTheme } from './data/prefs';
import { takeShared, type Shared } from './data/shared';
import { takeTyped } from './data/typed';
import type { ServerSource } from './data/server';
import type { Site, Source } from './data/source';
import { keysDialog } from './dialogs/keysDialog';
import * as parts from './dialogs/parts';
import { tokenDialog } from './dialogs/tokenDialog';
import { allKeys, onKey } from './keyboard';
import { connect, standAlone } from './linkCtrl';
import { finishRemovals } from './pages/queue/queuePage';
import { pageOf } from './pages/table';
import { formatRoute, parseRoute, within, type Route } from './router';
import { initialState, type State } from './state';
import { h, patch, type VNode } from './ui/dom';
import { seeAll, showTold, wantsNotes } from './ui/tell';
import { bannerView, headerView, isRevoked, revokedView, toastsView } from './ui/frameView';
import { learnHealth } from './ui/storeHealth';
import { moveEntryView } from './ui/board/moveEntry';
import { previewView } from './ui/board/preview';
import { menuView } from './ui/menuView';
import { onAction, Pace } from './ui/pace';

const mostBefore = 150; // ms in which nothing is drawn yet

// Whose answers are shown, and to whom.
export type Place = { shared: Shared | null } & (
  | { source: ServerSource; site: null }
  | { source: Source; site: Site }
);

export function start(place: Place): void {
  const { shared, site, source } = place;
  const now = site?.exported ?? Date.now();
  const state: State = initialState(
    within(shared, parseRoute(location.hash)),
    loadTheme(),
    now,
    shared,
    site,
  );

  let shown: VNode | Element = document.getElementById('page')!;

  function redrawNow(): void {
    const focused = document.activeElement;
    const region = focused?.closest('[data-keep-focus]')?.getAttribute('data-keep-focus');
    shown = patch(shown, page());
    if (region && document.activeElement === document.body) {
      // A row that changed its place lost the focus on the way. One that is gone (it was followed) leaves it to its table.
      const moved = focused instanceof HTMLElement && focused.isConnected ? focused : null;
      (moved ?? document.querySelector<HTMLElement>(`[data-keep-focus=${region}]`))?.focus({
        preventScroll: true,
      });
    }
    const title = pageOf(state.route).title?.(ctx) ?? 'Adjourn';
    showTold(state.told, title);
  }

  const pace = new Pace(systemClock, work => requestAnimationFrame(work), redrawNow);

  const ctx: Ctx = {
    state,
    api: new Api(source),
    clock: systemClock,
    hurry: () => stream.hurry(),
    redraw: then => pace.want(then),
    go: (route, how = 'push') => {
      route = within(shared, route);
      const url = formatRoute(route);
      if (url !== location.hash) {
        if (how === 'push') history.pushState(null, '', url);
        else history.replaceState(null, '', url);
      }
      enter(route);
    },
  };

  function page(): VNode {
    if (isRevoked(ctx))
      return h('div#page', { attrs: { 'data-page': 'revoked' } }, [headerView(ctx), revokedView()]);
    const { route } = state;
    const touring = state.tour !== null && route.page === 'tree' && parts.meaning.here !== null;
    const attrs = { 'data-page': route.page, ...(touring && { 'data-tour': state.tour! }) };
    return h('div#page', { attrs }, [
      headerView(ctx),
      bannerView(ctx),
      pageOf(route).view(ctx, route),
      touring ? parts.meaning.here!.tourView(ctx, state.tour!) : null,
      moveEntryView(ctx, pageOf(route).board?.(ctx) ?? null),
      previewView(ctx),
      menuView(ctx),
      dialogView(),
      toastsView(ctx),
    ]);
  }

  function dialogView(): VNode | null {
    const close = (): void => assign(ctx, state, { dialog: null });
    switch (state.dialog) {
      case 'keys':
        return keysDialog(ctx, shared ? allKeys.filter(key => !key.own) : allKeys, close);
      case 'token':
        return tokenDialog(ctx, close);
      case 'settings': {
        const { settings } = state;
        const now = settings && state.store.analyses.get(settings.id);
        return now && (parts.settings.here?.settingsDialog(ctx, settings, now, close) ?? null);
      }
      case 'labels':
        return state.labels && (parts.labels.here?.labelsDialog(ctx, state.labels, close) ?? null);
      case 'notes':
        return state.notes && (parts.notes.here?.notesDialog(ctx, state.notes, close) ?? null);
      case 'share':
        return state.share && (parts.sharing.here?.shareDialog(ctx, state.share, close) ?? null);
      case 'meaning':
        return parts.meaning.here?.meaningDialog(ctx, state.meaning, close) ?? null;
      case 'export':
        return state.export && (parts.exporting.here?.exportDialog(ctx, state.export, close) ?? null);
      case 'import':
        return state.import && (parts.importing.here?.importDialog(ctx, state.import, close) ?? null);
      case null:
        return null;
    }
  }

  let begun = false;

  function begin(): void {
    if (!begun) enter(state.route);
  }

  function enter(route: Route): void {
    begun = true;
    const before = state.route;
    if (before !== route) dropEarly();
    if (route.page !== 'queue') takeTyped();
    pace.act();
    const page = pageOf(route);
    const stays = before.page === route.page && (page.same?.(before, route) ?? true);
    if (!stays) {
      pageOf(before).leave?.(ctx);
      state.dialog = null;
      window.scrollTo(0, 0);
    }
    state.route = route;
    stream.follow();
    state.menu = null;
    state.moveEntry = null;
    state.preview = null;
    page.enter?.(ctx, route);
    ctx.redraw();
  }

  let seconds = 0; // that the page was seen

  // Once a second: what shows the time, and what follows the growth at leisure.
  function tick(): void {
    if (site) return; // it stands still
    state.now = Date.now();
    if (!document.hidden && state.link.status === 'online' && ++seconds % 60 === 0)
      run(ctx, learnHealth(ctx));
    if (!document.hidden && state.link.status === 'online') pageOf(state.route).tick?.(ctx);
  }

  const hide = (): void => pageOf(state.route).hide?.(ctx);

  // The browser has them in its console already.
  window.addEventListener('error', event => event.error && tellMistake(ctx, event.error)); // else its own notice
  window.addEventListener('unhandledrejection', event => tellMistake(ctx, event.reason));
  window.addEventListener('popstate', () => {
    if (!site && takeShared()) return location.reload(); // somebody has opened a link here
    const route = parseRoute(location.hash);
    const place = within(shared, route);
    if (place === route) enter(route);
    else ctx.go(place, 'replace');
  });
  onAction(window, () => pace.act());
  window.addEventListener('keydown', event => onKey(ctx, event));
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => ctx.redraw());
  window.addEventListener('online', () => ctx.hurry());
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) return hide();
    seeAll(ctx);
    ctx.hurry();
  });
  window.addEventListener('focus', () => seeAll(ctx));
  window.addEventListener('pagehide', () => {
    finishRemovals(ctx);
    hide();
  });
  setInterval(tick, 1000);

  state.notify = wantsNotes();
  const stream = site ? standAlone(ctx) : connect(ctx, place.source);

  // What was asked for early is nearly always there by now, and so in the first drawing: one without it costs a slow
  // machine as much. Who has to wait longer sees the page without it.
  run(ctx, earlyHere().then(begin));
  setTimeout(begin, mostBefore);
}
