// Setting up a position piece by piece: what stands where, whose move it is, who may castle. Pure.
import { readFen, startFen, type Parsed } from '../../chess/chess';
import { makeFen } from 'chessops/fen';
import type { Side } from '../../chess/score';

export const rights = ['K', 'Q', 'k', 'q'] as const;
export type Right = (typeof rights)[number];

export interface Editor {
  board: string; // the first field of a FEN
  turn: Side;
  castling: readonly Right[]; // as wished; those that are possible count
  brush: string | null; // a letter of a FEN, 'x' = takes away, null = moves what stands there
}

export const emptyBoard = '8/8/8/8/8/8/8/8';

// Of a position that is legal.
export function editorOf(fen: string, brush: string | null = null): Editor {
  const [board = emptyBoard, turn, castling = '-'] = fen.split(' ');
  const squares = expanded(board);
  return {
    board,
    turn: turn === 'b' ? 'black' : 'white',
    castling: rights.filter(
      right => castling.includes(right) || (castling !== '-' && hasFileRight(castling, right, squares)),
    ),
    brush,
  };
}

// 64 letters or blanks, a8 first.
export const expanded = (board: string): string =>
  board.replace(/\//g, '').replace(/\d/g, n => ' '.repeat(Number(n)));

const packed = (squares: string): string =>
  Array.from({ length: 8 }, (_, rank) => squares.slice(rank * 8, rank * 8 + 8))
    .join('/')
    .replace(/ +/g, blank => String(blank.length));

// Shredder's letters, as "HAha": the right belongs to the outermost rook here.
function hasFileRight(castling: string, right: Right, squares: string): boolean {
  const rank = /[KQ]/.test(right) ? squares.slice(56) : squares.slice(0, 8);
  const [king, rook] = /[KQ]/.test(right) ? ['K', 'R'] : ['k', 'r'];
  const at = /k/i.test(right) ? rank.lastIndexOf(rook!) : rank.indexOf(rook!);
  const letter = 'abcdefgh'[at] ?? '?';
  const found = castling.includes(right === right.toUpperCase() ? letter.toUpperCase() : letter);
  return found && (/k/i.test(right) ? at > rank.indexOf(king!) : at < rank.indexOf(king!));
}

// Is there a king on his rank with a rook on that side?
export function isPossible(board: string, right: Right): boolean {
  const squares = expanded(board);
  const white = right === right.toUpperCase();
  const rank = white ? squares.slice(56) : squares.slice(0, 8);
  const king = rank.indexOf(white ? 'K' : 'k');
  const rook = white ? 'R' : 'r';
  if (king < 0) return false;
  return /k/i.test(right) ? rank.lastIndexOf(rook) > king : rank.slice(0, king).includes(rook);
}

// `square` like "e4".
export function put(editor: Editor, square: string, piece: string | null): Editor {
  const at = (8 - Number(square[1])) * 8 + square.charCodeAt(0) - 97;
  const squares = expanded(editor.board);
  return { ...editor, board: packed(squares.slice(0, at) + (piece ?? ' ') + squares.slice(at + 1)) };
}

// The FEN, or why there can be no such position.
export function fenOf(editor: Editor): Parsed<string> {
  const castling = editor.castling.filter(right => isPossible(editor.board, right)).join('') || '-';
  const fen = `${editor.board} ${editor.turn === 'white' ? 'w' : 'b'} ${castling} - 0 1`;
  const squares = expanded(editor.board);
  for (const [king, side] of [
    ['K', 'White'],
    ['k', 'Black'],
  ] as const) {
    const kings = squares.split(king).length - 1;
    if (kings === 0) return { ok: false, message: `${side} has no king.` };
    if (kings > 1) return { ok: false, message: `${side} has ${kings} kings.` };
  }
  const read = readFen(fen);
  return read.ok ? { ok: true, value: makeFen(read.value.toSetup()) } : read;
}

// Scharnagl's numbering: position 518 is the usual one. Algorithm: R. Scharnagl, the direct derivation from the number.
export function chess960(number: number): string {
  const rank: (string | null)[] = Array.from({ length: 8 }, () => null);
  const free = (): number[] => rank.flatMap((piece, file) => (piece === null ? [file] : []));
  let rest = number;
  const take = (n: number): number => {
    const part = rest % n;
    rest = Math.floor(rest / n);
    return part;
  };
  rank[take(4) * 2 + 1] = 'b';
  rank[take(4) * 2] = 'b';
  rank[free()[take(6)]!] = 'q';
  const five = free();
  const pairs = [0, 1, 2, 3].flatMap(a => [1, 2, 3, 4].filter(b => b > a).map(b => [a, b] as const));
  for (const place of pairs[rest]!) rank[five[place]!] = 'n';
  for (const [i, file] of free().entries()) rank[file] = 'rkr'[i]!;
  const black = rank.join('');
  const fen = `${black}/pppppppp/8/8/8/8/PPPPPPPP/${black.toUpperCase()} w KQkq - 0 1`;
  return number === 518 ? startFen : fen;
}

// 0 to 959; null: no such number.
export function readNumber960(text: string): number | null {
  const n = Number(text);
  return /^\d{1,3}$/.test(text.trim()) && n <= 959 ? n : null;
}
