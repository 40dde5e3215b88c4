// What surrounds every page: header, offline banner, messages.
import { assign, run, type Ctx } from '../ctx';
import { applyTheme, save, type Theme } from '../data/prefs';
import { dropShared } from '../data/shared';
import type { Site } from '../data/source';
import { button, each, h, link, type Child, type VNode } from './dom';
import { moment } from './format';
import { icon, type IconName } from './icons';
import { storeView } from './storeHealth';
import { toggleNotify } from './tell';

const themes: Record<Theme, { next: Theme; label: string; icon: IconName }> = {
  auto: { next: 'light', label: 'Theme: as the system', icon: 'auto' },
  light: { next: 'dark', label: 'Theme: light', icon: 'sun' },
  dark: { next: 'auto', label: 'Theme: dark', icon: 'moon' },
};

export function cycleTheme(ctx: Ctx): void {
  const theme = themes[ctx.state.theme].next;
  ctx.state.theme = theme;
  save('theme', theme === 'auto' ? null : theme);
  applyTheme(theme);
  ctx.redraw();
}

const linkText = { connecting: 'Connecting', online: 'Live', offline: 'Offline', locked: 'Locked' } as const;

export function headerView(ctx: Ctx): VNode {
  const { route, link: state, theme, shared, site } = ctx.state;
  const current = (on: boolean): Record<string, string> => (on ? { 'aria-current': 'page' } : {});
  return h('header.top', [
    h('a.skip', { attrs: { href: '#main' }, on: { click: skipToMain } }, 'Skip to the content'),
    link('.brand', '#/', [mark(), h('span', 'Adjourn')], {
      'aria-label': shared ? 'Adjourn, to the start' : 'Adjourn, to the queue',
    }),
    site
      ? siteView(site)
      : shared
        ? sharedView(ctx)
        : h('nav', { attrs: { 'aria-label': 'Pages' } }, [
            link('', '#/', 'Queue', current(route.page === 'queue')),
            link('', '#/new', ['New', h('span', ' analysis')], current(route.page === 'new')),
            link('', '#/review', ['Review', h('span', ' a game')], current(route.page === 'review')),
          ]),
    h('div.top-right', [
      site
        ? null
        : h(
            'span.link-state',
            { attrs: { 'data-status': state.status, role: 'status', 'data-testid': 'link' } },
            [h('i.dot'), h('span', linkText[state.status])],
          ),
      shared
        ? null
        : button('.quiet.square', {
            label: 'Notify me',
            icon: icon('bell'),
            title: 'Notify me when an analysis settles, changes its best move or stops',
            pressed: ctx.state.notify,
            run: () => run(ctx, toggleNotify(ctx)),
          }),
      button('.quiet.square', {
        label: 'Keyboard help',
        icon: icon('keys'),
        title: 'Keyboard (?)',
        run: () => assign(ctx, ctx.state, { dialog: 'keys' }),
      }),
      button('.quiet.square', {
        label: themes[theme].label,
        icon: icon(themes[theme].icon),
        testid: 'theme',
        run: () => cycleTheme(ctx),
      }),
    ]),
  ]);
}

// Whoever came by a link sees that, and gets back to a page of his own.
const sharedView = (ctx: Ctx): VNode =>
  h('p.shared', { attrs: { 'data-testid': 'shared' } }, [
    h('span', isRevoked(ctx) ? 'Shared by link' : 'Shared by link, read only'),
    button('.text', {
      label: 'Leave',
      title: 'Open this server without the link: it may want a token',
      run: () => {
        dropShared();
        history.replaceState(null, '', '#/');
        location.reload();
      },
    }),
  ]);

// A site is as old as its writing.
const siteView = ({ exported }: Site): VNode =>
  h('p.shared', { attrs: { 'data-testid': 'site' } }, [
    h('span', [
      'As of ',
      h('time', { attrs: { datetime: new Date(exported).toISOString() } }, moment(exported)),
    ]),
  ]);

// The link that this tab was opened by holds no longer: nothing of what it showed stays in view.
export const isRevoked = (ctx: Ctx): boolean =>
  ctx.state.shared !== null && ctx.state.link.status === 'locked';

export const revokedView = (): VNode =>
  pageView('.lost', 'Not shared any more', [
    h('h1', 'This link does not hold any more'),
    h(
      'p',
      { attrs: { role: 'alert' } },
      'Whoever made it has revoked it, or what it showed is gone. Ask for another one.',
    ),
  ]);

function skipToMain(event: Event): void {
  event.preventDefault(); // the # belongs to the router
  document.getElementById('main')?.focus();
}

const mark = (): VNode =>
  h('svg.mark', { attrs: { viewBox: '0 0 24 24', 'aria-hidden': 'true' } }, [
    h('path.envelope', { attrs: { d: 'M2 6h20v12a1.5 1.5 0 0 1-1.5 1.5h-17A1.5 1.5 0 0 1 2 18z' } }),
    h('path.flap', { attrs: { d: 'M2 6l10 7.5L22 6' } }),
    h('circle.seal', { attrs: { cx: 12, cy: 13, r: 3 } }),
  ]);

export function bannerView(ctx: Ctx): VNode | null {
  const { link: state } = ctx.state;
  if (state.status === 'online' || state.status === 'connecting') return storeView(ctx);
  const locked = state.status === 'locked';
  return h('div.banner', { key: 'banner', attrs: { role: 'alert', 'data-testid': 'offline' } }, [
    icon('warning'),
    h(
      'span',
      locked
        ? 'This server wants a token.'
        : 'The server does not answer. What you see may be old; it comes back to life by itself.',
    ),
    locked
      ? button('', { label: 'Enter the token', run: () => assign(ctx, ctx.state, { dialog: 'token' }) })
      : null,
  ]);
}

export function toastsView(ctx: Ctx): VNode {
  return each(
    'div.toasts',
    { key: 'toasts', attrs: { role: 'status', 'aria-live': 'polite' } },
    ctx.state.toasts,
    t =>
      h('div.toast', { key: t.id, class: { bad: t.tone === 'bad' } }, [
        h('span', t.text),
        t.action ? button('.text', { label: t.action.label, run: t.action.run }) : null,
      ]),
  );
}

export const pageView = (selector: string, label: string, children: Child[]): VNode =>
  h(`main${selector}`, { key: selector, attrs: { id: 'main', tabindex: -1, 'aria-label': label } }, children);

export function lostView(path: string): VNode {
  return pageView('.lost', 'Not found', [
    h('h1', 'Nothing here'),
    h('p', ['There is no page ', h('code', path || '/'), '.']),
    link('.button', '#/', 'To the queue'),
  ]);
}
