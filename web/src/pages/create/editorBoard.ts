// The board on which a position is set up: pieces go anywhere, and off it.
import { Chessground } from '@lichess-org/chessground';
import type { Api } from '@lichess-org/chessground/api';
import { h, hasReducedMotion, type VNode } from '../../ui/dom';
import type { Side } from '../../chess/score';

interface Options {
  board: string; // the first field of a FEN
  orientation: Side;
  hasBrush(): boolean; // a click puts something there
  onClick(square: string): void;
  onChange(board: string): void;
}

const mounted = new WeakMap<Node, { api: Api; options: Options }>();

function squareAt(element: HTMLElement, { clientX, clientY }: PointerEvent, side: Side): string | null {
  const { left, top, width } = element.getBoundingClientRect();
  const [file, rank] = [clientX - left, clientY - top].map(px => Math.floor((px / width) * 8)) as [
    number,
    number,
  ];
  if (file < 0 || file > 7 || rank < 0 || rank > 7) return null;
  return side === 'white' ? `${'abcdefgh'[file]}${8 - rank}` : `${'hgfedcba'[file]}${rank + 1}`;
}

function insert(vnode: VNode, options: Options): void {
  const element = vnode.elm as HTMLElement;
  const entry = { api: null as unknown as Api, options };
  entry.api = Chessground(element, {
    fen: options.board,
    orientation: options.orientation,
    animation: { enabled: !hasReducedMotion() },
    movable: { free: true, color: 'both' },
    draggable: { deleteOnDropOff: true },
    premovable: { enabled: false },
    drawable: { enabled: false },
    selectable: { enabled: false },
    events: { change: () => entry.options.onChange(entry.api.getFen()) },
  });
  const click = (event: PointerEvent): void => {
    const square = entry.options.hasBrush() ? squareAt(element, event, entry.options.orientation) : null;
    if (square) entry.options.onClick(square);
  };
  // With a brush in hand nothing is dragged.
  const hold = (event: Event): void => {
    if (entry.options.hasBrush()) event.stopPropagation();
  };
  element.addEventListener('pointerdown', click, { capture: true });
  for (const kind of ['mousedown', 'touchstart'])
    element.addEventListener(kind, hold, { capture: true, passive: true });
  mounted.set(element, entry);
}

export const editorBoard = (options: Options): VNode =>
  h(
    'div.board',
    {
      key: 'editor',
      attrs: {
        role: 'img',
        'aria-label': 'Board to set up',
        'data-testid': 'board',
        'data-fen': options.board,
      },
    },
    [
      h('div.cg-wrap', {
        key: 'cg-editor',
        hook: {
          insert: vnode => insert(vnode, options),
          postpatch: (_, vnode) => {
            const entry = mounted.get(vnode.elm!);
            if (!entry) return;
            entry.options = options;
            if (entry.api.getFen() !== options.board) entry.api.set({ fen: options.board });
            if (entry.api.state.orientation !== options.orientation)
              entry.api.set({ orientation: options.orientation });
          },
          destroy: vnode => mounted.get(vnode.elm!)?.api.destroy(),
        },
      }),
    ],
  );
