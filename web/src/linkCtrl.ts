// The live connection, one for the life of the page: its events go to the store and to the page that is shown.
import { run, tellMistake, type Ctx } from './ctx';
import { dropEarly } from './data/early';
import type { ServerSource } from './data/server';
import { Stream, serverEvent, type ServerEvent } from './data/events';
import { pageOf } from './pages/table';
import type { Route } from './router';
import { learnHealth } from './ui/storeHealth';
import { happened, tell } from './ui/tell';

// The analysis whose positions a page shows; 0: none.
export const watchedIn = (route: Route): number =>
  route.page === 'tree' || route.page === 'review' ? (route.id ?? 0) : 0;

export function connect(ctx: Ctx, source: ServerSource): Stream {
  const stream = new Stream({
    headers: () => source.headers(),
    watched: () => watchedIn(ctx.state.route),
    event: (kind, data) => {
      if (kind === 'reset') refetch(ctx);
      const event = serverEvent(kind, data);
      if (event) onEvent(ctx, event);
    },
    open: again => onOpen(ctx, again),
    lost: status => {
      onLost(ctx, status);
      if (status === 401 && ctx.state.shared) stream.stop(); // it never holds again
    },
    mistake: error => tellMistake(ctx, error),
  });
  stream.start();
  return stream;
}

// Where there is no server, nothing comes and nothing is lost.
export function standAlone(ctx: Ctx): Pick<Stream, 'hurry' | 'follow'> {
  ctx.state.link = { status: 'online', since: ctx.clock.now() };
  return { hurry: () => undefined, follow: () => undefined };
}

export function onOpen(ctx: Ctx, again: boolean): void {
  const wasDown = ctx.state.link.status !== 'online';
  if (wasDown) ctx.state.link = { status: 'online', since: ctx.clock.now() };
  if (ctx.state.dialog === 'token') ctx.state.dialog = null; // nobody asks for it any more
  if (again || wasDown) refetch(ctx);
  if (again || wasDown || !ctx.state.version) run(ctx, learnHealth(ctx)); // it may be another server now
  ctx.redraw();
}

function onLost(ctx: Ctx, status: number): void {
  const now = status === 401 ? 'locked' : 'offline';
  if (ctx.state.link.status !== now) ctx.state.link = { status: now, since: ctx.clock.now() };
  if (now === 'locked' && ctx.state.shared) ctx.state.dialog = null;
  else if (now === 'locked') ctx.state.dialog ??= 'token';
  ctx.redraw();
}

function refetch(ctx: Ctx): void {
  const { route, store } = ctx.state;
  dropEarly();
  store.analyses.complete = false; // who needs all of them asks again
  store.engines.complete = false;
  pageOf(route).refetch?.(ctx);
}

export function onEvent(ctx: Ctx, event: ServerEvent): void {
  const { route, store, dialog } = ctx.state;
  if (event.kind === 'analysis' || event.kind === 'analysis_changed') {
    const before = store.analyses.get(event.data.id);
    if (event.kind === 'analysis') store.analyses.put(event.data, store.now());
    else store.analyses.merge(event.data.id, event.data, store.now());
    const now = store.analyses.get(event.data.id);
    const what = now && happened(before, now);
    if (what) tell(ctx, now, what);
  }
  if (event.kind === 'engine') store.engines.put(event.data, store.now());
  if (event.kind === 'engine_changed') store.engines.merge(event.data.name, event.data, store.now());
  if (event.kind === 'removed') {
    store.analyses.drop(event.data.id, store.now());
    // Nothing is left to set, and a dialog that is not shown would keep the keys from the page.
    if (dialog === 'settings' && ctx.state.settings?.id === event.data.id) ctx.state.dialog = null;
  }
  pageOf(route).onEvent?.(ctx, event);
  if (dialog) ctx.redraw(); // it may list them
}
