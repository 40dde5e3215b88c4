// Walking an analysis tree: navigation goes through the URL, data through the cache and the server.
import type { Key } from '@lichess-org/chessground/types';
import { ApiError } from '../../data/api';
import { boardMove, legalPrefix, positionKey, sameMove } from '../../chess/chess';
import { explain, run, toast } from '../../ctx';
import type { Ctx } from '../../ctx';
import { lastVisit, load as loadPref, recordVisit, save } from '../../data/prefs';
import { loadEngines } from '../queue/enginesCtrl';
import { find } from '../queue/queueState';
import type { Route, Tab } from '../../router';
import type { NodeEvent } from '../../data/types';
import { NodeCache } from './nodeCache';
import { bestMove, goTo, here, initialTree, otherParents, putNode, rootFen, rows } from './treeState';
import type { TreeState } from './treeState';

type TreeRoute = Extract<Route, { page: 'tree' }>;

let request: AbortController | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;
let due = Infinity;
let lastPush = 0;

export function enter(ctx: Ctx, route: TreeRoute): void {
  const { state } = ctx;
  if (state.tree?.id !== route.id) {
    state.tree = initialTree(route.id, [], route.tab, find(state.queue, route.id));
    state.tree.orientation = loadPref('orientation') === 'black' ? 'black' : 'white';
    lastVisit(route.id); // fixes what "last visit" means in this sitting
    goTo(state.tree, route.line);
    run(ctx, open(ctx, state.tree));
    run(ctx, loadEngines(ctx));
    return;
  }
  if (state.tree.line.join() !== route.line.join()) goTo(state.tree, route.line);
  state.tree.tab = route.tab;
  if (cutIllegal(ctx, state.tree)) return;
  run(ctx, loadNode(ctx));
}

// A line that someone typed or was sent may not be legal: what is legal of it is kept.
function cutIllegal(ctx: Ctx, tree: TreeState): boolean {
  const legal = tree.analysis && legalPrefix(tree.analysis.fen, tree.line);
  if (!legal || legal.length === tree.line.length) return false;
  toast(ctx, `The link names a move that is not legal here: ${tree.line[legal.length]}.`, { tone: 'bad' });
  walkTo(ctx, legal, 'replace');
  return true;
}

// The analysis first, where it is not known: its root says which part of the line is legal.
async function open(ctx: Ctx, tree: TreeState): Promise<void> {
  run(ctx, loadNode(ctx));
  if (!(await loadAnalysis(ctx, tree)) || ctx.state.tree !== tree) return;
  if (!cutIllegal(ctx, tree) && !here(tree)) run(ctx, loadNode(ctx));
}

export function leave(ctx: Ctx): void {
  const { tree } = ctx.state;
  if (tree) recordVisit(tree.id, Date.now());
  ctx.state.tree = null;
  request?.abort();
  clearTimeout(timer);
  due = Infinity;
}

async function loadAnalysis(ctx: Ctx, tree: TreeState): Promise<boolean> {
  try {
    tree.analysis = await ctx.api.analysis(tree.id);
    return true;
  } catch (error) {
    setProblem(tree, error);
    return false;
  } finally {
    ctx.redraw();
  }
}

function setProblem(tree: TreeState, error: unknown): void {
  if (error instanceof DOMException && error.name === 'AbortError') return; // overtaken by another step
  if (!(error instanceof ApiError)) throw error;
  if (error.unreachable && tree.node) return; // the offline banner says it; what we have stays
  tree.problem = { message: error.message, status: error.status };
}

// Fetches the present position. An earlier request still on its way is given up.
export async function loadNode(ctx: Ctx): Promise<void> {
  const { tree } = ctx.state;
  if (!tree || (!tree.analysis && tree.line.length)) return; // open() comes back when the line is checked
  clearTimeout(timer);
  due = Infinity;
  request?.abort();
  const own = new AbortController();
  request = own;
  const { line } = tree;
  try {
    const node = await ctx.api.node(tree.id, line, own.signal);
    if (ctx.state.tree === tree) {
      putNode(tree, line, node);
      loadWays(ctx, tree);
      if (tree.eager && tree.line === line) followBest(ctx);
    }
  } catch (error) {
    if (ctx.state.tree === tree && tree.line === line) setProblem(tree, error);
  } finally {
    if (request === own) request = null;
  }
  ctx.redraw();
}

// Another position of the line has changed by our own doing.
export async function refreshCached(ctx: Ctx, tree: TreeState, line: string[]): Promise<void> {
  try {
    putNode(tree, line, await ctx.api.node(tree.id, line));
  } catch (error) {
    explain(error); // it is fetched again when someone goes there
  }
}

// Lines to the positions from which this one is reached too: asked for when someone stays a moment.
let waysTimer: ReturnType<typeof setTimeout> | undefined;
const mostWays = 4;

function loadWays(ctx: Ctx, tree: TreeState): void {
  clearTimeout(waysTimer);
  const wanted = otherParents(tree)
    .slice(0, mostWays)
    .filter(p => !tree.ways.has(positionKey(p.fen)));
  if (!wanted.length) return;
  waysTimer = setTimeout(() => {
    for (const { fen } of wanted) run(ctx, loadWay(ctx, tree, fen));
  }, 400);
}

async function loadWay(ctx: Ctx, tree: TreeState, fen: string): Promise<void> {
  try {
    const { analyses } = await ctx.api.positions(fen);
    tree.ways.set(positionKey(fen), analyses.find(a => a.id === tree.id)?.line ?? null);
    ctx.redraw();
  } catch (error) {
    explain(error); // the place stays without a link; it is asked for again with the next answer
  }
}

// Fetches again in `ms` at the latest; a request under way counts as the present, so it is not cut off.
export function loadSoon(ctx: Ctx, ms: number): void {
  const at = Date.now() + ms;
  if (at >= due) return;
  clearTimeout(timer);
  due = at;
  timer = setTimeout(() => {
    due = Infinity;
    if (request) loadSoon(ctx, 100);
    else run(ctx, loadNode(ctx));
  }, ms);
}

export function onNodeEvent(ctx: Ctx, event: NodeEvent): void {
  const { tree } = ctx.state;
  if (!tree || event.analysis !== tree.id) return;
  const node = here(tree);
  if (node && event.version <= node.version) return;
  const mine = node && positionKey(node.fen);
  const touched = !mine || !event.fens || event.fens.some(fen => positionKey(fen) === mine);
  loadSoon(ctx, touched ? 150 : 1500); // counts below may change without the position's values changing
}

// Someone deleted the analysis that is being looked at.
export function onRemoved(tree: TreeState): void {
  tree.analysis = null;
  tree.problem = { status: 404, message: 'It has been deleted. Its evaluations are kept.' };
}

// After a lost connection, or the server's own word that we missed something.
export function reload(ctx: Ctx): void {
  const { tree } = ctx.state;
  if (!tree) return;
  tree.cache = new NodeCache();
  if (tree.analysis) {
    run(ctx, loadAnalysis(ctx, tree));
    run(ctx, loadNode(ctx));
  } else run(ctx, open(ctx, tree));
}

// --- walking

export function walkTo(ctx: Ctx, line: string[], how?: 'push' | 'replace'): void {
  const { tree } = ctx.state;
  if (!tree) return;
  const now = Date.now();
  const quick = now - lastPush < 300; // a held arrow key is one step of the browser's history
  lastPush = now;
  ctx.go({ page: 'tree', id: tree.id, line, tab: tree.tab }, how ?? (quick ? 'replace' : 'push'));
}

export const showTab = (ctx: Ctx, tab: Tab): void => {
  const { tree } = ctx.state;
  if (tree) ctx.go({ page: 'tree', id: tree.id, line: tree.line, tab }, 'replace');
};

export function back(ctx: Ctx): void {
  const { tree } = ctx.state;
  if (tree?.line.length) walkTo(ctx, tree.line.slice(0, -1));
}

// To the chosen row, else the way we came, else the best move.
export function forward(ctx: Ctx): void {
  const { tree } = ctx.state;
  if (!tree) return;
  const next = tree.selected ?? tree.future[0];
  if (next) walkTo(ctx, [...tree.line, next]);
  else followBest(ctx);
}

// A key pressed while the position is still on its way is not lost.
export function followBest(ctx: Ctx): void {
  const { tree } = ctx.state;
  if (!tree) return;
  tree.eager = !here(tree);
  const next = tree.selected ?? bestMove(tree)?.uci;
  if (next) walkTo(ctx, [...tree.line, next]);
}

export function toStart(ctx: Ctx): void {
  const { tree } = ctx.state;
  if (tree?.line.length) walkTo(ctx, []);
}

// To the end of the way we came, else of the best line.
export function toEnd(ctx: Ctx): void {
  const { tree } = ctx.state;
  if (!tree) return;
  const rest = tree.future.length ? tree.future : (here(tree)?.pv.alpha ?? []).map(s => s.uci);
  if (rest.length) walkTo(ctx, [...tree.line, ...rest]);
}

export function flip(ctx: Ctx): void {
  const { tree } = ctx.state;
  if (!tree) return;
  tree.orientation = tree.orientation === 'white' ? 'black' : 'white';
  save('orientation', tree.orientation);
  ctx.redraw();
}

// --- the board

export function onBoardMove(
  ctx: Ctx,
  from: Key,
  to: Key,
  promotion?: 'queen' | 'rook' | 'bishop' | 'knight',
): void {
  const { tree } = ctx.state;
  const fen = tree && rootFen(tree);
  if (!tree || !fen) return;
  const move = boardMove(fen, tree.line, from, to, promotion);
  tree.promotion = move?.needsPromotion ? { from, to } : null;
  if (move && !move.needsPromotion) {
    const at = here(tree)?.fen;
    const known = at && rows(tree).find(m => sameMove(at, m.uci, move.uci));
    walkTo(ctx, [...tree.line, known ? known.uci : move.uci]);
  }
  ctx.redraw();
}

export function preview(ctx: Ctx, line: string[] | null): void {
  const { tree } = ctx.state;
  if (!tree || tree.preview?.join() === line?.join()) return;
  tree.preview = line;
  ctx.redraw();
}
