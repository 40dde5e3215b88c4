// Columns beside the tree's values: what was played in a collection of games, and what another engine, or another
// limit, says of each move. Pure.
import { ucis } from '../../../chess/chess';
import type { Evaluation, NodeMove, Played, TreeNode } from '../../../data/types';
import { winPercent } from '../../../chess/score';
import { Latest } from '../../../data/latest';

export type PlayedMove = Played['moves'][number];

export const initialBeside = (id: number) => ({
  id,
  played: null as { fen: string; collection: string; found: Played } | null,
  looking: new Latest(),
});

export type BesideState = ReturnType<typeof initialBeside>;

// ---- the second engine ----

export interface Second {
  key: string;
  name: string; // of the engine, with its limit: "Fairy-Stockfish 11.1, depth 14"
  byUci: Map<string, Evaluation>; // of each move its largest search
}

const limitText = ({ limit }: Evaluation): string =>
  limit.depth !== undefined
    ? `depth ${limit.depth}`
    : limit.nodes !== undefined
      ? `${limit.nodes} nodes`
      : `${limit.movetime_ms} ms`;

const keyOf = (e: Evaluation): string => `${e.fingerprint ?? e.engine ?? ''} ${limitText(e)}`;

// What the table shows already.
function shown(e: Evaluation, move: NodeMove | undefined): boolean {
  const own = move?.engine;
  return own?.engine === e.engine && own?.depth === e.depth && own?.nodes === e.nodes;
}

// By engine and limit, who has a score of a move here that does not stand in the table, most moves first.
export function seconds(node: TreeNode, evaluations: readonly Evaluation[]): Second[] {
  const moves = new Map(node.moves.map(m => [m.uci, m]));
  const groups = new Map<string, Second & { other: boolean }>();
  for (const e of evaluations) {
    if (!e.move || !e.score) continue;
    const key = keyOf(e);
    const group = groups.get(key) ?? {
      key,
      name: `${e.engine ?? 'an engine'}, ${limitText(e)}`,
      byUci: new Map<string, Evaluation>(),
      other: false,
    };
    groups.set(key, group);
    group.other ||= !shown(e, moves.get(e.move.uci));
    const before = group.byUci.get(e.move.uci);
    if (!before || e.depth > before.depth || (e.depth === before.depth && e.at > before.at))
      group.byUci.set(e.move.uci, e);
  }
  const all = [...groups.values()].filter(group => group.other);
  const named = (name: string): number => all.filter(group => group.name === name).length;
  return all
    .map(({ key, name, byUci }) => ({
      key,
      name: named(name) > 1 ? `${name} (${key.slice(0, 6)})` : name, // other options
      byUci,
    }))
    .sort((a, b) => b.byUci.size - a.byUci.size || a.name.localeCompare(b.name, 'en'));
}

// Winning chances (0 to 1) by which two engines differ about a move, from which on that is marked.
export const apart = 0.1;

export function differ(move: NodeMove, e: Evaluation | undefined): boolean {
  const own = move.engine?.score;
  if (!own || !e?.score) return false;
  return Math.abs(winPercent(own) - winPercent(e.score)) / 100 >= apart - 1e-9;
}

// ---- the games ----

// Moves that were played here and that the table does not have.
export const onlyPlayed = (node: TreeNode, played: Played): PlayedMove[] => {
  const known = new Set(ucis(node.moves));
  return played.moves.filter(m => !known.has(m.uci));
};
