// The evaluations, as they are loaded.
export * as ctrl from './factsCtrl';
export { factsView } from './factsView';
