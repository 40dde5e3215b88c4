// The tabs of the tree view, in their order.
import { run, type Ctx } from '../../ctx';
import { tabs, type Tab } from '../../router';
import { h, type Child, type VNode } from '../../ui/dom';
import { Part } from '../../ui/part';
import { notesView, parentsView } from './asideView';
import { movesView } from './movesView';
import type { TreeState } from './treeState';

const picture = new Part(() => import('./picture/picturePart'));
const time = new Part(() => import('./time/timePart'));
const facts = new Part(() => import('./facts/factsPart'));
const repertoire = new Part(() => import('./repertoire/repertoireView'));
const files = new Part(() => import('./files/filesPart'));
const orders = new Part(() => import('./orders/ordersPart'));

interface TabPage {
  name: string;
  view(ctx: Ctx, tree: TreeState): Child[];
  // Also for every step on the tree.
  enter?(ctx: Ctx, tree: TreeState): void;
  // Once a second while the analysis grows.
  tick?(ctx: Ctx, tree: TreeState): void;
  // Something of the analysis has changed.
  hear?(ctx: Ctx, tree: TreeState): void;
}

// A tab whose code comes when it is first entered; then it is entered if it is still looked at.
function late<T>(
  part: Part<T>,
  name: string,
  view: (code: T, ctx: Ctx, tree: TreeState) => VNode,
  enter: (code: T, ctx: Ctx, tree: TreeState) => Promise<unknown> | void,
  tick?: (code: T, ctx: Ctx, tree: TreeState) => void,
): TabPage {
  const begin = async (ctx: Ctx, tree: TreeState): Promise<void> => {
    const { tab } = tree;
    const code = part.here ?? (await part.load());
    if (ctx.state.tree === tree && tree.tab === tab) await enter(code, ctx, tree);
    ctx.redraw();
  };
  return {
    name,
    view: (ctx, tree) => [part.here ? view(part.here, ctx, tree) : h('div.skeleton')],
    enter: (ctx, tree) => run(ctx, begin(ctx, tree)),
    tick: (ctx, tree) => {
      if (part.here) tick?.(part.here, ctx, tree);
    },
  };
}

const table: Record<Tab, TabPage> = {
  moves: {
    name: 'Moves',
    view: (ctx, tree) => [movesView(ctx, tree), notesView(ctx, tree), parentsView(tree)],
  },
  picture: late(
    picture,
    'Picture',
    (code, ctx, tree) => code.pictureView(ctx, tree),
    (code, ctx, tree) => code.ctrl.load(ctx, tree),
    (code, ctx, tree) => code.ctrl.loadIfOld(ctx, tree),
  ),
  time: late(
    time,
    'Over time',
    (code, ctx, tree) => code.timeView(ctx, tree),
    (code, ctx, tree) => code.ctrl.enter(ctx, tree),
    (code, ctx, tree) => code.ctrl.loadIfOld(ctx, tree),
  ),
  facts: late(
    facts,
    'Evaluations',
    (code, _, tree) => code.factsView(tree),
    (code, ctx, tree) => code.ctrl.load(ctx, tree),
  ),
  repertoire: late(
    repertoire,
    'Repertoire',
    (code, ctx, tree) => code.repertoireView(ctx, tree),
    (code, ctx, tree) => code.ctrl.enter(ctx, tree),
    (code, ctx, tree) => code.ctrl.loadIfOld(ctx, tree),
  ),
  files: late(
    files,
    'Files',
    (code, ctx, tree) => code.filesView(ctx, tree),
    (code, ctx, tree) => code.ctrl.enter(ctx, tree),
  ),
  orders: {
    ...late(
      orders,
      'Orders',
      (code, ctx, tree) => code.ordersView(ctx, tree),
      (code, ctx, tree) => code.ctrl.enter(ctx, tree),
    ),
    hear: (ctx, tree) => orders.here?.ctrl.hear(ctx, tree),
  },
};

export const tabOf = (tree: TreeState): TabPage => table[tree.tab];

export const tabNames: readonly [Tab, string][] = tabs.map(tab => [tab, table[tab].name]);
