// The form of a new analysis, as it is loaded.
export { boardOf, enter, flip, walk } from './createCtrl';
export { createView } from './createView';
export { firstView } from './firstView';
