// Text → position: a FEN, a line of moves (SAN or UCI), or a PGN with one game or many. Pure.
import { makeFen } from 'chessops/fen';
import { parsePgn, type Game, type PgnNodeData } from 'chessops/pgn';
import { beginOf, games, type GameText } from '../../chess/games';
import { moveNumber, plyOf, readFen, readMove, startFen } from '../../chess/chess';
import { plural } from '../../ui/format';
import type { Game as GameLabels } from '../../data/types';
import type { GameChoice } from './createState';

export type Input =
  // `note`: why only the moves up to there are taken
  | { kind: 'position'; fen: string; moves: string[]; game?: GameLabels; note?: string; pgn?: string }
  | { kind: 'games'; games: GameChoice[] }
  | { kind: 'wrong'; message: string };

const looksLikeFen = (text: string): boolean =>
  /^\s*([pnbrqkPNBRQK1-8]+\/){7}[pnbrqkPNBRQK1-8]+(\s|$)/.test(text);
const looksLikePgn = (text: string): boolean => /^\s*\[\w+\s+"/.test(text);

const looksLikeAddress = (text: string): boolean => /^(https?:\/\/|www\.)\S*$/i.test(text.trim());

// More than that is no name, and the server looks for none.
const longestName = 100;
const mostWords = 16;

// Neither moves nor a FEN: the name of an opening, or its code.
export function looksLikeName(text: string): boolean {
  if (text.length > longestName || text.split(/\P{L}+/u).length > mostWords) return false;
  const first = text.trim().split(/\s+/)[0] ?? '';
  if (/^[a-e]\d\d$/i.test(first)) return true;
  if (!/^\p{L}/u.test(first) || /^(position|fen|startpos)$/i.test(first) || first.includes('/')) return false;
  return !/^(\p{L}?[a-h]?[1-8]?[x:-]?[a-h][1-8]|[O0]-[O0])/u.test(first);
}

export function readInput(text: string): Input {
  const trimmed = text.trim();
  if (!trimmed) return { kind: 'position', fen: startFen, moves: [] };
  if (trimmed.toLowerCase() === 'startpos') return { kind: 'position', fen: startFen, moves: [] };
  if (looksLikePgn(trimmed)) return readPgn(trimmed);
  if (looksLikeFen(trimmed)) return readFenLine(trimmed);
  if (looksLikeAddress(trimmed))
    return {
      kind: 'wrong',
      message: 'This address holds no position. Paste the moves, the PGN or the FEN that its page shows.',
    };
  return readMoves(startFen, trimmed);
}

// A FEN, perhaps with moves behind it.
function readFenLine(text: string): Input {
  const fields = text.split(/\s+/);
  const counters = fields.slice(4, 6).every(f => /^\d+$/.test(f)) ? Math.min(6, fields.length) : 4;
  const fen = fields.slice(0, counters).join(' ');
  const parsed = readFen(fen);
  if (!parsed.ok) return { kind: 'wrong', message: parsed.message };
  const rest = fields.slice(counters).filter(f => f !== 'moves');
  return readMoves(makeFen(parsed.value.toSetup()), rest.join(' '));
}

const stripped = (text: string): string => {
  let plain = text.replace(/\{[^}]*\}/g, ' ').replace(/;[^\n]*/g, ' ');
  for (let before = ''; before !== plain; ) {
    before = plain;
    plain = plain.replace(/\([^()]*\)/g, ' '); // variations, from the inside out
  }
  return plain.replace(/\$\d+/g, ' ');
};

// Of the move that follows these, as games count: "2" or "2…".
const numberOf = (fen: string, moves: string[]): string =>
  moveNumber(plyOf(fen) + moves.length, true).replace(/\.$/, '');

// What is said of a move that is not legal, where those before it are taken.
const cutAt = (fen: string, moves: string[], written: string): string =>
  `Move ${numberOf(fen, moves)}, “${written}”, is not legal. The moves before it are taken.`;

function readMoves(fen: string, text: string): Input {
  const tokens = stripped(text)
    .replace(/\d+\s*\.+/g, ' ')
    .replace(/…/g, ' ')
    .split(/[\s,]+/)
    .filter(t => t && !/^(1-0|0-1|1\/2-1\/2|\*)$/.test(t));
  const moves: string[] = [];
  for (const token of tokens) {
    const move = readMove(fen, moves, token);
    if (!move && moves.length) return { kind: 'position', fen, moves, note: cutAt(fen, moves, token) };
    if (!move)
      return { kind: 'wrong', message: `Move ${numberOf(fen, moves)}, “${token}”, is not legal here.` };
    moves.push(move);
  }
  return { kind: 'position', fen, moves };
}

// Several where they have no tags.
function gamesIn({ text: pgn }: GameText): { game: Game<PgnNodeData>; pgn: string }[] {
  const all = parsePgn(pgn);
  const some = all.filter(game => game.moves.children.length || game.headers.has('FEN'));
  return (some.length ? some : all.slice(0, 1)).map(game => ({ game, pgn }));
}

export function readPgn(text: string): Input {
  const all = games(text).flatMap(gamesIn).slice(0, 500);
  const choices: GameChoice[] = [];
  let problem = 'There is no game in this PGN.';
  for (const [i, { game, pgn }] of all.entries()) {
    const read = readGame(game, i, pgn);
    if ('message' in read) problem = read.message;
    else choices.push(read);
  }
  if (!choices.length) return { kind: 'wrong', message: problem };
  const only = choices.length === 1 ? choices[0]! : null;
  return only ? { kind: 'position', ...only } : { kind: 'games', games: choices };
}

function readGame(game: Game<PgnNodeData>, index: number, pgn: string): GameChoice | { message: string } {
  const start = beginOf(game.headers);
  if (!start) return { message: `Game ${index + 1} does not begin with a legal chess position.` };
  if (!game.moves.children.length && !game.headers.has('FEN'))
    return { message: `Game ${index + 1} has no moves.` };
  const moves: string[] = [];
  let note = '';
  const clocks: string[] = []; // of the side that moved last, and of the other
  for (const { san, comments } of game.moves.mainline()) {
    const move = readMove(start, moves, san);
    if (!move && !moves.length)
      return { message: `Game ${index + 1}: move ${numberOf(start, moves)}, “${san}”, is not legal.` };
    if (!move) {
      note = cutAt(start, moves, san);
      break;
    }
    moves.push(move);
    const clock = /\[%clk\s+([\d:.]+)\s*\]/.exec(comments?.join(' ') ?? '')?.[1];
    if (clock) clocks[moves.length % 2] = clock;
  }
  const header = (name: string): string => {
    const value = game.headers.get(name) ?? '';
    return value === '?' ? '' : value;
  };
  const players = [header('White'), header('Black')].filter(Boolean).join(' – ');
  const label = [
    players || header('Event') || `Game ${index + 1}`,
    header('Date').replace(/[?.]*\?[?.]*/g, ''),
  ]
    .filter(Boolean)
    .join(', ');
  const whiteFirst = start.split(' ')[1] !== 'b';
  const [white = '', black = ''] = whiteFirst ? [clocks[1], clocks[0]] : clocks;
  const known: GameLabels = {
    white: header('White'),
    black: header('Black'),
    event: header('Event'),
    site: header('Site'),
    round: header('Round'),
    date: header('Date').replace(/[.?]*\?$/, ''),
    clock: white || black ? `${white || '?'} – ${black || '?'}` : '',
  };
  const short = (text: string): string => [...text.replace(/\p{Cc}/gu, ' ')].slice(0, 50).join(''); // 200 bytes
  const cut = Object.entries(known).map(([key, text]) => [key, short(text)] as const);
  return {
    label: `${label} (${plural(moves.length, 'ply', 'plies')})`,
    title: header('ChapterName') || players || header('Event') || `Game ${index + 1}`,
    pgn,
    fen: start,
    moves,
    game: Object.fromEntries(cut.filter(([, text]) => text)),
    ...(note && { note }),
  };
}
