// Runs before the first paint, and while the page's code is on its way: a chosen theme does not flash in late, and
// what the first view needs is on its way, too. Bundled by itself, since it must not wait for what it shares.
import { askEarly } from './data/early';
import { load, loadTheme } from './data/prefs';
import { sharedHere, takeShared } from './data/shared';
import { beginTyped, keepTyped } from './data/typed';
import { parseRoute, within } from './router';

// The files of the parts that come later (scripts/build.mjs): by page, and by tab of the tree.
declare const partFiles: Record<string, readonly string[]>;

const theme = loadTheme();
if (theme !== 'auto') document.documentElement.dataset['theme'] = theme;

takeShared();
const shared = sharedHere();
const route = within(shared, parseRoute(location.hash));
if (route.page === 'queue' && !shared) beginTyped();
window.addEventListener('keydown', keepTyped);
askEarly(route, shared?.secret ?? load('token'));
for (const file of partFiles[route.page === 'tree' ? route.tab : route.page] ?? []) {
  const link = document.createElement('link');
  link.rel = 'modulepreload';
  link.href = file;
  document.head.append(link);
}
