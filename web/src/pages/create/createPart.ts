// The page for a new analysis, as it is loaded.
export { enter } from './createCtrl';
export { createView } from './createView';
