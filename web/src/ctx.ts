// What every controller is handed: the state, the server, and the few things that are global.
import { ApiError, type Api } from './data/api';
import type { Clock } from './data/clock';
import type { Route } from './router';
import type { MenuItem, State, Toast } from './state';

export interface Ctx {
  readonly state: State;
  readonly api: Api;
  readonly clock: Clock;
  hurry(): void; // the network may be back: connect at once
  // Once, however often it is called: at once after an action, else soon (ui/pace.ts). `then`: when it is done.
  redraw(then?: () => void): void;
  go(route: Route, how?: 'push' | 'replace'): void;
}

// Changes some fields, and shows it.
export function assign<T extends object>(ctx: Ctx, target: T, fields: Partial<T>): void {
  Object.assign(target, fields);
  ctx.redraw();
}

// Shows a short message for `ms`. Returns what takes it away.
export function toast(ctx: Ctx, text: string, options: Partial<Toast> & { ms?: number } = {}): () => void {
  const id = (ctx.state.toasts.at(-1)?.id ?? 0) + 1;
  const { tone = 'plain', action = null } = options;
  const entry: Toast = { id, text, tone, action };
  ctx.state.toasts = [...ctx.state.toasts.slice(-3), entry];
  const close = (): void => {
    if (!ctx.state.toasts.includes(entry)) return;
    ctx.state.toasts = ctx.state.toasts.filter(t => t !== entry);
    ctx.redraw();
  };
  ctx.clock.after(options.ms ?? (tone === 'bad' ? 10_000 : 5000), close);
  ctx.redraw();
  return close;
}

// Tells what was done, and for `ms` offers to take it back.
export function offerUndo(ctx: Ctx, text: string, undo: () => void, ms = 7000): void {
  const taken = (): void => {
    close();
    undo();
  };
  const close = toast(ctx, text, { ms, action: { label: 'Undo', run: taken } });
}

export function openMenu(ctx: Ctx, button: Element, label: string, items: MenuItem[]): void {
  const { left, right, top, bottom } = button.getBoundingClientRect();
  ctx.state.menu = { label, items, anchor: { left, right, top, bottom }, active: 0, opener: button };
  ctx.redraw();
}

// What to tell people about a failed call. Programming errors are not swallowed: they go on.
export function explain(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  throw error;
}

// A mistake of ours, told where it can be seen: in the page, and with its place in the console.
export function tellMistake(ctx: Ctx, error: unknown): void {
  console.error(error);
  toast(ctx, `The page made a mistake: ${error instanceof Error ? error.message : String(error)}`, {
    tone: 'bad',
    ms: 15_000,
  });
}

// For work that nobody waits for: what goes wrong in it is told, not lost.
export function run(ctx: Ctx, work: Promise<unknown>): void {
  work.catch((error: unknown) => {
    if (error instanceof ApiError) toast(ctx, error.message, { tone: 'bad' });
    else tellMistake(ctx, error);
  });
}

// Runs a call whose failure is shown as a message and nothing else.
export async function attempt(ctx: Ctx, call: () => Promise<unknown>): Promise<boolean> {
  try {
    await call();
    return true;
  } catch (error) {
    toast(ctx, explain(error), { tone: 'bad' });
    return false;
  } finally {
    ctx.redraw();
  }
}
