// For addresses that lead nowhere.
import type { Route } from '../../router';
import { lostView } from '../../ui/frameView';
import type { Page } from '../page';

export const lostPage: Page<Extract<Route, { page: 'lost' }>> = { view: (_, route) => lostView(route.path) };
