// Around the board that is set up: the pieces to put, whose move, castling, Chess960 by number.
import type { Ctx } from '../../ctx';
import { button, checkbox, each, h, input, segments, type VNode } from '../../ui/dom';
import * as ctrl from './createCtrl';
import type { CreateState } from './createState';
import { emptyBoard, isPossible, readNumber960, rights, type Editor, type Right } from './editor';
import { startFen } from '../../chess/chess';

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
      segments(
        'To move',
        editor.turn,
        [
          ['white', 'White to move'],
          ['black', 'Black to move'],
        ],
        turn => edit({ turn }),
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
    create.inputProblem ? h('p.error', { attrs: { role: 'alert' } }, create.inputProblem) : null,
  ]);
}
