// The page for a new analysis.
import type { Route } from '../../router';
import type { Page } from '../page';
import * as ctrl from './createCtrl';
import { createView } from './createView';

export const createPage: Page<Extract<Route, { page: 'new' }>> = {
  enter: (ctx, route) => ctrl.enter(ctx, route.copy),
  view: createView,
  title: () => 'New analysis – Adjourn',
};
