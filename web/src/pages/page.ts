// What a page of ours is: how it is entered and left, shown, worked by keys, and kept up to date.
import { usePart, type Part } from '../ui/part';
import type { Ctx } from '../ctx';
import type { ServerEvent } from '../data/events';
import type { Route } from '../router';
import type { VNode } from '../ui/dom';

// One row of the keyboard help.
export interface Key {
  group: string;
  keys: readonly string[]; // as the browser names them; "g q": one after the other
  what: string; // "" stays out of the help
  repeats?: boolean; // goes on while it is held
  own?: boolean; // not for whoever came by a link: it changes something, or leads elsewhere
  run(ctx: Ctx, key: string): unknown; // false: it has no meaning here
}

export interface PlayBoard {
  fen: string; // where the line begins
  line: readonly string[]; // UCI
  play(uci: string): void;
}

export interface Page<R extends Route = Route> {
  // Also for every step inside of the page.
  enter?(ctx: Ctx, route: R): void;
  leave?(ctx: Ctx): void;
  // Are both the same place, between which nothing is left?
  same?(a: R, b: R): boolean;
  view(ctx: Ctx, route: R): VNode;
  title?(ctx: Ctx): string;
  keys?: readonly Key[];
  // The position on the page's board, where moves may be played; null: there is none.
  board?(ctx: Ctx): PlayBoard | null;
  // The store has been told already.
  onEvent?(ctx: Ctx, event: ServerEvent): void;
  // What was missed cannot be known: all that is shown is fetched again.
  refetch?(ctx: Ctx): void;
  // Once a second while it can be seen and the server answers.
  tick?(ctx: Ctx): void;
  // The window is hidden or closed.
  hide?(ctx: Ctx): void;
}

// Enters a page by its code, which may be on its way; not if one has gone elsewhere meanwhile.
export function enterPart<R extends Route>(
  part: Part<{ enter(ctx: Ctx, route: R): void }>,
  ctx: Ctx,
  route: R,
): void {
  if (part.here) return part.here.enter(ctx, route);
  usePart(ctx, part, ({ enter }) => {
    if (ctx.state.route === route) enter(ctx, route);
    ctx.redraw();
  });
}
