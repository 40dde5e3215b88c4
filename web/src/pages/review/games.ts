// PGN text → the games in it, and one game → its moves. A file of many games is only cut here; a game is read when it
// is chosen. Pure.
import { makeFen } from 'chessops/fen';
import { parsePgn, startingPosition } from 'chessops/pgn';
import { lineText, moveNumber, plyOf, readMove, startFen } from '../../chess/chess';

export type Tags = [string, string][];

export interface GameText {
  tags: Tags;
  text: string; // the whole game as it stands in the file
}

export interface Game {
  tags: Tags;
  fen: string; // where it begins
  text: string; // as it stands in the file, or as the server read it
  note: string; // why only the moves up to there are taken; "": all are
}

const tagLine = /^\s*\[(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]\s*$/;

// Cut where tags follow moves. A bracket inside of a comment is no tag.
export function games(text: string): GameText[] {
  const found: GameText[] = [];
  let tags: Tags = [];
  let lines: string[] = [];
  let moved = false;
  let comment = false;
  const end = (): void => {
    if (moved || tags.length) found.push({ tags, text: lines.join('\n') });
    tags = [];
    lines = [];
    moved = false;
  };
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)) {
    const tag = comment ? null : tagLine.exec(line);
    if (tag) {
      if (moved) end();
      tags.push([tag[1]!, tag[2]!.replace(/\\(.)/g, '$1')]);
    } else if (line.trim()) {
      moved = true;
      for (const sign of line.match(/[{}]/g) ?? []) comment = sign === '{';
    }
    lines.push(line);
  }
  end();
  return found;
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
  const fen = game
    ? startingPosition(game.headers).unwrap(
        pos => (pos.rules === 'chess' ? makeFen(pos.toSetup()) : null),
        () => null,
      )
    : null;
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
