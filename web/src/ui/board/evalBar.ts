// White's share of the point as a bar beside the board; where it is known, White's wins, draws and Black's wins.
import { chances, text, whiteShare, words, type Side } from '../../chess/score';
import type { Score, WinDrawLoss } from '../../data/types';
import { h, type VNode } from '../dom';

export function evalBar(score: Score | null, orientation: Side, wdl?: WinDrawLoss): VNode {
  const [white, draw] = wdl ?? [score ? 1000 * whiteShare(score) : 500, 0];
  const says = wdl ? chances(wdl) : words(score);
  const part = (name: string, to: number): VNode =>
    h(`i.${name}`, { style: { transform: `scaleY(${(to / 1000).toFixed(3)})` } });
  return h(
    'div.eval-bar',
    {
      class: { turned: orientation === 'black' },
      attrs: { role: 'img', 'aria-label': says, title: `${text(score)}: ${says}` },
    },
    [part('draw', white! + draw!), part('white', white!)],
  );
}
