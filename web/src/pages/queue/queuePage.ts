// The home page: the queue.
import type { Route } from '../../router';
import type { Page } from '../page';
import * as ctrl from './queueCtrl';
import { queueView } from './queueView';

export const queuePage: Page<Extract<Route, { page: 'queue' }>> = {
  enter: ctrl.enter,
  view: queueView,
  onEvent: ctx => ctx.redraw(),
  refetch: ctrl.enter,
  tick: ctrl.tick,
};
