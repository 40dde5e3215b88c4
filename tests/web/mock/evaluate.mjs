// A cheap static judgement of chess positions, good enough for a mock's numbers to look like chess.
import { attacks } from 'chessops/attacks';
import { makeFen, parseFen } from 'chessops/fen';
import { Chess } from 'chessops/chess';
import { makeSan } from 'chessops/san';
import { makeUci, opposite, squareFile, squareRank, kingCastlesTo, makeSquare } from 'chessops/util';
import { castlingSide } from 'chessops/chess';

export const worth = { pawn: 100, knight: 320, bishop: 330, rook: 500, queen: 950, king: 20000 };

export function hash(text) {
  let h = 2166136261;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619);
  h = Math.imul(h ^ (h >>> 15), 2246822507);
  h = Math.imul(h ^ (h >>> 13), 3266489909);
  return (h ^ (h >>> 16)) >>> 0;
}

// A number in −1 … 1 that depends on the text alone.
export const noise = text => (hash(text) / 0xffffffff) * 2 - 1;

export const parse = fen => Chess.fromSetup(parseFen(fen).unwrap()).unwrap();

export const keyOf = pos => makeFen(pos.toSetup(), { epd: true });

function placed(piece, square) {
  const file = squareFile(square);
  const rank = piece.color === 'white' ? squareRank(square) : 7 - squareRank(square);
  const centre = 3.5 - Math.max(Math.abs(file - 3.5), Math.abs(rank - 3.5));
  switch (piece.role) {
    case 'pawn':
      return (
        rank * 3 +
        (file > 1 && file < 6 ? centre * 9 : 0) -
        (rank === 1 && (file === 3 || file === 4) ? 18 : 0)
      );
    case 'knight':
      return centre * 16 + (rank > 1 ? 12 : 0);
    case 'bishop':
      return centre * 7 + (rank > 0 ? 14 : 0);
    case 'rook':
      return rank === 6 ? 18 : centre;
    case 'queen':
      return rank > 3 ? -12 : 0;
    default:
      return rank === 0 ? (file === 6 || file === 2 ? 34 : file === 4 ? 4 : -14) : -22 * rank;
  }
}

function attackers(pos, square, color) {
  const found = [];
  for (const [from, piece] of pos.board)
    if (piece.color === color && attacks(piece, from, pos.board.occupied).has(square)) found.push(piece.role);
  return found;
}

// Centipawns, White's view, for a position before the side to move has taken anything.
function statically(pos) {
  let sum = 0;
  for (const [square, piece] of pos.board)
    sum +=
      (piece.color === 'white' ? 1 : -1) *
      ((piece.role === 'king' ? 0 : worth[piece.role]) + placed(piece, square));
  return sum;
}

// The best gain the side to move has by one capture.
function hanging(pos) {
  let gain = 0;
  const mine = opposite(pos.turn);
  for (const [square, piece] of pos.board) {
    if (piece.color !== mine || piece.role === 'king') continue;
    const by = attackers(pos, square, pos.turn);
    if (!by.length) continue;
    const guarded = attackers(pos, square, mine).length > 0;
    const cheapest = Math.min(...by.map(role => worth[role]));
    gain = Math.max(gain, guarded ? worth[piece.role] - cheapest : worth[piece.role]);
  }
  return gain;
}

export function judge(pos) {
  const sign = pos.turn === 'white' ? 1 : -1;
  return statically(pos) + sign * (hanging(pos) * 0.8 + 14);
}

export function uciOf(pos, move) {
  const side = castlingSide(pos, move);
  return side && squareFile(move.from) === 4
    ? makeSquare(move.from) + makeSquare(kingCastlesTo(pos.turn, side))
    : makeUci(move);
}

export function legalMoves(pos) {
  const moves = [];
  for (const [from, dests] of pos.allDests())
    for (const to of dests) {
      const promotes = pos.board.get(from).role === 'pawn' && (to >= 56 || to < 8);
      moves.push(promotes ? { from, to, promotion: 'queen' } : { from, to });
    }
  return moves;
}

// All legal moves with a score in centipawns (White's view), best first for the side to move.
// `quick`: by hash alone, for very large trees.
export function ranked(fen, base, quick) {
  const pos = parse(fen);
  const sign = pos.turn === 'white' ? 1 : -1;
  const list = legalMoves(pos).map(move => {
    const next = pos.clone();
    next.play(move);
    const key = keyOf(next);
    const raw = quick ? sign * -300 * Math.abs(noise(key)) : judge(next) + 26 * noise(key);
    return { uci: uciOf(pos, move), san: makeSan(pos, move), key, fen: makeFen(next.toSetup()), raw, next };
  });
  list.sort((a, b) => sign * (b.raw - a.raw));
  const top = list[0]?.raw ?? 0;
  const anchored = base + sign * 6 * noise(fen);
  for (const entry of list) {
    const gap = Math.abs(top - entry.raw);
    entry.cp = Math.round(anchored - sign * (gap > 150 ? gap : gap * 0.55));
    entry.mate = entry.next.isCheckmate();
    if (entry.mate) entry.cp = sign * 20000;
    if (entry.next.isStalemate()) entry.cp = 0;
    delete entry.next;
  }
  return list.sort((a, b) => sign * (b.cp - a.cp));
}
