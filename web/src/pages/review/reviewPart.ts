// The review of games, as it is loaded.
export * from './reviewCtrl';
export { chooseView } from './chooseView';
export { refreshSoon } from './follow';
export { nextMoment } from './reviewState';
export { reviewView } from './reviewView';
export { tableView } from './tableView';
