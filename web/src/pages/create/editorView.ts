// Around the board that is set up: the pieces to put, whose move, castling, Chess960 by number.
import type { Ctx } from '../../ctx';
import { button, checkbox, each, h, input, segments, hasReducedMotion, alertLine } from '../../ui/dom';
import type { VNode } from '../../ui/dom';
import * as ctrl from './createCtrl';
import type { CreateState } from './createState';
import { emptyBoard, isPossible, readNumber960, rights, type Editor, type Right } from './editor';
import { startFen } from '../../chess/chess';
import { Chessground } from '@lichess-org/chessground';
import type { Api } from '@lichess-org/chessground/api';
import type { Side } from '../../chess/score';

// The board on which a position is set up: pieces go anywhere, and off it.
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

const roles = { k: 'king', q: 'queen', r: 'rook', b: 'bishop', n: 'knight', p: 'pawn' } as const;
const rightNames: Record<Right, string> = {
  K: 'White O-O',
  Q: 'White O-O-O',
  k: 'Black O-O',
  q: 'Black O-O-O',
};

export function editorView(ctx: Ctx, create: CreateState, editor: Editor): VNode {
  const edit = (fields: Partial<Editor>): void => ctrl.editSome(ctx, create, fields);
  const brushes = (letters: string, side: 'white' | 'black'): VNode =>
    each('div.brushes', {}, [...letters], letter => {
      const role = roles[letter.toLowerCase() as keyof typeof roles];
      const on = editor.brush === letter;
      return h(
        'button.brush',
        {
          attrs: {
            type: 'button',
            'aria-pressed': String(on),
            'aria-label': `Put a ${side} ${role}`,
            title: `${side} ${role}`,
          },
          on: { click: () => edit({ brush: on ? null : letter }) },
        },
        [h('span.cg-wrap.drawn', [h(`piece.${side}.${role}`)])],
      );
    });
  const number = readNumber960(create.number960);
  return h('div.editor', { key: 'editor', attrs: { role: 'group', 'aria-label': 'Set up the position' } }, [
    h('div.brush-box', [brushes('KQRBNP', 'white'), brushes('kqrbnp', 'black')]),
    h('div.editor-row', [
      button('', {
        label: 'Take away',
        pressed: editor.brush === 'x',
        run: () => edit({ brush: editor.brush === 'x' ? null : 'x' }),
      }),
      button('', { label: 'Clear', run: () => edit({ board: emptyBoard, castling: [] }) }),
      button('', { label: 'Start position', run: () => ctrl.editFrom(ctx, create, startFen) }),
      segments('To move', editor.turn, { white: 'White to move', black: 'Black to move' }, turn =>
        edit({ turn }),
      ),
    ]),
    each('div.editor-row', {}, rights, right => {
      const possible = isPossible(editor.board, right);
      const box = checkbox(
        `right-${right}`,
        rightNames[right],
        possible && editor.castling.includes(right),
        on => edit({ castling: rights.filter(r => (r === right ? on : editor.castling.includes(r))) }),
      );
      return possible
        ? box
        : h('span.muted.check', { attrs: { title: 'King and rook must stand for it' } }, rightNames[right]);
    }),
    h('div.editor-row', [
      h('label', { attrs: { for: 'chess960' } }, 'Chess960, 0 to 959'),
      input(
        {
          id: 'chess960',
          inputmode: 'numeric',
          maxlength: 3,
          size: 4,
          placeholder: '518',
          ...(create.number960 && number === null && { 'aria-invalid': 'true' }),
        },
        create.number960,
        text => ctrl.edit960(ctx, create, text),
      ),
      create.number960 && number === null
        ? h('span.error', { attrs: { role: 'alert' } }, 'A number from 0 to 959.')
        : null,
    ]),
    alertLine(create.inputProblem),
  ]);
}
