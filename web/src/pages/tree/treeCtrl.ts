// Walking an analysis tree: navigation goes through the URL, data through the cache and the server.
import type { Key } from '@lichess-org/chessground/types';
import { boardMove, legalPrefix, positionKey, sameMove, stepsOf, ucis } from '../../chess/chess';
import { run, toast, type Ctx } from '../../ctx';
import type { ApiError } from '../../data/api';
import { draftOf } from '../../data/drafts';
import { loadAnalysis, needEngines } from '../../data/entities';
import { answerOf } from '../../data/latest';
import { lastVisit, load as loadPref, recordVisit, save } from '../../data/prefs';
import type { NodeEvent } from '../../data/types';
import type { Route, Tab } from '../../router';
import type { Promotion } from '../../ui/board/promotionView';
import { followBeside } from './beside/beside';
import { wantLines } from './lines';
import { findLook, followLook, leaveLook } from './look/lookCtrl';
import { openNews } from './news';
import {
  NodeCache,
  bestLine,
  bestMove,
  gameBoard,
  goTo,
  here,
  initialTree,
  isAsking,
  otherParents,
  positionOf,
  putNode,
  rootFen,
  rows,
  type TreeState,
} from './treeState';
import { followVerdict } from './verdict/verdict';

export type TreeRoute = Extract<Route, { page: 'tree' }>;

export function enter(ctx: Ctx, route: TreeRoute): void {
  const { state } = ctx;
  if (state.tree?.id !== route.id) {
    const tree = initialTree(route.id, [], route.tab, state.store, state.picture);
    state.tree = tree;
    tree.root = tree.analysis?.moves ?? null;
    tree.orientation = loadPref('orientation') === 'black' ? 'black' : 'white';
    lastVisit(route.id); // fixes what "last visit" means in this sitting
    goTo(tree, route.line);
    run(ctx, open(ctx, tree));
    run(ctx, needEngines(ctx));
    if (!state.shared) run(ctx, findLook(ctx, tree));
    if (!state.site) openNews(ctx, tree); // it knows other moments than a person's visits
    return;
  }
  if (state.tree.line.join() !== route.line.join()) {
    goTo(state.tree, route.line);
    offerDraft(state.tree);
  }
  state.tree.tab = route.tab;
  if (cutIllegal(ctx, state.tree)) return;
  followLook(ctx, state.tree);
  run(ctx, loadNode(ctx, state.tree));
}

// After the analysis was told anew: the root may be another one, here or by somebody else's doing. What of the line
// lies below it is kept.
export function followRoot(ctx: Ctx, tree: TreeState): boolean {
  const moves = tree.analysis?.moves;
  if (!moves || ctx.state.tree !== tree) return false;
  const was = tree.root;
  tree.root = moves;
  if (!was || was.join() === moves.join()) return false;
  const whole = [...was, ...tree.line];
  const below = moves.every((move, i) => whole[i] === move) ? whole.slice(moves.length) : [];
  const route = { page: 'tree', id: tree.id, line: below, tab: tree.tab } as const;
  leave(ctx); // all of it is about another root
  enter(ctx, route);
  ctx.go(route, 'replace');
  ctx.redraw();
  return true;
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
  loadAgain(ctx, tree);
  if (!(await learnAnalysis(ctx, tree)) || ctx.state.tree !== tree) return;
  offerDraft(tree);
  if (!cutIllegal(ctx, tree) && !here(tree) && !tree.loading.busy) await loadNode(ctx, tree);
}

// What was written here before, and not saved.
export function offerDraft(tree: TreeState): void {
  const at = positionOf(tree);
  tree.draft = at !== null && tree.note === null ? draftOf(tree.id, at) : null;
}

export function leave(ctx: Ctx): void {
  const { tree } = ctx.state;
  if (!tree) return;
  recordVisit(tree.id, ctx.clock.now());
  leaveLook(ctx, tree);
  ctx.state.tree = null;
  stopAsking(tree);
}

function stopAsking(tree: TreeState): void {
  tree.loading.stop();
  tree.picture.loading.stop();
  tree.facts.asking.stop();
  tree.beside?.looking.stop();
  tree.verdict?.asking.stop();
  tree.verdict?.notSoon();
  tree.time?.searching.stop();
  tree.notSoon();
  tree.noWays();
  tree.noLeaf();
}

// While `call` moves the root: what is asked meanwhile would name moves from another root.
export async function whileRootMoves(
  ctx: Ctx,
  tree: TreeState,
  call: () => Promise<boolean>,
): Promise<boolean> {
  stopAsking(tree);
  tree.rootMoves = true;
  const done = await call();
  tree.rootMoves = false;
  if (!(done && followRoot(ctx, tree)) && ctx.state.tree === tree) await loadNode(ctx, tree);
  return done;
}

async function learnAnalysis(ctx: Ctx, tree: TreeState): Promise<boolean> {
  const answer = await loadAnalysis(ctx, tree.id);
  if ('value' in answer) return !followRoot(ctx, tree);
  setProblem(tree, answer.problem);
  return false;
}

function setProblem(tree: TreeState, problem: ApiError): void {
  if (problem.unreachable && tree.node) return; // the offline banner says it; what we have stays
  tree.problem = { message: problem.message, status: problem.status };
}

// Fetches the present position. An earlier request still on its way is given up.
export async function loadNode(ctx: Ctx, tree: TreeState): Promise<void> {
  if (!tree.analysis && tree.line.length) return; // open() comes back when the line is checked
  if (tree.rootMoves) return;
  tree.notSoon();
  tree.noLeaf();
  tree.due = Infinity;
  const { line } = tree;
  const answer = await tree.loading.ask(signal => ctx.api.node(tree.id, line, signal));
  if (!answer) return;
  if ('value' in answer) {
    putNode(tree, line, answer.value);
    loadWays(ctx, tree);
    if (tree.line === line) {
      if (!ctx.state.shared) wantLines(ctx, tree); // evaluations are not shown by a link
      if (answer.value.clouds) run(ctx, answerOf(ctx.api.askClouds(tree.id, line))); // their trouble is the log's
      followBeside(ctx, tree);
      followVerdict(ctx, tree);
    }
    if (!answer.value.moves.length && line.length && !ctx.state.shared)
      tree.noLeaf = ctx.clock.after(100, () => run(ctx, loadLeaf(ctx, tree, line)));
    if (tree.eager && tree.line === line && ctx.state.tree === tree) followBest(ctx);
  } else if (tree.line === line) setProblem(tree, answer.problem);
  ctx.redraw();
}

// Of a position without moves: what the one before says of it, and the line that the engine had in mind.
async function loadLeaf(ctx: Ctx, tree: TreeState, line: string[]): Promise<void> {
  const before = line.slice(0, -1);
  if (!tree.cache.get(before)) await refreshCached(ctx, tree, before);
  const move = tree.cache.get(before)?.moves.find(m => m.uci === line.at(-1));
  if (!move?.engine || tree.leafPv?.line === line.join()) return;
  const facts = await answerOf(ctx.api.evaluations(tree.id, before));
  if ('problem' in facts || tree.line !== line) return ctx.redraw();
  const its = facts.value.evaluations.filter(f => f.pv[0] === move.san);
  const fact = its.find(f => f.depth === move.engine!.depth) ?? its[0];
  const fen = rootFen(tree);
  const sans = fact?.pv.slice(1) ?? [];
  tree.leafPv = { line: line.join(), pv: fen ? stepsOf(fen, line, sans) : [] };
  ctx.redraw();
}

// Another position of the line has changed by our own doing.
export async function refreshCached(ctx: Ctx, tree: TreeState, line: string[]): Promise<void> {
  const answer = await answerOf(ctx.api.node(tree.id, line));
  if ('value' in answer) putNode(tree, line, answer.value); // else fetched when someone goes there
}

// Lines to the positions from which this one is reached too: asked for when someone stays a moment.
const mostWays = 4;

function loadWays(ctx: Ctx, tree: TreeState): void {
  tree.noWays();
  if (ctx.state.shared) return; // it would tell of other analyses
  const wanted = otherParents(tree)
    .slice(0, mostWays)
    .filter(p => !tree.ways.has(positionKey(p.fen)));
  if (!wanted.length) return;
  tree.noWays = ctx.clock.after(400, () => {
    for (const { fen } of wanted) run(ctx, loadWay(ctx, tree, fen));
  });
}

async function loadWay(ctx: Ctx, tree: TreeState, fen: string): Promise<void> {
  const answer = await answerOf(ctx.api.positions(fen));
  if ('problem' in answer) return; // the place stays without a link; it is asked for again with the next answer
  tree.ways.set(positionKey(fen), answer.value.analyses.find(a => a.id === tree.id)?.line ?? null);
  ctx.redraw();
}

// Fetches again in `ms` at the latest; a request under way counts as the present, so it is not cut off.
export function loadSoon(ctx: Ctx, tree: TreeState, ms: number): void {
  const at = ctx.clock.now() + ms;
  if (at >= tree.due) return;
  tree.notSoon();
  tree.due = at;
  tree.notSoon = ctx.clock.after(ms, () => {
    tree.due = Infinity;
    if (tree.loading.busy) loadSoon(ctx, tree, 100);
    else run(ctx, loadNode(ctx, tree));
  });
}

// At once; but an answer on its way is waited for, since it is shown sooner than a new one.
function loadAgain(ctx: Ctx, tree: TreeState): void {
  if (tree.loading.busy) loadSoon(ctx, tree, 0);
  else run(ctx, loadNode(ctx, tree));
}

export function onNodeEvent(ctx: Ctx, tree: TreeState, event: NodeEvent): void {
  if (event.analysis !== tree.id) return;
  tree.changedAt = ctx.clock.now();
  const node = here(tree);
  if (node && event.version <= node.version && !event.cloud) return;
  const mine = node && positionKey(node.fen);
  const touched = !mine || !event.fens || event.fens.some(fen => positionKey(fen) === mine);
  loadSoon(ctx, tree, touched ? 250 : 1500); // counts below may change without the position's values changing
}

// Someone deleted the analysis that is being looked at.
export function onRemoved(tree: TreeState): void {
  tree.problem = { status: 404, message: 'It has been deleted. Its evaluations are kept.' };
}

// After a lost connection, or the server's own word that we missed something.
export function reload(ctx: Ctx, tree: TreeState): void {
  tree.cache = new NodeCache();
  if (tree.analysis) {
    run(ctx, learnAnalysis(ctx, tree));
    loadAgain(ctx, tree);
  } else run(ctx, open(ctx, tree));
}

// --- walking

export function walkTo(ctx: Ctx, line: string[], how?: 'push' | 'replace'): void {
  const { tree } = ctx.state;
  if (!tree) return;
  const now = ctx.clock.now();
  const quick = now - tree.pushedAt < 300; // a held arrow key is one step of the browser's history
  tree.pushedAt = now;
  ctx.go({ page: 'tree', id: tree.id, line, tab: tree.tab }, how ?? (quick ? 'replace' : 'push'));
}

export const showTab = (ctx: Ctx, tab: Tab): void => {
  const { tree } = ctx.state;
  if (tree) ctx.go({ page: 'tree', id: tree.id, line: tree.line, tab }, 'replace');
};

// At the root: along the game's moves before it.
export function back(ctx: Ctx): void {
  const { tree } = ctx.state;
  if (tree?.line.length) walkTo(ctx, tree.line.slice(0, -1));
  else if (tree) walkBefore(ctx, tree, tree.before + 1);
}

export function walkBefore(ctx: Ctx, tree: TreeState, plies: number): void {
  tree.before = Math.max(0, Math.min(tree.analysis?.moves.length ?? 0, plies));
  ctx.redraw();
}

// To the chosen row, else the way we came, else the best move. Nowhere while somebody is asked for it.
export function forward(ctx: Ctx): void {
  const { tree } = ctx.state;
  if (!tree || isAsking(tree)) return;
  if (tree.before) return walkBefore(ctx, tree, tree.before - 1);
  const next = tree.selected ?? tree.future[0];
  if (next) walkTo(ctx, [...tree.line, next]);
  else followBest(ctx);
}

// A key pressed while the position is still on its way is not lost.
export function followBest(ctx: Ctx): void {
  const { tree } = ctx.state;
  if (!tree || isAsking(tree)) return;
  tree.eager = !here(tree);
  const next = tree.selected ?? bestMove(tree)?.uci;
  if (next) walkTo(ctx, [...tree.line, next]);
}

export function toStart(ctx: Ctx): void {
  const { tree } = ctx.state;
  if (tree?.line.length) walkTo(ctx, []);
  else if (tree) walkBefore(ctx, tree, Infinity);
}

// To the end of the way we came, else of the best line.
export function toEnd(ctx: Ctx): void {
  const { tree } = ctx.state;
  if (!tree || isAsking(tree)) return;
  if (tree.before) return walkBefore(ctx, tree, 0);
  const rest = tree.future.length ? tree.future : ucis(bestLine(tree));
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

export function onBoardMove(ctx: Ctx, from: Key, to: Key, promotion?: Promotion): void {
  const { tree } = ctx.state;
  const fen = tree && rootFen(tree);
  if (!tree || !fen) return;
  const move = boardMove(fen, tree.line, from, to, promotion);
  tree.promotion = move?.needsPromotion ? { from, to } : null;
  if (move && !move.needsPromotion) {
    const at = here(tree)?.fen;
    const known = at && rows(tree).find(m => sameMove(at, m.uci, move.uci));
    play(ctx, tree, known ? known.uci : move.uci);
  }
  ctx.redraw();
}

// A move that somebody plays, on the board or by typing it.
export function play(ctx: Ctx, tree: TreeState, uci: string): void {
  gameBoard(tree)?.play?.(uci);
  walkTo(ctx, [...tree.line, uci]);
}

// null: no piece was chosen, the pawn goes back.
export function promote(ctx: Ctx, tree: TreeState, role: Promotion | null): void {
  const asked = tree.promotion;
  tree.promotion = null;
  if (role && asked) onBoardMove(ctx, asked.from, asked.to, role);
  ctx.redraw();
}
