// The page of one analysis.
import { run, type Ctx } from '../../ctx';
import { loadEngines } from '../../data/entities';
import { recordVisit } from '../../data/prefs';
import type { ServerEvent } from '../../data/serverEvents';
import { lostView } from '../../ui/frameView';
import type { Page } from '../page';
import { searchersOf } from './liveView';
import { hearLook, renewLook } from './look/lookCtrl';
import { tabOf } from './tabs';
import * as ctrl from './treeCtrl';
import type { TreeRoute } from './treeCtrl';
import { treeKeys } from './treeKeys';
import { rootFen } from './treeState';
import { documentTitle, treeView } from './treeView';
import { verdict } from './verdict/verdict';

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
    if (ctx.state.tree) ctrl.reload(ctx, ctx.state.tree);
  },
  tick(ctx) {
    const { tree } = ctx.state;
    if (tree?.analysis?.state === 'running') tabOf(tree).tick?.(ctx, tree);
    if (!tree) return;
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
  if (kind === 'node') ctrl.onNodeEvent(ctx, tree, data); // the redraw comes with the data
  if (kind === 'engine' || kind === 'engine_changed') {
    const engine = ctx.state.store.engines.get(data.name);
    const searched = engine !== null && searchersOf([engine], tree).length > 0;
    if (searched || tree.searched) ctx.redraw();
    tree.searched = searched;
    return;
  }
  if (kind === 'node' || data.id !== tree.id) return; // not shown here
  tabOf(tree).hear?.(ctx, tree);
  if (kind !== 'removed' && ctrl.followRoot(ctx, tree)) return;
  if (kind === 'analysis' || kind === 'analysis_changed') ctrl.loadSoon(ctx, tree, 2000);
  else ctrl.onRemoved(tree);
  ctx.redraw();
}
