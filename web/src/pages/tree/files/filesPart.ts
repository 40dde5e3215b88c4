// The files, as they are loaded.
export * as ctrl from './filesCtrl';
export { filesView } from './filesView';
