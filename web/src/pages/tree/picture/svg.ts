// The picture as an SVG file: the whole tree, with all cells that are high enough to see.
import { text } from '../../../chess/score';
import { tint, type Cell } from './layout';
import { colour, lightPalette } from './palette';

export function pictureSvg(cells: readonly Cell[], columns: number, title: string): string {
  const column = 110;
  const height = 900;
  const width = columns * column;
  const parts: string[] = [];
  for (const cell of cells) {
    const top = cell.y0 * height;
    const rows = (cell.y1 - cell.y0) * height;
    if (rows < 0.5) continue;
    const left = cell.depth * column;
    parts.push(
      `<rect x="${left + 1}" y="${top.toFixed(1)}" width="${column - 2}" height="${Math.max(0.5, rows - 1).toFixed(1)}" fill="${colour(lightPalette, tint(cell.alpha))}"${cell.repeat ? ' opacity="0.45"' : ''}${cell.best ? ` stroke="${lightPalette.bestEdge}" stroke-width="2.5"` : ''}/>`,
    );
    if (rows >= 11)
      parts.push(
        `<text x="${left + 7}" y="${(top + rows / 2 + 4).toFixed(1)}"><tspan font-weight="600">${escape(cell.depth ? cell.san : 'root')}</tspan> ${text(cell.alpha)}</text>`,
      );
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height + 30}" width="${width}" height="${height + 30}" font-family="sans-serif" font-size="11" fill="#1d1b17"><rect width="100%" height="100%" fill="#fffdf9"/><text x="6" y="19" font-size="14" font-weight="600">${escape(title)}</text><g transform="translate(0 30)">${parts.join('')}</g></svg>`;
}

const escape = (value: string): string =>
  value.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
