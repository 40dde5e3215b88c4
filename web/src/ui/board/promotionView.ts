// Which piece a pawn becomes: four buttons over the square.
import type { Key } from '@lichess-org/chessground/types';
import type { Side } from '../../chess/score';
import { each, h, type VNode } from '../dom';

export type Promotion = 'queen' | 'knight' | 'rook' | 'bishop';
const roles: readonly Promotion[] = ['queen', 'knight', 'rook', 'bishop'];

export function promotionView(
  color: Side,
  square: Key,
  orientation: Side,
  choose: (role: Promotion | null) => void,
): VNode {
  const file = square.charCodeAt(0) - 97;
  const column = orientation === 'white' ? file : 7 - file;
  const top = color === orientation;
  return each(
    'div.promotion.cg-wrap',
    {
      attrs: { role: 'dialog', 'aria-label': 'Promote to' },
      on: {
        click: event => {
          if (event.target === event.currentTarget) choose(null);
        },
        keydown: event => {
          if (event.key !== 'Escape') return;
          event.stopPropagation();
          choose(null);
        },
      },
    },
    roles,
    (role, i) =>
      h(
        'button',
        {
          attrs: { type: 'button', 'aria-label': role, title: role },
          style: { left: `${column * 12.5}%`, top: `${(top ? i : 7 - i) * 12.5}%` },
          hook: { insert: vnode => i === 0 && (vnode.elm as HTMLElement).focus() },
          on: { click: () => choose(role) },
        },
        [h(`piece.${role}.${color}`)],
      ),
  );
}
