// Every key of the page in one place. Keys do nothing while someone types, or in a dialog or menu.
import { run } from './ctx';
import type { Ctx } from './ctx';
import { openExport } from './dialogs/export/exportCtrl';
import { cycleTheme } from './ui/frameView';
import { openImport } from './dialogs/import/importCtrl';
import { toggle } from './pages/queue/queueCtrl';
import { tabs } from './router';
import { directHere, openNote } from './pages/tree/steer/steerCtrl';
import * as tree from './pages/tree/treeCtrl';
import { select } from './pages/tree/treeState';

let prefix = '';
let prefixAt = 0;

// What a held key goes on doing; the others do it once.
const repeating = new Set(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Backspace']);

const typing = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

// Enter and the space bar on a button or a link are its own business.
const pressing = (target: EventTarget | null, key: string): boolean =>
  (key === 'Enter' || key === ' ') &&
  target instanceof Element &&
  target.closest('a, button, summary') !== null;

export function onKey(ctx: Ctx, event: KeyboardEvent): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (typing(event.target) || pressing(event.target, event.key)) return;
  if (ctx.state.dialog || ctx.state.menu) return;
  if (event.repeat && !repeating.has(event.key)) return;
  if (global(ctx, event.key) || (ctx.state.tree && treeKey(ctx, event.key))) {
    event.preventDefault();
    ctx.redraw();
  }
}

function global(ctx: Ctx, key: string): boolean {
  const chord = prefix && Date.now() - prefixAt < 1200 ? prefix + key : key;
  prefix = '';
  switch (chord) {
    case 'g':
      prefix = 'g';
      prefixAt = Date.now();
      return true;
    case 'gq':
      ctx.go({ page: 'queue' });
      return true;
    case 'gn':
      ctx.go({ page: 'new', copy: null });
      return true;
    case 't':
      cycleTheme(ctx);
      return true;
    case 'o':
      if (ctx.state.route.page === 'new') return false; // files have another meaning there
      openImport(ctx, ctx.state.tree?.id ?? null);
      return true;
    case '?':
      ctx.state.dialog = 'keys';
      return true;
    default:
      return false;
  }
}

function treeKey(ctx: Ctx, key: string): boolean {
  const view = ctx.state.tree!;
  const action: Record<string, () => unknown> = {
    ArrowLeft: () => tree.back(ctx),
    Backspace: () => tree.back(ctx),
    ArrowRight: () => tree.forward(ctx),
    Enter: () => tree.followBest(ctx),
    ArrowDown: () => select(view, 1),
    ArrowUp: () => select(view, -1),
    Home: () => tree.toStart(ctx),
    End: () => tree.toEnd(ctx),
    Escape: () => {
      view.selected = null;
      view.promotion = null;
    },
    f: () => tree.flip(ctx),
    n: () => directHere(ctx, 'now'),
    d: () => directHere(ctx, 'deepen'),
    i: () => directHere(ctx, 'include'),
    x: () => directHere(ctx, 'exclude'),
    c: () => directHere(ctx, 'clear'),
    m: () => openNote(ctx),
    e: () => openExport(ctx),
    p: () => view.analysis && run(ctx, toggle(ctx, view.analysis)),
  };
  const tab = tabs[Number(key) - 1];
  if (tab) tree.showTab(ctx, tab);
  else if (action[key]) action[key]();
  else return false;
  return true;
}
