// Moves that somebody expects, each a link to the position behind it, shown while one points at it. Pointing is to move
// the pointer, or to come by keyboard: a step that is drawn under a resting pointer, or that a click gave the focus, shows
// nothing.
import { moveNumber } from '../chess/chess';
import type { Step } from '../data/types';
import { h } from './dom';
import type { VNode } from './dom';
import { hasMoved } from './pointer';

// `before`: the line that leads there, its last move at ply `ply` - 1. preview(null): nothing is pointed at.
export function pvSteps(
  ply: number,
  before: readonly string[],
  pv: readonly Step[],
  href: (line: string[]) => string,
  preview: (line: string[] | null) => void,
): VNode[] {
  return pv.map((step, i) => {
    const line = [...before, ...pv.slice(0, i + 1).map(s => s.uci)];
    const number = moveNumber(ply + i, i === 0);
    const show = (): void => preview(line);
    return h('span.pv-step', { key: i }, [
      number ? h('span.number', number) : null,
      h(
        'a',
        {
          attrs: { href: href(line) },
          on: {
            mousemove: event => hasMoved(event) && show(),
            focus: event => (event.target as Element).matches(':focus-visible') && show(),
            blur: () => preview(null),
          },
        },
        step.san,
      ),
    ]);
  });
}
