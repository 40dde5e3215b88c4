// White's share of the point as a bar beside the board.
import { text, whiteShare, words } from '../../chess/score';
import type { Side } from '../../chess/score';
import type { Score } from '../../data/types';
import { h } from '../dom';
import type { VNode } from '../dom';

export function evalBar(score: Score | null, orientation: Side): VNode {
  const share = score ? whiteShare(score) : 0.5;
  return h(
    'div.eval-bar',
    {
      class: { turned: orientation === 'black' },
      attrs: { role: 'img', 'aria-label': words(score), title: `${text(score)}: ${words(score)}` },
    },
    [h('i', { style: { transform: `scaleY(${share.toFixed(3)})` } })],
  );
}
