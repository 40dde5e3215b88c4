// What is drawn on the board stays: circles and arrows of a position are a note of their own.
import type { DrawShape } from '@lichess-org/chessground/draw';
import { attempt, run, type Ctx } from '../../../ctx';
import { drawn, marksOf, marksText, wordsOf } from '../../../chess/marks';
import * as treeCtrl from '../treeCtrl';
import { here, type TreeState } from '../treeState';

// As they are drawn by now; the server may not have heard of the last ones yet.
export const drawnHere = (tree: TreeState): DrawShape[] =>
  tree.drawn?.line === tree.line.join()
    ? tree.drawn.shapes
    : (here(tree)?.notes ?? []).flatMap(note => marksOf(note.text));

export function draw(ctx: Ctx, tree: TreeState, shape: DrawShape): void {
  const { orig, dest, brush } = shape;
  const shapes = drawn(drawnHere(tree), { orig, ...(dest && { dest }), ...(brush && { brush }) });
  const mine = { line: tree.line.join(), shapes };
  const { line } = tree;
  tree.drawn = mine;
  tree.saving = tree.saving
    .then(() => save(ctx, tree, line, mine.shapes))
    .then(done => {
      if (tree.drawn !== mine) return undefined;
      if (!done || ctx.state.tree !== tree) tree.drawn = null;
      else
        return treeCtrl.loadNode(ctx, tree).then(() => {
          if (tree.drawn === mine) tree.drawn = null;
          ctx.redraw();
        });
      ctx.redraw();
      return undefined;
    });
  run(ctx, tree.saving);
  ctx.redraw();
}

// The new drawing takes the place of the old.
const save = (ctx: Ctx, { id }: TreeState, line: string[], shapes: DrawShape[]): Promise<boolean> =>
  attempt(ctx, async () => {
    const { notes } = await ctx.api.node(id, line);
    const said = notes.flatMap(n => (wordsOf(n.text) ? marksOf(n.text) : [])); // with words beside them
    const own = shapes.filter(s => !said.some(o => o.orig === s.orig && o.dest === s.dest));
    const text = marksText(own);
    if (text) await ctx.api.direct(id, { moves: line, action: 'note', text });
    for (const { at, text: old } of notes)
      if (!wordsOf(old) && marksOf(old).length)
        await ctx.api.direct(id, { moves: line, action: 'retract', at });
  });
