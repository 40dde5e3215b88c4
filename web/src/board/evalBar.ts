// White's share of the point as a bar beside the board.
import { text, whiteShare, words } from '../score';
import type { Side } from '../score';
import type { Score } from '../types';
import { h } from '../ui/dom';
import type { VNode } from '../ui/dom';

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
