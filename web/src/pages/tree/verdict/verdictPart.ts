// What the answer rests on, as it is loaded.
export * from './verdictCtrl';
export { carriedLines, carrierArrows, verdictView } from './verdictView';
