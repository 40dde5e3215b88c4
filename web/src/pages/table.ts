// All pages.
import type { Route } from '../router';
import { createPage } from './create/createPage';
import type { Page } from './page';
import { queuePage } from './queue/queuePage';
import { reviewPage } from './review/reviewPage';
import { summaryPage } from './summary/summaryPage';
import { treePage } from './tree/treePage';
import { lostView } from '../ui/frameView';

// For addresses that lead nowhere.
const lostPage: Page<Extract<Route, { page: 'lost' }>> = { view: (_, route) => lostView(route.path) };

const pages: { [P in Route['page']]: Page<Extract<Route, { page: P }>> } = {
  queue: queuePage,
  new: createPage,
  tree: treePage,
  review: reviewPage,
  summary: summaryPage,
  lost: lostPage,
};

// The page of a route; it is handed routes of its own kind only.
export const pageOf = (route: Route): Page => pages[route.page] as Page;

export const allPages: readonly Page[] = Object.values(pages) as Page[];
