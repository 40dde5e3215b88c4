// The board as an SVG that stands alone: squares, coordinates, last move, pieces.
import type { Place } from '../../chess/chess';
import type { Side } from '../../chess/score';

export type PieceImages = Record<string, string>; // "white knight" → data: URI

// The piece images as the style sheet has them.
export function pieceImages(): PieceImages {
  const found: PieceImages = {};
  const probe = document.createElement('div');
  probe.className = 'cg-wrap image-probe';
  document.body.append(probe);
  for (const color of ['white', 'black'])
    for (const role of ['pawn', 'knight', 'bishop', 'rook', 'queen', 'king']) {
      const piece = document.createElement('piece');
      piece.className = `${role} ${color}`;
      probe.append(piece);
      const image = getComputedStyle(piece).backgroundImage;
      const uri = /^url\("?(data:[^")]+)"?\)$/.exec(image)?.[1];
      if (uri) found[`${color} ${role}`] = uri;
    }
  probe.remove();
  return found;
}

const roles: Record<string, string> = {
  p: 'pawn',
  n: 'knight',
  b: 'bishop',
  r: 'rook',
  q: 'queen',
  k: 'king',
};
const light = '#ece6d8';
const dark = '#8fa59f';
const marked = '#d9b45b';

export function boardSvg(place: Place, orientation: Side, images: PieceImages): string {
  const size = 45;
  const turned = orientation === 'black';
  const x = (file: number): number => (turned ? 7 - file : file) * size;
  const y = (rank: number): number => (turned ? rank : 7 - rank) * size;
  const parts: string[] = [];
  for (let rank = 0; rank < 8; rank++)
    for (let file = 0; file < 8; file++) {
      const name = 'abcdefgh'[file]! + (rank + 1);
      const base = (file + rank) % 2 === 0 ? dark : light;
      parts.push(rect(x(file), y(rank), size, base));
      if ((place.lastMove as string[]).includes(name)) parts.push(rect(x(file), y(rank), size, marked, 0.55));
    }
  for (let i = 0; i < 8; i++) {
    const edge = turned ? 7 : 0;
    parts.push(label(x(i) + size - 3, y(edge) + size - 3, 'abcdefgh'[i]!, 'end'));
    parts.push(label(x(turned ? 7 : 0) + 2, y(i) + 9, String(i + 1), 'start'));
  }
  place.fen
    .split(' ')[0]!
    .split('/')
    .forEach((row, i) => {
      let file = 0;
      for (const letter of row) {
        if (/\d/.test(letter)) {
          file += Number(letter);
          continue;
        }
        const color = letter === letter.toUpperCase() ? 'white' : 'black';
        const image = images[`${color} ${roles[letter.toLowerCase()]}`];
        if (image)
          parts.push(
            `<image x="${x(file)}" y="${y(7 - i)}" width="${size}" height="${size}" href="${escape(image)}"/>`,
          );
        file++;
      }
    });
  const side = size * 8;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" width="${side}" height="${side}">${parts.join('')}</svg>`;
}

const rect = (x: number, y: number, size: number, fill: string, opacity = 1): string =>
  `<rect x="${x}" y="${y}" width="${size}" height="${size}" fill="${fill}"${opacity < 1 ? ` opacity="${opacity}"` : ''}/>`;

const label = (x: number, y: number, text: string, anchor: string): string =>
  `<text x="${x}" y="${y}" font-family="sans-serif" font-size="8" fill="#3c403c" text-anchor="${anchor}">${text}</text>`;

const escape = (text: string): string => text.replace(/&/g, '&amp;').replace(/"/g, '&quot;');
