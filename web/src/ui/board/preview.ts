// A line that one points at, as a small board beside it: the board of the page stays as it is.
import { follow } from '../../chess/chess';
import type { Ctx } from '../../ctx';
import type { Preview } from '../../state';
import { h, type VNode } from '../dom';
import { boardView } from './boardView';

export function setPreview(ctx: Ctx, preview: Preview | null): void {
  const before = ctx.state.preview;
  if (before?.line.join() === preview?.line.join() && before?.fen === preview?.fen) return;
  ctx.state.preview = preview;
  ctx.redraw();
}

const size = 224; // px, as in board.css
const gap = 10;

export function previewView(ctx: Ctx): VNode | null {
  const { preview } = ctx.state;
  const place = preview && follow(preview.fen, preview.line);
  if (!place) return null;
  const { left, top, bottom } = preview.at;
  const below = bottom + gap + size < window.innerHeight;
  const room = document.documentElement.clientWidth - size - gap;
  return h(
    'div.preview',
    {
      key: 'preview',
      attrs: { 'aria-hidden': 'true' },
      style: {
        left: `${Math.max(gap, Math.min(left, room))}px`,
        top: `${below ? bottom + gap : Math.max(gap, top - size - gap)}px`,
      },
    },
    [
      boardView({
        small: true,
        place,
        orientation: preview.orientation,
        shapes: [],
        label: 'Preview',
        onMove: null,
      }),
    ],
  );
}
