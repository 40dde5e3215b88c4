// The page that a server has sent, for whoever has its token, or a link to one analysis.
import { load } from './data/prefs';
import { ServerSource } from './data/server';
import { sharedHere } from './data/shared';
import { start } from './start';

const shared = sharedHere();
start({ source: new ServerSource(() => shared?.secret ?? load('token')), shared, site: null });
