// Tells that something happened to an analysis: in title and icon of the page while nobody looks, and as a
// notification for who asked for it.
import { toast, type Ctx } from '../ctx';
import { load, save } from '../data/prefs';
import type { Analysis } from '../data/types';
import { text } from '../chess/score';

// What the step from `before` to `now` means to a person; null: nothing to tell.
export function happened(before: Analysis | null, now: Analysis): string | null {
  if (!before) return null;
  const best = now.best ? `${now.best.san} ${text(now.best.alpha)}` : '';
  const at = best && `: ${best}`;
  // Of events that follow each other fast only the newest comes: it may have run in between.
  const further = now.state === 'settled' && now.settled > before.settled;
  if (now.state !== before.state || further) {
    if (now.state === 'settled') return `is settled${at}`;
    if (now.state === 'exhausted') return `has used its budget${at}`;
    if (now.state === 'failed') return `has failed${now.reason ? `: ${now.reason}` : ''}`;
  }
  if (before.best && now.best && before.best.uci !== now.best.uci)
    return `has a new best move: ${best}, before ${before.best.san}`;
  return null;
}

const away = (): boolean => document.hidden || !document.hasFocus();

export function tell(ctx: Ctx, analysis: Analysis, what: string): void {
  if (!away()) return;
  ctx.state.told += 1;
  if (ctx.state.notify) notify(ctx, analysis, what);
  ctx.redraw();
}

function notify(ctx: Ctx, { id, name }: Analysis, what: string): void {
  try {
    const note = new Notification(name, { body: `${name} ${what}.`, tag: `adjourn-${id}` });
    note.onclick = () => {
      window.focus();
      note.close();
      ctx.go({ page: 'tree', id, line: [], tab: 'moves' });
    };
  } catch {
    // Some phones let only installed pages notify: title and icon have told it.
  }
}

// Somebody looks again.
export function seeAll(ctx: Ctx): void {
  if (!ctx.state.told) return;
  ctx.state.told = 0;
  ctx.redraw();
}

export const wantsNotes = (): boolean =>
  load('notify') === '1' && typeof Notification !== 'undefined' && Notification.permission === 'granted';

// The browser asks its own question the first time; it is never asked unless somebody wants it.
export async function toggleNotify(ctx: Ctx): Promise<void> {
  if (ctx.state.notify) {
    ctx.state.notify = false;
    save('notify', null);
    return ctx.redraw();
  }
  if (typeof Notification === 'undefined' || !window.isSecureContext) {
    toast(ctx, 'The browser lets a page notify only on this machine or over https.', { tone: 'bad' });
    return;
  }
  const allowed = (await Notification.requestPermission()) === 'granted';
  ctx.state.notify = allowed;
  if (allowed) save('notify', '1');
  toast(
    ctx,
    allowed
      ? 'You are told when an analysis settles, changes its best move or stops, while this page is open and you look elsewhere.'
      : 'The browser does not let this page notify. Its settings for this site can change that.',
    { ms: 8000 },
  );
  ctx.redraw();
}

let plain = ''; // the icon as the page came

const dotted =
  'data:image/svg+xml,' +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M2 6h20v12a1.5 1.5 0 0 1-1.5 1.5h-17A1.5 1.5 0 0 1 2 18z" fill="#0c6f6a"/><path d="M2 6l10 7.5L22 6" fill="none" stroke="#fff" stroke-width="1.6"/><circle cx="18" cy="6" r="6" fill="#d0342a"/></svg>',
  );

// Title and icon as they should be now.
export function showTold(told: number, title: string): void {
  const whole = told ? `(${told}) ${title}` : title;
  if (document.title !== whole) document.title = whole;
  const link = document.querySelector<HTMLLinkElement>('link[rel=icon]');
  if (!link) return;
  const shown = link.getAttribute('href') ?? '';
  plain ||= shown;
  const icon = told ? dotted : plain;
  if (shown !== icon) link.setAttribute('href', icon);
}
