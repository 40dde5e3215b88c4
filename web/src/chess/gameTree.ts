// A game that somebody brought, as the server tells it: its moves as a tree, which of them stand in an analysis, and
// how the server names them. Pure.
import { normalizeMove } from 'chessops/chess';
import { makeFen } from 'chessops/fen';
import { parseUci } from 'chessops/util';
import type { Position } from 'chessops';
import type { KeptGame, KeptMove } from '../data/types';
import { plyOf, positionKey, readFen } from './chess';

// Node 0 is the start, the others are the moves in the order of the text.
export interface GameNode {
  move: KeptMove | null; // null: the start
  parent: number;
  children: number[]; // the first is the line that goes on
  ply: number; // of the move: 0 = White's first one
  root: number; // the node before it, or itself, where the analysis begins; -1: none
}

export interface Game {
  kept: KeptGame;
  nodes: GameNode[];
  places: Map<string, number>; // line from the root of the analysis → node
}

// `rootFen`: of the analysis.
export function readGame(kept: KeptGame, rootFen: string): Game {
  const root = readFen(rootFen);
  const key = root.ok ? positionKey(makeFen(root.value.toSetup())) : '';
  const isRoot = (pos: Position | null): boolean =>
    pos !== null && positionKey(makeFen(pos.toSetup())) === key;
  const start = readFen(kept.start_fen ?? '');
  const positions: (Position | null)[] = [start.ok ? start.value : null];
  const first = kept.start_fen ? plyOf(kept.start_fen) : 0;
  const nodes: GameNode[] = [
    { move: null, parent: 0, children: [], ply: first - 1, root: isRoot(positions[0]!) ? 0 : -1 },
  ];
  for (const move of kept.moves ?? []) {
    const at = nodes.length;
    const parent = nodes[move.parent]!;
    parent.children.push(at);
    // Below the root nobody asks for positions.
    const pos = parent.root < 0 ? after(positions[move.parent]!, move.uci) : null;
    positions.push(pos);
    nodes.push({
      move,
      parent: move.parent,
      children: [],
      ply: parent.ply + 1,
      root: parent.root >= 0 ? parent.root : isRoot(pos) ? at : -1,
    });
  }
  const game = { kept, nodes, places: new Map<string, number>() };
  nodes.forEach((node, at) => {
    if (node.root < 0) return;
    const line = lineBelow(game, at)!.join();
    if (!game.places.has(line)) game.places.set(line, at);
  });
  return game;
}

function after(pos: Position | null, uci: string): Position | null {
  const raw = parseUci(uci);
  const move = pos && raw && normalizeMove(pos, raw);
  if (!pos || !move || !pos.isLegal(move)) return null;
  const next = pos.clone();
  next.play(move);
  return next;
}

function movesFrom(game: Game, from: number, at: number): string[] {
  const moves: string[] = [];
  for (let n = at; n !== from; n = game.nodes[n]!.parent) moves.unshift(game.nodes[n]!.move!.uci);
  return moves;
}

// UCI from the start of the game.
export const lineTo = (game: Game, at: number): string[] => movesFrom(game, 0, at);

// UCI from the root of the analysis; null: the move does not stand below it.
export function lineBelow(game: Game, at: number): string[] | null {
  const { root } = game.nodes[at]!;
  return root < 0 ? null : movesFrom(game, root, at);
}

// As edits name a move: numbers among siblings from 0, "0.0.1".
export function pathTo(game: Game, at: number): string {
  const numbers: number[] = [];
  for (let n = at; n !== 0; n = game.nodes[n]!.parent)
    numbers.unshift(game.nodes[game.nodes[n]!.parent]!.children.indexOf(n));
  return numbers.join('.');
}

// As far as it leads.
export function nodeAt(game: Game, path: string): number {
  let at = 0;
  for (const number of path ? path.split('.') : []) {
    const next = game.nodes[at]!.children[Number(number)];
    if (next === undefined) break;
    at = next;
  }
  return at;
}

export const hasVariation = (game: Game, at: number): boolean =>
  at !== 0 && game.nodes[game.nodes[at]!.parent]!.children[0] !== at;

// Can something be said before it? Only where it begins a line or stands behind variations; elsewhere that is behind the
// move before it, and before the first one it is the start's.
export function hasBefore({ nodes }: Game, at: number): boolean {
  const { parent } = nodes[at]!;
  if (at !== 0 && nodes[parent]!.children[0] !== at) return true;
  if (parent === 0) return false; // the start itself, too
  const beside = nodes[nodes[parent]!.parent]!.children;
  return beside[0] === parent && beside.length > 1;
}

// Of a move and of a position, as PGN numbers them ("NAG"). A move can have one of each row only; the rest may stand
// beside them.
export const moveGlyphs: readonly (readonly [number, string, string])[] = [
  [3, '!!', 'brilliant'],
  [1, '!', 'good'],
  [5, '!?', 'interesting'],
  [6, '?!', 'dubious'],
  [2, '?', 'mistake'],
  [4, '??', 'blunder'],
];
export const positionGlyphs: readonly (readonly [number, string, string])[] = [
  [18, '+−', 'White is winning'],
  [16, '±', 'White is better'],
  [14, '+=', 'White is slightly better'],
  [10, '=', 'equal'],
  [13, '∞', 'unclear'],
  [15, '=+', 'Black is slightly better'],
  [17, '∓', 'Black is better'],
  [19, '−+', 'Black is winning'],
];

const others: readonly [number, string][] = [
  [7, '□'],
  [22, '⨀'],
  [23, '⨀'],
  [32, '⟳'],
  [33, '⟳'],
  [36, '↑'],
  [37, '↑'],
  [40, '→'],
  [41, '→'],
  [44, '=∞'],
  [45, '=∞'],
  [132, '⇆'],
  [133, '⇆'],
  [138, '⊕'],
  [139, '⊕'],
  [146, 'N'],
];
const signs = new Map<number, string>([
  ...[...moveGlyphs, ...positionGlyphs].map(([nag, sign]) => [nag, sign] as const),
  ...others,
]);

// "!?" stands at its move, what else there is behind a space.
export function glyphText(nags: readonly number[]): string {
  const own = nags.filter(nag => nag >= 1 && nag <= 6).map(nag => signs.get(nag)!);
  const rest = nags.filter(nag => nag < 1 || nag > 6).map(nag => signs.get(nag) ?? `$${nag}`);
  return own.join('') + rest.map(sign => ` ${sign}`).join('');
}
