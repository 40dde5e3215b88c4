// The keys of the tree view.
import { run, type Ctx } from '../../ctx';
import { toggle } from '../../data/entities';
import { tabs } from '../../router';
import type { Key } from '../page';
import { exportHere } from './exportHere';
import { toggleLook } from './look/lookCtrl';
import { directHere, openNote } from './steer/steerCtrl';
import { tabNames } from './tabs';
import * as ctrl from './treeCtrl';
import { select, type TreeState } from './treeState';
import { verifyHere } from './verdict/verdict';

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

export const treeKeys: readonly Key[] = [
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
