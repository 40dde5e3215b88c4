// Moves that somebody expects, each a link to the position behind it, shown on a small board while one points at it.
// Pointing is to move the pointer, or to come by keyboard: a step that is drawn under a resting pointer, or that a click
// gave the focus, shows nothing.
import { moveNumber, ucis } from '../chess/chess';
import type { Side } from '../chess/score';
import type { Ctx } from '../ctx';
import type { Step } from '../data/types';
import { setPreview } from './board/preview';
import { h, type VNode, hasMoved } from './dom';

interface Origin {
  fen: string; // where `before` begins
  before: readonly string[]; // UCI, up to the first of the moves
  ply: number; // of the first of the moves
  orientation: Side;
  href(line: string[]): string;
}

export function pvSteps(ctx: Ctx, from: Origin, pv: readonly Step[]): VNode[] {
  return pv.map((step, i) => {
    const line = [...from.before, ...ucis(pv.slice(0, i + 1))];
    const number = moveNumber(from.ply + i, i === 0);
    const { fen, orientation } = from;
    const show = (event: Event): void =>
      setPreview(ctx, { fen, line, orientation, at: (event.target as Element).getBoundingClientRect() });
    return h('span.pv-step', { key: i }, [
      number ? h('span.number', number) : null,
      h(
        'a',
        {
          attrs: { href: from.href(line) },
          on: {
            mousemove: event => hasMoved(event) && show(event),
            mouseleave: () => setPreview(ctx, null),
            focus: event => (event.target as Element).matches(':focus-visible') && show(event),
            blur: () => setPreview(ctx, null),
          },
        },
        step.san,
      ),
    ]);
  });
}
