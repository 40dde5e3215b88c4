// The positions of a site, from its chunks. Every number is the server's; here they are put in their place.
import { follow, sanLine } from '../chess/chess';
import type { Analysis, NodeMove, TreeNode, Verdict } from '../data/types';
import type { SiteScripts } from './siteScripts';

// What is left out of a script where it has its usual value (server/program/client/site.cpp).
type KeptMove = Partial<NodeMove> & Pick<NodeMove, 'uci' | 'san' | 'idea' | 'alpha' | 'status'>;
type KeptNode = Partial<Omit<TreeNode, 'moves' | 'pv'>> &
  Pick<TreeNode, 'fen' | 'turn' | 'status' | 'idea' | 'alpha' | 'rest'> & {
    moves: KeptMove[];
    pv: Pick<TreeNode['pv'], 'alpha'>;
  };

export interface Position {
  from: number | null; // the one before, on the line by which it was asked for
  to: Record<string, number>; // where moves lead, in the site
  node: KeptNode;
  verdict?: Verdict;
}

// Where a line leads.
interface Walked {
  at: Position | null; // null: out of the site
  before: Position | null; // of the last move
  usual: boolean; // this is the line by which the position was asked for
}

const move = (kept: KeptMove): NodeMove => ({
  engine: null,
  estimate: null,
  positions: 0,
  transposition: false,
  source: 'engine',
  ...kept,
});

export class SiteTree {
  // `starts`: the number of each chunk's first position.
  constructor(
    private readonly scripts: SiteScripts,
    private readonly analysis: Analysis,
    private readonly starts: readonly number[],
  ) {}

  async position(number: number): Promise<Position> {
    let [low, high] = [0, this.starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.starts[middle]! <= number) low = middle;
      else high = middle - 1;
    }
    return (await this.scripts.load<Position[]>(`c${low}`))[number - this.starts[low]!]!;
  }

  async walk(line: readonly string[]): Promise<Walked> {
    let [number, usual] = [0, true];
    let at: Position | null = await this.position(0);
    let before: Position | null = null;
    for (const uci of line) {
      const next: number | undefined = at?.to[uci];
      before = at;
      if (next === undefined) at = null;
      else {
        at = await this.position(next);
        usual &&= at.from === number;
        number = next;
      }
    }
    return { at, before, usual };
  }

  // As the server's API has it. null: no legal line.
  async node(line: readonly string[]): Promise<TreeNode | null> {
    const { at, before, usual } = await this.walk(line);
    const steps = sanLine(this.analysis.fen, line);
    if (steps.length < line.length) return null;
    const common = { line: steps, version: 0, parents: [] };
    if (!at) return this.outside(line, before?.node.moves.find(m => m.uci === line.at(-1)) ?? null, common);
    const { node } = at;
    return {
      terminal: null,
      clock_note: usual ? null : otherOrder,
      estimate: null,
      opening: null,
      notes: [],
      ...node,
      ...common,
      moves: node.moves.map(move),
      pv: { alpha: node.pv.alpha, idea: [] },
    };
  }

  // A position that no move of is known: what the rules say of it. What the row before says of the move that leads here
  // is shown with it, as for every leaf.
  private outside(
    line: readonly string[],
    row: KeptMove | null,
    common: Pick<TreeNode, 'line' | 'version' | 'parents'>,
  ): TreeNode | null {
    const place = follow(this.analysis.fen, line);
    if (!place) return null;
    const legal = [...place.dests.values()].reduce((sum, to) => sum + to.length, 0);
    return {
      ...common,
      fen: place.fen,
      turn: place.turn,
      terminal: place.end,
      // `expanded`, and yet without moves: the server has some, the site does not.
      status: place.end ? 'terminal' : row?.status === 'expanded' ? 'expanded' : row ? 'leaf' : 'unscored',
      idea: null,
      alpha: null,
      estimate: null,
      moves: [],
      rest: { count: legal, bound: null },
      pv: { idea: [], alpha: [] },
      opening: null,
      notes: [],
    };
  }
}

const otherOrder =
  'another order of moves leads here: the values are those of the shortest line, and a repetition may count otherwise on this one';
