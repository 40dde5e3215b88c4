// The notes that people wrote, as an exported PGN file has them ("note: …" in the comments). Pure.
import { makeFen } from 'chessops/fen';
import { parsePgn, startingPosition } from 'chessops/pgn';
import type { Node, PgnNodeData } from 'chessops/pgn';
import { readMove } from './chess';

export interface FoundNote {
  line: string[]; // UCI from the beginning of the file
  sans: string[];
  text: string;
}

const noteIn = (comments: readonly string[] | undefined): string | null => {
  const whole = (comments ?? []).join(' ').replace(/\s+/g, ' ');
  return /(?:^|[\s,])note: (.*)$/.exec(whole)?.[1]?.trim() ?? null;
};

export function notesOf(pgn: string): FoundNote[] {
  const game = parsePgn(pgn)[0];
  const fen =
    game &&
    startingPosition(game.headers).unwrap(
      pos => makeFen(pos.toSetup()),
      () => null,
    );
  if (!game || !fen) return [];
  const found: FoundNote[] = [];
  const root = noteIn(game.comments);
  if (root) found.push({ line: [], sans: [], text: root });
  const walk = (node: Node<PgnNodeData>, line: string[], sans: string[]): void => {
    for (const child of node.children) {
      const { san, comments } = child.data;
      const text = noteIn(comments);
      if (!text && !child.children.length) continue;
      const move = readMove(fen, line, san);
      if (!move) continue;
      const next = [...line, move];
      if (text) found.push({ line: next, sans: [...sans, san], text });
      walk(child, next, [...sans, san]);
    }
  };
  walk(game.moves, [], []);
  return found;
}
