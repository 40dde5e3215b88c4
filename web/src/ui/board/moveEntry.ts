// A move typed over a board: what it means so far, and the field for it.
import { assign, type Ctx } from '../../ctx';
import { follow, readMove, sanLine } from '../../chess/chess';
import { h, type VNode } from '../dom';

interface Board {
  fen: string;
  line: readonly string[];
  play(uci: string): void;
}

export interface Meaning {
  uci: string | null; // what Enter plays
  san: string | null;
  like: string[]; // legal moves that begin so, SAN
}

// A small letter may be meant for a piece where no pawn can move so. Pure.
export function meaningOf(fen: string, line: readonly string[], text: string): Meaning {
  const typed = text.trim();
  const tries = [typed, typed.charAt(0).toUpperCase() + typed.slice(1)];
  const uci = typed ? (tries.map(t => readMove(fen, line, t)).find(found => found !== null) ?? null) : null;
  const san = uci && (sanLine(fen, [...line, uci]).at(-1)?.san ?? null);
  return { uci, san, like: uci ? [] : legalMoves(fen, line).filter(m => beginsWith(m, typed)) };
}

const beginsWith = (san: string, typed: string): boolean =>
  typed !== '' &&
  san
    .toLowerCase()
    .replace(/[x=+#-]/g, '')
    .startsWith(typed.toLowerCase().replace(/[x=+#-]/g, ''));

function legalMoves(fen: string, line: readonly string[]): string[] {
  const place = follow(fen, line);
  const moves = [...(place?.dests ?? [])].flatMap(([from, tos]) => tos.map(to => from + to));
  const sans = moves.map(uci => sanLine(fen, [...line, uci]).slice(line.length)[0]?.san);
  return [...new Set(sans.filter((san): san is string => san !== undefined))].sort();
}

// A key that comes before the field is there to take it. False: it has no meaning for the field.
export function typeAhead(ctx: Ctx, board: Board | null, key: string): boolean {
  const { state } = ctx;
  if (state.moveEntry === null || !board) return false;
  if (key === 'Enter') playEntry(ctx, board);
  else if (key === 'Escape') state.moveEntry = null;
  else if (key === 'Backspace') state.moveEntry = state.moveEntry.slice(0, -1);
  else if (key.length === 1) state.moveEntry += key;
  else return false;
  ctx.redraw();
  return true;
}

function playEntry(ctx: Ctx, board: Board): void {
  const { uci } = meaningOf(board.fen, board.line, ctx.state.moveEntry ?? '');
  if (!uci) return;
  ctx.state.moveEntry = null;
  board.play(uci);
  ctx.redraw();
}

export function moveEntryView(ctx: Ctx, board: Board | null): VNode | null {
  const { state } = ctx;
  const text = state.moveEntry;
  if (text === null || !board) return null;
  const meaning = meaningOf(board.fen, board.line, text);
  const close = (): void => assign(ctx, state, { moveEntry: null });
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') playEntry(ctx, board);
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return h('div.move-entry', { key: 'move-entry' }, [
    h('label', { attrs: { for: 'move-entry' } }, 'Move'),
    h('input', {
      attrs: {
        id: 'move-entry',
        autocomplete: 'off',
        spellcheck: 'false',
        size: 8,
        'aria-describedby': 'move-entry-hint',
      },
      props: { value: text },
      hook: { insert: vnode => (vnode.elm as HTMLInputElement).focus() },
      on: {
        input: event => assign(ctx, state, { moveEntry: (event.target as HTMLInputElement).value }),
        keydown: onKey,
        blur: close,
      },
    }),
    h('span.muted', { attrs: { id: 'move-entry-hint', role: 'status' } }, hint(text, meaning)),
  ]);
}

function hint(text: string, { san, like }: Meaning): string {
  if (san) return `Enter plays ${san}`;
  if (!text.trim()) return 'like e4, Nf3, O-O';
  return like.length ? like.slice(0, 8).join(' ') : 'no such move here';
}
