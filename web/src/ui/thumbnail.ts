// A position in little: pieces on squares, nothing to play with. Its pieces are made once: redraws pass it by.
import { h, type VNode } from './dom';

const roles: Record<string, string> = {
  p: 'pawn',
  n: 'knight',
  b: 'bishop',
  r: 'rook',
  q: 'queen',
  k: 'king',
};

function pieces(fen: string): HTMLElement[] {
  const made: HTMLElement[] = [];
  (fen.split(' ')[0] ?? '').split('/').forEach((rank, y) => {
    let x = 0;
    for (const letter of rank) {
      const role = roles[letter.toLowerCase()];
      if (!role) {
        x += Number(letter);
        continue;
      }
      const piece = document.createElement('piece');
      piece.className = `${letter === letter.toLowerCase() ? 'black' : 'white'} ${role}`;
      piece.style.left = `${x * 12.5}%`;
      piece.style.top = `${y * 12.5}%`;
      made.push(piece);
      x++;
    }
  });
  return made;
}

export const thumbnail = (fen: string): VNode =>
  h('div.thumbnail.cg-wrap', {
    key: fen,
    attrs: { 'aria-hidden': 'true' },
    hook: { create: (_, vnode) => (vnode.elm as HTMLElement).append(...pieces(fen)) },
  });
