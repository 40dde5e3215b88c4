// The queue, as it is loaded.
export * as ctrl from './queueCtrl';
export { queueView } from './queueView';
