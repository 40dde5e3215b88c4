// What a position without a name of its own is called, by what stands on the board. Pure.

const kinds: Record<string, string> = { q: 'Queen', r: 'Rook', b: 'Bishop', n: 'Knight' };
const few = 4; // pieces besides kings and pawns: an ending

const looksLikeFen = (text: string): boolean => /^([1-8pnbrqk]+\/){7}[1-8pnbrqk]+ [wb]\b/i.test(text);

export function positionName(fen: string): string {
  const pieces = [...(fen.split(' ')[0] ?? '').toLowerCase()].filter(letter => letter in kinds);
  const different = [...new Set(pieces)].sort().join('');
  if (!pieces.length) return 'Pawn ending';
  if (pieces.length > few) return 'Position';
  if (different.length === 1) return `${kinds[different]} ending`;
  return different === 'bn' ? 'Minor-piece ending' : 'Ending';
}

// A FEN is no name for people.
export const nameOf = (name: string): string => (looksLikeFen(name) ? positionName(name) : name);
