// The tabs of the tree view, in their order.
import { run, type Ctx } from '../../ctx';
import { tabs, type Tab } from '../../router';
import { h, type Child, type VNode } from '../../ui/dom';
import { Part } from '../../ui/part';
import { notesView, parentsView } from './asideView';
import { movesView } from './movesView';
import type { TreeState } from './treeState';

interface TabPage {
  name: string;
  view(ctx: Ctx, tree: TreeState): Child[];
  // Also for every step on the tree.
  enter?(ctx: Ctx, tree: TreeState): void;
  // Once a second.
  tick?(ctx: Ctx, tree: TreeState): void;
  // Something of the analysis has changed.
  hear?(ctx: Ctx, tree: TreeState): void;
}

// The code of a tab that comes later.
interface Code {
  view(ctx: Ctx, tree: TreeState): VNode;
  enter(ctx: Ctx, tree: TreeState): unknown;
  loadIfOld?(ctx: Ctx, tree: TreeState): void;
  hear?(ctx: Ctx, tree: TreeState): void;
}

// A tab whose code comes when it is first entered; then it is entered if it is still looked at.
function late(name: string, code: () => Promise<Code>): TabPage {
  const part = new Part(code);
  const begin = async (ctx: Ctx, tree: TreeState): Promise<void> => {
    const { tab } = tree;
    const { enter } = part.here ?? (await part.load());
    if (ctx.state.tree === tree && tree.tab === tab) await enter(ctx, tree);
    ctx.redraw();
  };
  return {
    name,
    view: (ctx, tree) => [part.here?.view(ctx, tree) ?? h('div.skeleton')],
    enter: (ctx, tree) => run(ctx, begin(ctx, tree)),
    tick: (ctx, tree) => part.here?.loadIfOld?.(ctx, tree),
    hear: (ctx, tree) => part.here?.hear?.(ctx, tree),
  };
}

const table: Record<Tab, TabPage> = {
  moves: {
    name: 'Moves',
    view: (ctx, tree) => [movesView(ctx, tree), notesView(ctx, tree), parentsView(tree)],
  },
  picture: late('Picture', () => import('./picture/pictureView')),
  time: late('Over time', () => import('./time/timeView')),
  facts: late('Evaluations', () => import('./facts/factsView')),
  repertoire: late('Repertoire', () => import('./repertoire/repertoireView')),
  files: late('Files', () => import('./files/filesView')),
  orders: late('Orders', () => import('./orders/ordersView')),
};

export const tabOf = (tree: TreeState): TabPage => table[tree.tab];

export const tabNames: readonly [Tab, string][] = tabs.map(tab => [tab, table[tab].name]);
