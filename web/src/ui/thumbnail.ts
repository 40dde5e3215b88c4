// A position in little: pieces on squares, nothing to play with.
import { h } from './dom';
import type { VNode } from './dom';

const roles: Record<string, string> = {
  p: 'pawn',
  n: 'knight',
  b: 'bishop',
  r: 'rook',
  q: 'queen',
  k: 'king',
};

export function thumbnail(fen: string, turned = false): VNode {
  const pieces: VNode[] = [];
  (fen.split(' ')[0] ?? '').split('/').forEach((rank, y) => {
    let x = 0;
    for (const letter of rank) {
      const role = roles[letter.toLowerCase()];
      if (!role) {
        x += Number(letter);
        continue;
      }
      const [left, top] = turned ? [7 - x, 7 - y] : [x, y];
      pieces.push(
        h(`piece.${letter === letter.toLowerCase() ? 'black' : 'white'}.${role}`, {
          style: { left: `${left * 12.5}%`, top: `${top * 12.5}%` },
        }),
      );
      x++;
    }
  });
  return h('div.thumbnail.cg-wrap', { key: fen, attrs: { 'aria-hidden': 'true' } }, pieces);
}
