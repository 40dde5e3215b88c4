// What changed in all analyses since one looked. Its code comes when it is first entered.
import type { Route } from '../../router';
import { h } from '../../ui/dom';
import { pageView } from '../../ui/frameView';
import { Part } from '../../ui/part';
import { enterPart, type Page } from '../page';

const part = new Part(() => import('./summaryView'));

export const summaryPage: Page<Extract<Route, { page: 'summary' }>> = {
  enter: (ctx, route) => enterPart(part, ctx, route),
  view: ctx =>
    part.here && ctx.state.summary
      ? part.here.summaryView(ctx, ctx.state.summary)
      : pageView('.summary-page', 'What changed', [h('div.skeleton')]),
  title: () => 'What changed – Adjourn',
  refetch: ctx => part.here?.enter(ctx),
};
