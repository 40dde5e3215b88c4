// The orders, as they are loaded.
export * as ctrl from './ordersCtrl';
export { ordersView } from './ordersView';
