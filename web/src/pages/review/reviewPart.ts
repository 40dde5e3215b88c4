// The review of a game, as it is loaded.
export * as ctrl from './reviewCtrl';
export { chooseView } from './chooseView';
export { nextMoment } from './reviewState';
export { reviewView } from './reviewView';
