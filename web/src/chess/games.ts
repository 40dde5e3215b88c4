// PGN text → the games in it. A file of many games is only cut here. Pure.
import { makeFen } from 'chessops/fen';
import { startingPosition } from 'chessops/pgn';

export type Tags = [string, string][];

export interface GameText {
  tags: Tags;
  text: string; // the whole game as it stands in the file
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
    const own = lines.join('');
    if (own.trim()) found.push({ tags, text: own.replace(/(\r\n|\r|\n)$/, '') });
    tags = [];
    lines = [];
    moved = false;
  };
  for (const line of text.replace(/^\uFEFF/, '').match(/[^\r\n]*(\r\n|\r|\n|$)/g)!) {
    if (!comment && /^\s*\[/.test(line)) {
      if (moved) end();
      const tag = tagLine.exec(line);
      if (tag) tags.push([tag[1]!, tag[2]!.replace(/\\(.)/g, '$1')]);
    } else if (line.trim()) {
      moved = true;
      for (const [sign] of line.matchAll(/[{};]/g)) {
        if (sign === ';' && !comment) break;
        if (sign !== ';') comment = sign === '{';
      }
    }
    lines.push(line);
  }
  end();
  return found;
}

// The FEN where a game begins; null: no legal position of chess.
export const beginOf = (headers: Map<string, string>): string | null =>
  startingPosition(headers).unwrap(
    pos => (pos.rules === 'chess' ? makeFen(pos.toSetup()) : null),
    () => null,
  );
