// The tabs of the tree view, in their order.
import { run } from '../../ctx';
import type { Ctx } from '../../ctx';
import { tabs } from '../../router';
import type { Tab } from '../../router';
import { h } from '../../ui/dom';
import type { Child } from '../../ui/dom';
import { Part } from '../../ui/part';
import { notesView, parentsView } from './asideView';
import * as factsCtrl from './facts/factsCtrl';
import { factsView } from './facts/factsView';
import { movesView } from './movesView';
import * as pictureCtrl from './picture/pictureCtrl';
import * as timeCtrl from './time/timeCtrl';
import { timeView } from './time/timeView';
import type { TreeState } from './treeState';

const picture = new Part(() => import('./picture/pictureView'));
const repertoire = new Part(() => import('./repertoire/repertoireView'));

interface TabPage {
  name: string;
  view(ctx: Ctx, tree: TreeState): Child[];
  // Also for every step on the tree.
  enter?(ctx: Ctx, tree: TreeState): void;
  // Once a second while the analysis grows.
  tick?(ctx: Ctx, tree: TreeState): void;
}

const table: Record<Tab, TabPage> = {
  moves: {
    name: 'Moves',
    view: (ctx, tree) => [movesView(ctx, tree), notesView(ctx, tree), parentsView(tree)],
  },
  picture: {
    name: 'Picture',
    view: (ctx, tree) => [picture.here ? picture.here.pictureView(ctx, tree) : h('div.skeleton')],
    enter: (ctx, tree) => {
      run(
        ctx,
        picture.load().then(() => ctx.redraw()),
      );
      run(ctx, pictureCtrl.load(ctx, tree));
    },
    tick: pictureCtrl.loadIfOld,
  },
  time: {
    name: 'Over time',
    view: (ctx, tree) => [timeView(ctx, tree)],
    enter: timeCtrl.enter,
    tick: timeCtrl.loadIfOld,
  },
  facts: {
    name: 'Evaluations',
    view: (_, tree) => [factsView(tree)],
    enter: (ctx, tree) => run(ctx, factsCtrl.load(ctx, tree)),
  },
  repertoire: {
    name: 'Repertoire',
    view: (ctx, tree) => [repertoire.here ? repertoire.here.repertoireView(ctx, tree) : h('div.skeleton')],
    enter: (ctx, tree) =>
      run(
        ctx,
        repertoire
          .load()
          .then(part => part.ctrl.enter(ctx, tree))
          .then(() => ctx.redraw()),
      ),
    tick: (ctx, tree) => repertoire.here?.ctrl.loadIfOld(ctx, tree),
  },
};

export const tabOf = (tree: TreeState): TabPage => table[tree.tab];

export const tabNames: readonly [Tab, string][] = tabs.map(tab => [tab, table[tab].name]);
