// The page of one analysis.
import { run, type Ctx } from '../../ctx';
import { loadEngines, toggle } from '../../data/entities';
import { recordVisit } from '../../data/prefs';
import type { ServerEvent } from '../../data/events';
import { lostView } from '../../ui/frameView';
import type { Page, Key } from '../page';
import { searchersOf } from './liveView';
import { wantLines } from './lines';
import { hearLook, renewLook, toggleLook } from './look/lookCtrl';
import { tabOf, tabNames } from './tabs';
import * as ctrl from './treeCtrl';
import type { TreeRoute } from './treeCtrl';
import { rootFen, select, type TreeState } from './treeState';
import { documentTitle, treeView } from './treeView';
import { verdict, verifyHere } from './verdict/verdict';
import { tabs } from '../../router';
import { exportHere } from './exportHere';
import { directHere, openNote } from './steer/steerCtrl';

// The keys of the tree view.
type Action = (ctx: Ctx, tree: TreeState, key: string) => unknown;

const key =
  (group: string, own = false) =>
  (keys: readonly string[], what: string, action: Action, repeats = false): Key => ({
    group,
    keys,
    what,
    repeats,
    own,
    run: (ctx, name) => (ctx.state.tree ? action(ctx, ctx.state.tree, name) : false),
  });

const walking = key('Walking');
const steering = key('Steering the chosen move, or the position', true);
const everywhere = key('Everywhere');
const owner = key('Everywhere', true);

const treeKeys: readonly Key[] = [
  walking(
    ['ArrowLeft', 'Backspace'],
    'a move back; at the root along the moves of the game before it',
    ctrl.back,
    true,
  ),
  walking(['ArrowRight'], 'forward: the way you came, else the best move', ctrl.forward, true),
  walking(['Enter'], 'follow the chosen move, else the best', ctrl.followBest),
  walking(
    ['ArrowUp', 'ArrowDown'],
    'choose a move in the table',
    (_, tree, name) => select(tree, name === 'ArrowDown' ? 1 : -1),
    true,
  ),
  walking(
    ['Home', 'End'],
    'to the root, then to the start of the game · to the end of the line',
    (ctx, _, name) => (name === 'Home' ? ctrl.toStart(ctx) : ctrl.toEnd(ctx)),
  ),
  walking(['f'], 'turn the board', ctrl.flip),
  walking(
    tabs.map((_, i) => String(i + 1)),
    tabNames.map(([, name]) => name.toLowerCase()).join(' · '),
    (ctx, _, name) => ctrl.showTab(ctx, tabs[Number(name) - 1]!),
  ),
  walking(['Escape'], '', (ctx, tree) => {
    ctx.state.tour = null;
    tree.selected = null;
    tree.promotion = null;
  }),
  steering(['n'], 'analyse now', ctx => directHere(ctx, 'now')),
  steering(['d'], 'deepen', ctx => directHere(ctx, 'deepen')),
  steering(['i'], 'include', ctx => directHere(ctx, 'include')),
  steering(['x'], 'exclude', ctx => directHere(ctx, 'exclude')),
  steering(['c'], 'leave to the search again', ctx => directHere(ctx, 'clear')),
  steering(['v'], 'verify what the answer rests on', verifyHere),
  steering(['m'], 'write a note', ctx => openNote(ctx)),
  steering(['k'], 'keep analysing here, deeper and deeper, or stop', toggleLook),
  owner(['p'], 'pause or resume this analysis', (ctx, tree) => {
    if (tree.analysis) run(ctx, toggle(ctx, tree.analysis));
  }),
  everywhere(['e'], 'export', (ctx, tree) => exportHere(ctx, tree)),
];

export const treePage: Page<TreeRoute> = {
  enter(ctx, route) {
    ctrl.enter(ctx, route);
    const { tree } = ctx.state;
    if (tree) tabOf(tree).enter?.(ctx, tree);
  },
  leave: ctrl.leave,
  same: (a, b) => a.id === b.id,
  view: ctx => (ctx.state.tree ? treeView(ctx, ctx.state.tree) : lostView('')),
  title: ctx => (ctx.state.tree ? documentTitle(ctx.state.tree) : 'Adjourn'),
  keys: treeKeys,
  onEvent,
  refetch(ctx) {
    const { tree } = ctx.state;
    if (!tree) return;
    tree.changedAt = ctx.clock.now(); // who knows what was missed
    ctrl.reload(ctx, tree);
  },
  tick(ctx) {
    const { tree } = ctx.state;
    if (!tree) return;
    if (tree.analysis?.state === 'running') tree.changedAt = ctx.clock.now();
    tabOf(tree).tick?.(ctx, tree);
    if (tree.lines?.line === tree.line.join()) wantLines(ctx, tree);
    renewLook(ctx, tree);
    if (verdict.here) run(ctx, verdict.here.tick(ctx, tree));
    // Events tell when a search begins and ends; how far it is, is asked for while one looks at it.
    if (searchersOf(ctx.state.store.engines.all(), tree).length) run(ctx, loadEngines(ctx));
  },
  board: ctx => {
    const { tree } = ctx.state;
    const fen = tree && rootFen(tree);
    return fen ? { fen, line: tree.line, play: uci => ctrl.play(ctx, tree, uci) } : null;
  },
  hide(ctx) {
    if (ctx.state.tree) recordVisit(ctx.state.tree.id, ctx.clock.now());
  },
};

function onEvent(ctx: Ctx, { kind, data }: ServerEvent): void {
  const { tree } = ctx.state;
  if (!tree) return;
  if (kind === 'look' || kind === 'look_changed') return hearLook(ctx, tree, data);
  if (kind === 'node') return ctrl.onNodeEvent(ctx, tree, data); // the redraw comes with the data
  if (kind === 'engine' || kind === 'engine_changed') {
    const engine = ctx.state.store.engines.get(data.name);
    const searched = engine !== null && searchersOf([engine], tree).length > 0;
    if (searched || tree.searched) ctx.redraw();
    tree.searched = searched;
    return;
  }
  if (data.id !== tree.id) return; // not shown here
  tree.changedAt = ctx.clock.now();
  tabOf(tree).hear?.(ctx, tree);
  if (kind !== 'removed' && ctrl.followRoot(ctx, tree)) return;
  if (kind === 'analysis' || kind === 'analysis_changed') ctrl.loadSoon(ctx, tree, 2000);
  else ctrl.onRemoved(tree);
  ctx.redraw();
}
