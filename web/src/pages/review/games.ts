// What a game is called, and its moves, read when it is chosen. Pure.
import { parsePgn } from 'chessops/pgn';
import { beginOf, type GameText, type Tags } from '../../chess/games';
import { lineText, moveNumber, plyOf, readMove, startFen } from '../../chess/chess';

export interface Game {
  tags: Tags;
  fen: string; // where it begins
  text: string; // as it stands in the file, or as the server read it
  note: string; // why only the moves up to there are taken; "": all are
}

// What the side that moves at these plies (0 or 1, and every second one) had left after `at` plies.
export function clockAt(clocks: readonly string[], at: number, first: number): string {
  for (let i = at - 1; i >= 0; i--) if (i % 2 === first && clocks[i]) return clocks[i]!;
  return '';
}

export const tagOf = (tags: Tags, name: string): string => {
  const value = tags.find(([key]) => key === name)?.[1] ?? '';
  return /^[?.]*$/.test(value) ? '' : value;
};

// "Short – Timman", else the event, else nothing.
export const players = (tags: Tags): string =>
  [tagOf(tags, 'White'), tagOf(tags, 'Black')].filter(Boolean).join(' – ') || tagOf(tags, 'Event');

// Event, year and result, for one who looks for a game.
export const about = (tags: Tags): string =>
  [
    tagOf(tags, 'White') || tagOf(tags, 'Black') ? tagOf(tags, 'Event') : '',
    tagOf(tags, 'Round') && `round ${tagOf(tags, 'Round')}`,
    tagOf(tags, 'Date').replace(/\.\?\?/g, ''),
    tagOf(tags, 'Result').replace('1/2-1/2', '½').replace('*', ''),
  ]
    .filter(Boolean)
    .join(', ');

// The places in the list of the games that have all words somewhere in their tags.
export function matching(list: readonly GameText[], words: string): number[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const places: number[] = [];
  list.forEach(({ tags }, i) => {
    const all = wanted.length ? tags.map(([, value]) => value.toLowerCase()).join('\n') : '';
    if (wanted.every(word => all.includes(word))) places.push(i);
  });
  return places;
}

export function readGame({ tags, text }: GameText): Game | { message: string } {
  const game = parsePgn(text)[0];
  const fen = game ? beginOf(game.headers) : null;
  if (!game || !fen) return { message: 'It does not begin with a legal position of chess.' };
  const moves: string[] = [];
  let note = '';
  for (const { san } of game.moves.mainline()) {
    const move = readMove(fen, moves, san);
    const number = moveNumber(plyOf(fen) + moves.length, true);
    if (!move && !moves.length) return { message: `Move ${number} “${san}” is not legal.` };
    if (!move) {
      note = `Move ${number} “${san}” is not legal. The game is reviewed up to there.`;
      break;
    }
    moves.push(move);
  }
  return moves.length ? { tags, fen, text, note } : { message: 'It has no moves.' };
}

// A game of these moves and nothing else.
export function pgnOf(tags: Tags, fen: string, sans: readonly string[]): string {
  const own = tags.filter(([name]) => name !== 'FEN' && name !== 'SetUp');
  const all: Tags = fen === startFen ? own : [...own, ['SetUp', '1'], ['FEN', fen]];
  const heads = all.map(([name, value]) => `[${name} "${value.replace(/[\\"]/g, '\\$&')}"]\n`);
  return `${heads.join('')}\n${lineText(plyOf(fen), sans).replace('…', '...')} ${tagOf(own, 'Result') || '*'}\n`;
}

// "0:59:10" or "59:10.5" in seconds; NaN: it says no time.
export const secondsOf = (clock: string): number =>
  /^[\d:.]+$/.test(clock) ? clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0) : NaN;

// Files are UTF-8 or, from old programs, Windows-1252.
export function decode(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
