// The keys of the page that is shown, and those that are everywhere. They do nothing while someone types, or in a
// dialog or menu.
import type { Ctx } from './ctx';
import { openImport, openMeaning } from './dialogs/parts';
import type { Key } from './pages/page';
import { allPages, pageOf } from './pages/table';
import { typeAhead } from './ui/board/moveEntry';
import { isLetter, isTyping } from './data/typed';
import { cycleTheme } from './ui/frameView';

const key = (name: string, what: string, action: Key['run'], own = false): Key => ({
  group: 'Everywhere',
  own,
  keys: [name],
  what,
  run: action,
});

export const everywhere: readonly Key[] = [
  key(
    'o',
    'import a file',
    ctx => {
      if (ctx.state.route.page === 'new') return false; // files have another meaning there
      openImport(ctx, ctx.state.tree?.id ?? null);
      return true;
    },
    true,
  ),
  key('g q', 'go to the queue', ctx => ctx.go({ page: 'queue' }), true),
  key('g c', 'what changed in all analyses', ctx => ctx.go({ page: 'summary' }), true),
  key('g n', 'new analysis', ctx => ctx.go({ page: 'new', copy: null }), true),
  key('t', 'theme', cycleTheme),
  key('w', 'what the numbers mean', ctx => openMeaning(ctx, ctx.state.meaning)),
  key('?', 'this help', ctx => {
    ctx.state.dialog = 'keys';
  }),
];

export const typedMove: Key = {
  group: 'On a board',
  keys: ['N', 'B', 'R', 'Q', 'K', 'O', '/'],
  what: 'type a move: its first letter, or / and a pawn’s move; Enter plays it',
  run: (ctx, name) => {
    if (!pageOf(ctx.state.route).board?.(ctx)) return false;
    ctx.state.moveEntry = name === '/' ? '' : name;
    return true;
  },
};

export const allKeys: readonly Key[] = [
  ...allPages.flatMap(page => page.keys ?? []),
  typedMove,
  ...everywhere,
];

const patience = 1200; // ms between the two keys of "g q"

// Enter and the space bar on a button or a link are its own business.
const pressing = (target: EventTarget | null, key: string): boolean =>
  (key === 'Enter' || key === ' ') &&
  target instanceof Element &&
  target.closest('a, button, summary') !== null;

export function onKey(ctx: Ctx, event: KeyboardEvent): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (isTyping(event.target) || pressing(event.target, event.key)) return;
  if (ctx.state.dialog || ctx.state.menu) return;
  if (isLetter(event)) {
    const field = document.querySelector<HTMLElement>('.first-form textarea');
    if (field) return field.focus(); // where it is typed then
  }
  if (event.key === 'Escape' && document.querySelector(':popover-open')) return; // the browser closes it
  const board = pageOf(ctx.state.route).board?.(ctx) ?? null;
  if (!typeAhead(ctx, board, event.key) && !press(ctx, event.key, event.repeat)) return;
  event.preventDefault();
  ctx.redraw();
}

// Does what the key is for. False: nothing here.
export function press(ctx: Ctx, name: string, held: boolean): boolean {
  const { state, clock } = ctx;
  const chord = state.chord && clock.now() - state.chord.at < patience ? `${state.chord.key} ${name}` : name;
  state.chord = null;
  const all = [...everywhere, typedMove, ...(pageOf(state.route).keys ?? [])];
  const keys = state.shared ? all.filter(k => !k.own) : all;
  const found = keys.find(k => k.keys.includes(chord));
  if (found) return held && !found.repeats ? false : found.run(ctx, chord) !== false;
  if (!keys.some(k => k.keys.some(text => text.startsWith(`${chord} `)))) return false;
  state.chord = { key: chord, at: clock.now() };
  return true;
}
