// The rules as far as the page needs them, over chessops: where a line leads, what may be played, how
// a move is written. The server has the last word about everything.
import { Chess, castlingSide, normalizeMove } from 'chessops/chess';
import { chessgroundDests } from 'chessops/compat';
import { makeFen, parseFen } from 'chessops/fen';
import { makeSan, parseSan } from 'chessops/san';
import type { Move, Position } from 'chessops';
import { kingCastlesTo, makeSquare, makeUci, moveEquals, parseUci, squareFile } from 'chessops/util';
import type { Key } from '@lichess-org/chessground/types';
import type { Side } from './score';
import type { Step } from '../data/types';

export const startFen = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

// One position as the board shows it.
export interface Place {
  fen: string;
  turn: Side;
  check: boolean;
  lastMove: Key[];
  dests: Map<Key, Key[]>;
  end: 'checkmate' | 'stalemate' | 'dead' | null;
}

export type Parsed<T> = { ok: true; value: T } | { ok: false; message: string };

export function readFen(fen: string): Parsed<Position> {
  return parseFen(fen.trim()).unwrap<Parsed<Position>>(
    setup =>
      Chess.fromSetup(setup).unwrap<Parsed<Position>>(
        value => ({ ok: true, value }),
        error => ({ ok: false, message: setupMessage(error.message) }),
      ),
    error => ({ ok: false, message: fenMessage(error.message) }),
  );
}

function fenMessage(code: string): string {
  const part: Record<string, string> = {
    ERR_BOARD: 'the piece placement (first field) is not eight ranks of eight squares',
    ERR_TURN: 'the side to move (second field) is neither w nor b',
    ERR_CASTLING: 'the castling rights (third field) are not like KQkq or -',
    ERR_EP_SQUARE: 'the en-passant square (fourth field) is not a square or -',
    ERR_HALFMOVES: 'the half-move clock (fifth field) is not a number',
    ERR_FULLMOVES: 'the move number (sixth field) is not a number',
  };
  return `Not a FEN: ${part[code] ?? 'it does not parse'}.`;
}

function setupMessage(code: string): string {
  const part: Record<string, string> = {
    ERR_EMPTY: 'The board is empty.',
    ERR_KINGS: 'Each side needs exactly one king.',
    ERR_PAWNS_ON_BACKRANK: 'A pawn stands on the first or last rank.',
    ERR_OPPOSITE_CHECK: 'The side that is not to move is in check.',
  };
  return part[code] ?? 'This position cannot arise in a game.';
}

// The protocol's move: standard notation (e1g1) wherever it can say it, else king takes rook.
export function toUci(pos: Position, move: Move): string {
  const side = castlingSide(pos, move);
  if (side && 'from' in move) {
    const rook = pos.castles.rook[pos.turn][side];
    const fromE = squareFile(move.from) === 4;
    if (fromE && rook !== undefined && squareFile(rook) === (side === 'h' ? 7 : 0))
      return makeSquare(move.from) + makeSquare(kingCastlesTo(pos.turn, side));
  }
  return makeUci(move);
}

function legal(pos: Position, uci: string): Move | null {
  const raw = parseUci(uci);
  if (!raw) return null;
  const move = normalizeMove(pos, raw);
  return pos.isLegal(move) ? move : null;
}

// Are two spellings the same move here (e1g1 and e1h1)?
export function sameMove(fen: string, a: string, b: string): boolean {
  if (a === b) return true;
  const pos = cached(fen);
  const left = parseUci(a);
  const right = parseUci(b);
  return !!pos && !!left && !!right && moveEquals(normalizeMove(pos, left), normalizeMove(pos, right));
}

// Positions along lines, so that walking one move costs one move. Bounded; oldest go first.
const places = new Map<string, { pos: Position; place: Place }>();
const maxPlaces = 400;

function remember(key: string, pos: Position, lastMove: Key[]): { pos: Position; place: Place } {
  const entry = { pos, place: describe(pos, lastMove) };
  if (places.size >= maxPlaces) places.delete(places.keys().next().value!);
  places.set(key, entry);
  return entry;
}

function describe(pos: Position, lastMove: Key[]): Place {
  return {
    fen: makeFen(pos.toSetup()),
    turn: pos.turn,
    check: pos.isCheck(),
    lastMove,
    dests: chessgroundDests(pos) as Map<Key, Key[]>,
    end: pos.isCheckmate()
      ? 'checkmate'
      : pos.isStalemate()
        ? 'stalemate'
        : pos.isInsufficientMaterial()
          ? 'dead'
          : null,
  };
}

function cached(fen: string): Position | null {
  const known = places.get(fen);
  if (known) return known.pos;
  const parsed = readFen(fen);
  return parsed.ok ? remember(fen, parsed.value, []).pos : null;
}

function squares(uci: string): Key[] {
  return [uci.slice(0, 2) as Key, uci.slice(2, 4) as Key];
}

function reach(fen: string, line: readonly string[]): { pos: Position; place: Place } | null {
  const key = line.length ? `${fen}|${line.join()}` : fen;
  const known = places.get(key);
  if (known) {
    places.delete(key); // move to the young end
    places.set(key, known);
    return known;
  }
  if (!line.length) return cached(fen) ? places.get(fen)! : null;
  const before = reach(fen, line.slice(0, -1));
  const uci = line.at(-1)!;
  const move = before && legal(before.pos, uci);
  if (!move) return null;
  const pos = before.pos.clone();
  pos.play(move);
  return remember(key, pos, squares(uci));
}

// Where `line` leads from `fen`; null if a move of it is illegal or the FEN is not one.
export function follow(fen: string, line: readonly string[]): Place | null {
  return reach(fen, line)?.place ?? null;
}

// Longest legal beginning of a line.
export function legalPrefix(fen: string, line: readonly string[]): string[] {
  let n = 0;
  while (n < line.length && follow(fen, line.slice(0, n + 1))) n++;
  return line.slice(0, n);
}

export function sanLine(fen: string, line: readonly string[]): Step[] {
  const steps: Step[] = [];
  for (let i = 0; i < line.length; i++) {
    const before = reach(fen, line.slice(0, i));
    const uci = line[i]!;
    const move = before && legal(before.pos, uci);
    if (!before || !move) break;
    steps.push({ uci, san: makeSan(before.pos, move) });
  }
  return steps;
}

// The same of moves in SAN.
export function stepsOf(fen: string, line: readonly string[], sans: readonly string[]): Step[] {
  const steps: Step[] = [];
  for (const san of sans) {
    const uci = readMove(fen, [...line, ...steps.map(s => s.uci)], san);
    if (!uci) break;
    steps.push({ uci, san });
  }
  return steps;
}

// A move dragged on the board as the protocol writes it; `promotion` is asked for if needed.
export function boardMove(
  fen: string,
  line: readonly string[],
  from: Key,
  to: Key,
  promotion?: 'queen' | 'rook' | 'bishop' | 'knight',
): { uci: string; needsPromotion: boolean } | null {
  const at = reach(fen, line);
  if (!at) return null;
  const raw = parseUci(from + to);
  if (!raw || !('from' in raw)) return null;
  const piece = at.pos.board.get(raw.from);
  const promotes = piece?.role === 'pawn' && (raw.to >= 56 || raw.to < 8);
  if (promotes && !promotion) return { uci: from + to, needsPromotion: true };
  const move = normalizeMove(at.pos, promotes ? { ...raw, promotion: promotion! } : raw);
  return at.pos.isLegal(move) ? { uci: toUci(at.pos, move), needsPromotion: false } : null;
}

// Reads one token as SAN or UCI at the end of a line.
export function readMove(fen: string, line: readonly string[], token: string): string | null {
  const at = reach(fen, line);
  if (!at) return null;
  const bySan = parseSan(at.pos, token.replace(/[!?]+$/, '').replace(/0/g, 'O'));
  if (bySan) return toUci(at.pos, bySan);
  const byUci = legal(at.pos, token.toLowerCase());
  return byUci ? toUci(at.pos, byUci) : null;
}

// Ply number of the position: 0 = White's first move.
export function plyOf(fen: string): number {
  const fields = fen.split(' ');
  const full = Number(fields[5]);
  return ((Number.isFinite(full) && full > 0 ? full : 1) - 1) * 2 + (fields[1] === 'b' ? 1 : 0);
}

// "3." before White's moves; before Black's "3…" only where a line begins.
export function moveNumber(ply: number, first: boolean): string {
  const n = Math.floor(ply / 2) + 1;
  return ply % 2 === 0 ? `${n}.` : first ? `${n}…` : '';
}

export function lineText(ply: number, sans: readonly string[]): string {
  return sans
    .map((san, i) => {
      const number = moveNumber(ply + i, i === 0);
      return number ? `${number} ${san}` : san;
    })
    .join(' ');
}

// What identifies a position: the FEN without its clocks.
export const positionKey = (fen: string): string => fen.split(' ').slice(0, 4).join(' ');

export const ucis = (steps: readonly { uci: string }[]): string[] => steps.map(s => s.uci);
export const sans = (steps: readonly { san: string }[]): string[] => steps.map(s => s.san);
