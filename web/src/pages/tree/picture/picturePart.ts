// The picture, as it is loaded.
export * as ctrl from './pictureCtrl';
export { pictureView } from './pictureView';
