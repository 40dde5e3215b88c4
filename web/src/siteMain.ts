// The page of a site: the same as the server's, with scripts in the place of the server.
import { applyTheme, loadTheme } from './data/prefs';
import { SiteScripts } from './site/siteScripts';
import { SiteSource, type SiteIndex } from './site/siteSource';
import { start } from './start';

applyTheme(loadTheme());
const scripts = new SiteScripts();
const index = scripts.here<SiteIndex>('index');
if (index) {
  scripts.in(index.folder);
  start({
    source: new SiteSource(scripts, index),
    shared: { secret: '', id: index.analysis.id, file: null },
    site: index,
  });
} else document.getElementById('page')!.textContent = 'This site is not complete: index.js is missing.';
