// The page for a new analysis, as it is loaded.
export { boardOf, enter, flip, walk } from './createCtrl';
export { createView } from './createView';
