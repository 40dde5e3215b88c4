// The columns beside the tree's values, as they are loaded.
export * from './besideCtrl';
export { besideOf } from './besideView';
