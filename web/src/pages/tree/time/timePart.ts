// "Over time", as it is loaded.
export * as ctrl from './timeCtrl';
export { timeView } from './timeView';
