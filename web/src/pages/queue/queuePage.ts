// The home page: the queue. Its code comes when it is first entered.
import type { Ctx } from '../../ctx';
import type { Route } from '../../router';
import { h } from '../../ui/dom';
import { pageView } from '../../ui/frameView';
import { Part } from '../../ui/part';
import { enterPart, type Page } from '../page';

const part = new Part(() => import('./queueView'));

export const queuePage: Page<Extract<Route, { page: 'queue' }>> = {
  enter: (ctx, route) => enterPart(part, ctx, route),
  view: ctx => (part.here ? part.here.queueView(ctx) : pageView('.queue', 'Queue', [h('div.skeleton')])),
  onEvent: ctx => ctx.redraw(),
  refetch: ctx => part.here?.enter(ctx),
  tick: ctx => part.here?.tick(ctx),
};

// The page is being closed: no deletion stays undecided.
export const finishRemovals = (ctx: Ctx): void => part.here?.finishRemovals(ctx);
