// The page for a new analysis. Its code comes when it is first entered.
import { run } from '../../ctx';
import type { Route } from '../../router';
import { h } from '../../ui/dom';
import { pageView } from '../../ui/frameView';
import { Part } from '../../ui/part';
import type { Page } from '../page';

const part = new Part(() => import('./createPart'));

export const createPage: Page<Extract<Route, { page: 'new' }>> = {
  enter: (ctx, route) =>
    run(
      ctx,
      part.load().then(({ enter }) => {
        if (ctx.state.route === route) enter(ctx, route.copy);
      }),
    ),
  view: ctx =>
    part.here && ctx.state.create
      ? part.here.createView(ctx, ctx.state.create)
      : pageView('.create', 'New analysis', [h('div.skeleton')]),
  title: () => 'New analysis – Adjourn',
};
