// The picture of a part of a site: its positions level by level, best move first, as the server's picture chooses them.
import { orderFor } from '../chess/score';
import type { Score, Tree } from '../data/types';
import type { TreeQuery } from '../data/queries';
import type { Position, SiteTree } from './siteTree';

type Cell = Tree['root']['children'][number];
type Status = Cell['status'];

const statusOf = (status: string): Status =>
  status === 'expanded' || status === 'repetition' || status === 'terminal' ? status : 'leaf';

interface Open {
  position: Position;
  children: Cell[]; // to be filled
}

// `all`: positions of the whole analysis.
export async function pictureOf(
  tree: SiteTree,
  all: number,
  { moves, plies, margin, limit }: TreeQuery,
): Promise<Tree> {
  const { at, before } = await tree.walk(moves);
  const values = { alpha: at?.node.alpha ?? null, idea: at?.node.idea ?? null };
  const status = at ? 'expanded' : 'leaf';
  const row = before?.node.moves.find(m => m.uci === moves.at(-1));
  const positions = moves.length ? (row?.positions ?? 0) : all;
  const root: Tree['root'] = {
    uci: null,
    san: null,
    ...values,
    status,
    positions,
    repeat: false,
    children: [],
  };
  let truncated = false;
  let cells = 1;
  let level: Open[] = at ? [{ position: at, children: root.children }] : [];
  const met = new Set<number>();
  for (let ply = 0; ply < plies && level.length; ply++) {
    const next: Open[] = [];
    for (const open of level) {
      const { node, to } = open.position;
      const scored = node.moves.filter(
        (m): m is typeof m & { alpha: Score } => m.alpha !== null && m.engine !== undefined && !m.provisional,
      );
      const value = (m: { alpha: Score }): number => orderFor(node.turn, m.alpha);
      const best = Math.max(...scored.map(value));
      for (const m of scored.filter(one => value(one) >= best - margin)) {
        if (cells >= limit) {
          truncated = true;
          break;
        }
        cells++;
        const number = to[m.uci];
        const repeat = number !== undefined && (number === 0 || met.has(number));
        const cell: Cell = {
          uci: m.uci,
          san: m.san,
          alpha: m.alpha,
          idea: m.idea,
          status: statusOf(m.status),
          positions: m.positions ?? 0,
          repeat,
          children: [],
        };
        open.children.push(cell);
        if (number === undefined || repeat || m.status !== 'expanded') continue;
        met.add(number);
        next.push({ position: await tree.position(number), children: cell.children });
      }
    }
    level = next;
  }
  return { root, truncated };
}
