// The summary, as it is loaded.
export * as ctrl from './summaryCtrl';
export { summaryView } from './summaryView';
