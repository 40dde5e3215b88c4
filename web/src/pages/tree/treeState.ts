// The tree view: where we stand in one analysis, what is known there, and what is being looked at.
import { nothing } from '../../data/clock';
import type { DrawShape } from '@lichess-org/chessground/draw';
import type { Key } from '@lichess-org/chessground/types';
import { follow, plyOf, positionKey, stepsOf, type Place, ucis } from '../../chess/chess';
import type { Tab } from '../../router';
import { order as scoreOrder, same, type Side } from '../../chess/score';
import type {
  Analysis,
  Evaluations,
  NodeMove,
  Step,
  TreeNode,
  WinDrawLoss,
  Positions,
  Changes,
} from '../../data/types';
import type { Draft } from '../../data/drafts';
import { Latest } from '../../data/latest';
import type { Store } from '../../data/store';
import type { BesideState } from './beside/besideState';
import type { FilesState, GameBoard } from './files/filesState';
import { initialPicture, type PictureWish } from './picture/pictureState';
import { initialLook } from './look/lookState';
import type { OrdersState } from './orders/ordersState';
import type { RepertoireState } from './repertoire/repertoireState';
import type { TimeState } from './time/timeState';
import type { VerdictState } from './verdict/verdictState';

// Nodes seen lately, by line, so that walking back shows at once what was there. Bounded.
export class NodeCache {
  private readonly nodes = new Map<string, TreeNode>();
  constructor(private readonly limit = 200) {}

  get(line: readonly string[]): TreeNode | null {
    const key = line.join();
    const node = this.nodes.get(key);
    if (!node) return null;
    this.nodes.delete(key);
    this.nodes.set(key, node);
    return node;
  }

  put(line: readonly string[], node: TreeNode): void {
    const key = line.join();
    this.nodes.delete(key);
    this.nodes.set(key, node);
    if (this.nodes.size > this.limit) this.nodes.delete(this.nodes.keys().next().value!);
  }

  get size(): number {
    return this.nodes.size;
  }
}

// What changed since the last visit, as marks on moves.
export interface NewsMark {
  kind: 'new' | 'best' | 'white' | 'black'; // not there before; the new best; better for one side now
  title: string;
}

interface News {
  since: number; // Unix ms
  changes: Changes;
  marks: Map<string, NewsMark>; // by the line to the move, joined
}

// Raw evaluations of the present position, with where they come from.
const initialFacts = () => ({
  key: '', // analysis and line
  askedAt: 0, // Unix ms
  evaluations: null as Evaluations | null,
  positions: null as Positions | null,
  problem: null as string | null,
  asking: new Latest(),
});

export interface Problem {
  message: string;
  status: number; // HTTP; 0 = unreachable
}

// What is stored of the moves of a position.
export interface Lines {
  line: string;
  at: number; // Unix ms at which it was asked for
  sans: Map<string, string[]>; // SAN of a move → the engine's moves after it
  evaluations: Evaluations['evaluations'] | null; // null: on their way
}

export function initialTree(id: number, line: string[], tab: Tab, store: Store, picture: PictureWish) {
  return {
    id,
    get analysis(): Analysis | null {
      return store.analyses.get(id); // as the store has it
    },
    root: null as readonly string[] | null, // the game's moves up to the root, as they were seen last; null: not yet
    before: 0, // plies before the root where the board is; 0: at `line`
    line, // UCI moves from the root to here
    future: [] as string[], // the way we came back along, for "forward"
    node: null as TreeNode | null,
    nodeLine: '', // the line `node` belongs to, joined; differs from `line` while loading
    problem: null as Problem | null,
    changedAt: 0, // Unix ms; when the analysis was last seen to change
    cache: new NodeCache(),
    selected: null as string | null, // candidate chosen by arrow keys
    hovering: false, // the pointer is over the table: rows keep their places
    rowOrder: [] as string[], // UCI in the order the rows are shown
    byChances: false, // that is the order of the winning chances
    trend: new Map<string, 'up' | 'down'>(), // how alpha changed with the last answer
    eager: false, // "follow the best" was asked for before it was known
    orientation: 'white' as Side,
    tab,
    leafPv: null as { line: string; pv: Step[] } | null, // the engine's stored line after the move that leads to a leaf
    searched: false, // the latest news of an engine was that it searches here
    promotion: null as { from: Key; to: Key } | null,
    drawn: null as { line: string; shapes: DrawShape[] } | null, // on the board there, not saved yet
    saving: Promise.resolve(), // the drawings before
    note: null as string | null, // text being written; null = closed
    replacing: null as number | null, // moment of the note that it takes the place of
    draft: null as Draft | null, // what was written here and not saved, while nothing is being written
    ways: new Map<string, string[] | null>(), // position → a line to it, null = none known; for "also reached by"
    asked: new Set<string>(), // "include e2e4 d7d5" … sent, not yet answered
    loading: new Latest(), // the node of the present position
    rootMoves: false, // by our own doing, which is on its way
    due: Infinity, // Unix ms at which it is fetched again; Infinity: never
    notSoon: nothing, // calls that off
    noWays: nothing, // calls off the fetching of ways
    noLeaf: nothing, // and of what is known of a leaf
    pushedAt: 0, // Unix ms of the last step
    picture: initialPicture(picture),
    time: null as TimeState | null, // null: not looked at yet
    facts: initialFacts(),
    repertoire: null as RepertoireState | null, // null: not looked at yet
    files: null as FilesState | null, // null: not looked at yet
    orders: null as OrdersState | null, // null: not looked at yet
    lines: null as Lines | null,
    beside: null as BesideState | null, // columns beside the tree's values; null: none was chosen
    verdict: null as VerdictState | null, // what the answer rests on; null: not asked yet
    look: initialLook(), // the engine that is kept at a position
    news: null as News | null, // since the last visit; null: nothing, or not known
  };
}

export type TreeState = ReturnType<typeof initialTree>;

// Somebody is asked for a move: the page must not tell it.
export const isAsking = (tree: TreeState): boolean =>
  tree.tab === 'repertoire' && Boolean(tree.repertoire?.training);

// What the board does for a game that is open.
export const gameBoard = (tree: TreeState): GameBoard | null =>
  tree.tab === 'files' ? (tree.files?.board ?? null) : null;

// The node of the present line; null while it is on its way.
export const here = (tree: TreeState): TreeNode | null =>
  tree.node && tree.nodeLine === tree.line.join() ? tree.node : null;

export const rootFen = (tree: TreeState): string | null => tree.analysis?.fen ?? null;

// Ply number of the root: 0 = White's first move. Counted from the start, since a position has no clocks.
export const rootPly = (a: Pick<Analysis, 'start_fen' | 'moves'>): number =>
  plyOf(a.start_fen) + a.moves.length;

// What is dear is not fetched with every change, but `ms` after it was fetched at `loadedAt`, and once more after the
// last change.
export const outOfDate = (tree: TreeState, loadedAt: number, now: number, ms: number): boolean =>
  tree.changedAt >= loadedAt && now - loadedAt > ms;

// What the board shows: the present position, or one of the game before the root.
export function shownPlace(tree: TreeState): Place | null {
  const a = tree.analysis;
  if (!a) return null;
  const game = follow(a.start_fen, a.moves.slice(0, a.moves.length - tree.before));
  if (tree.before) return game;
  const shown = follow(a.fen, tree.line);
  // At the root the last move of the game is marked.
  return shown && !shown.lastMove.length && game ? { ...shown, lastMove: game.lastMove } : shown;
}

export function place(tree: TreeState): Place | null {
  const fen = rootFen(tree);
  return fen ? follow(fen, tree.line) : null;
}

// What tells the present position from others; null where the root is not known yet.
export function positionOf(tree: TreeState): string | null {
  const at = place(tree);
  return at && positionKey(at.fen);
}

// Goes to another line. What is known there shows at once; `future` keeps the way back.
export function goTo(tree: TreeState, line: string[]): void {
  const whole = [...tree.line, ...tree.future];
  const onTheWay = line.every((move, i) => whole[i] === move);
  tree.future = onTheWay ? whole.slice(line.length) : [];
  tree.line = line;
  tree.before = 0;
  tree.eager = false;
  tree.selected = null;
  tree.promotion = null;
  tree.note = null;
  tree.replacing = null;
  tree.draft = null;
  tree.problem = null;
  tree.hovering = false;
  tree.trend = new Map();
  const known = tree.cache.get(line);
  if (known) putNode(tree, line, known);
}

// A newer answer for a line. Answers for other lines only go to the cache.
export function putNode(tree: TreeState, line: readonly string[], node: TreeNode): void {
  const key = line.join();
  const before = tree.cache.get(line);
  if (before && before.version > node.version) return; // overtaken on the way
  tree.cache.put(line, node);
  if (key !== tree.line.join()) return;
  const previous = tree.nodeLine === key ? tree.node : null;
  tree.trend = previous ? trends(previous.moves, node.moves) : new Map();
  tree.rowOrder = rowOrder(tree, node, previous !== null && tree.hovering);
  tree.node = node;
  tree.nodeLine = key;
  tree.problem = null;
  if (tree.selected && !tree.rowOrder.includes(tree.selected)) tree.selected = null;
}

function trends(before: readonly NodeMove[], after: readonly NodeMove[]): Map<string, 'up' | 'down'> {
  const old = new Map(before.map(m => [m.uci, m.alpha]));
  const trend = new Map<string, 'up' | 'down'>();
  for (const { uci, alpha } of after) {
    const was = old.get(uci);
    if (!was || !alpha) continue;
    const difference = scoreOrder(alpha) - scoreOrder(was);
    if (difference !== 0) trend.set(uci, difference > 0 ? 'up' : 'down');
  }
  return trend;
}

// As the server has them, the answer first, or who wins most often; what is no part of the game comes last.
function ordered(tree: TreeState, { moves, turn }: TreeNode): string[] {
  const best = answerIn(tree, moves);
  const won = (m: NodeMove): number => m.engine?.wdl?.[turn === 'white' ? 0 : 2] ?? -1; // unknown: below all
  const place = (m: NodeMove): number =>
    m.status === 'excluded' ? 2 : tree.byChances ? -won(m) : m === best ? 0 : 1;
  return ucis([...moves].sort((a, b) => place(a) - place(b)));
}

// Rows keep their places while someone points at them; new ones come at the end.
function rowOrder(tree: TreeState, node: TreeNode, keep: boolean): string[] {
  const now = ordered(tree, node);
  if (!keep) return now;
  const present = new Set(now);
  const kept = tree.rowOrder.filter(uci => present.has(uci));
  const known = new Set(kept);
  return [...kept, ...now.filter(uci => !known.has(uci))];
}

export function setHovering(tree: TreeState, hovering: boolean): boolean {
  tree.hovering = hovering;
  const node = here(tree);
  if (hovering || !node) return false;
  const sorted = ordered(tree, node);
  const changed = sorted.some((uci, i) => tree.rowOrder[i] !== uci);
  tree.rowOrder = sorted;
  return changed;
}

// Other ways into the present position than the one we came by.
export function otherParents(tree: TreeState): TreeNode['parents'] {
  const node = here(tree);
  const fen = rootFen(tree);
  if (!node || !fen) return [];
  const before = tree.line.length ? follow(fen, tree.line.slice(0, -1)) : null;
  const own = before && positionKey(before.fen);
  return node.parents.filter(p => !(positionKey(p.fen) === own && p.uci === tree.line.at(-1)));
}

// Does the present position stand earlier on its line, from the root on? Then the game is worth a draw here.
export function stoodBefore(tree: TreeState): boolean {
  const fen = rootFen(tree);
  const now = fen && follow(fen, tree.line);
  if (!now || tree.line.length < 4) return false;
  const key = positionKey(now.fen);
  return tree.line.some((_, i) => {
    const before = (tree.line.length - i) % 2 === 0 ? follow(fen, tree.line.slice(0, i)) : null;
    return before !== null && positionKey(before.fen) === key;
  });
}

// What the position before says of the move that leads here.
export function moveInto(tree: TreeState): NodeMove | null {
  const last = tree.line.at(-1);
  if (last === undefined) return null;
  return tree.cache.get(tree.line.slice(0, -1))?.moves.find(m => m.uci === last) ?? null;
}

// The same, where this position has no moves yet.
export function leafMove(tree: TreeState): NodeMove | null {
  const node = here(tree);
  return node && !node.moves.length ? moveInto(tree) : null;
}

// How likely win, draw and loss are behind the value of this position, where the engine told it.
export function chancesHere(tree: TreeState): WinDrawLoss | undefined {
  const leaf = leafMove(tree);
  return leaf?.engine && same(leaf.alpha, leaf.engine.score) ? leaf.engine.wdl : here(tree)?.wdl;
}

// Is the last move of the line one that the position before does not list (played on the board)?
export function offTheTree(tree: TreeState): boolean {
  const last = tree.line.at(-1);
  if (last === undefined) return false;
  const before = tree.cache.get(tree.line.slice(0, -1));
  return before ? !before.moves.some(m => m.uci === last) : here(tree)?.status === 'unscored';
}

// The moves in the order of the rows.
export function rows(tree: TreeState): NodeMove[] {
  const node = here(tree);
  if (!node) return [];
  const byUci = new Map(node.moves.map(m => [m.uci, m]));
  return tree.rowOrder.flatMap(uci => byUci.get(uci) ?? []);
}

export function select(tree: TreeState, step: 1 | -1): void {
  const order = tree.rowOrder;
  if (!order.length || !here(tree)) return;
  const at = tree.selected ? order.indexOf(tree.selected) : -1;
  const next = at < 0 ? (step > 0 ? 0 : order.length - 1) : (at + step + order.length) % order.length;
  tree.selected = order[next]!;
}

// The answer among the moves of the present position: at the root what the analysis says of itself, as the queue
// shows it; elsewhere the best alpha.
function answerIn(tree: TreeState, moves: readonly NodeMove[]): NodeMove | null {
  const scored = moves.filter(m => m.alpha !== null && m.status !== 'excluded');
  const said = tree.line.length ? undefined : tree.analysis?.best?.uci;
  return scored.find(m => m.uci === said) ?? scored[0] ?? null;
}

// The best move here: head, table, arrows and keys mean this one.
export const bestMove = (tree: TreeState): NodeMove | null => answerIn(tree, here(tree)?.moves ?? []);

// The line that begins with it. Where the tree's own line begins with another move, the engine's line behind it.
export function bestLine(tree: TreeState): Step[] {
  const node = here(tree);
  const best = bestMove(tree);
  if (!node || !best || node.pv.alpha[0]?.uci === best.uci) return node?.pv.alpha ?? [];
  const fen = rootFen(tree);
  const sans = tree.lines?.line === tree.line.join() ? (tree.lines.sans.get(best.san) ?? []) : [];
  return [best, ...(fen ? stepsOf(fen, [...tree.line, best.uci], sans) : [])];
}
