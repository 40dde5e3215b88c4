// The board with the eval bar, the buttons that walk, and the choice of a promotion.
import { arrows } from '../../ui/board/arrows';
import { boardView } from '../../ui/board/boardView';
import { evalBar } from '../../ui/board/evalBar';
import { promotionView } from '../../ui/board/promotionView';
import type { Ctx } from '../../ctx';
import { run } from '../../ctx';
import { words } from '../../chess/score';
import { copyText } from '../../ui/copy';
import { button, h } from '../../ui/dom';
import type { VNode } from '../../ui/dom';
import { flipButton, walkButton } from '../../ui/walkButtons';
import { what } from '../../dialogs/parts';
import { lookView } from './look/lookView';
import { draw, drawnHere } from './steer/drawCtrl';
import * as ctrl from './treeCtrl';
import {
  bestMove,
  here,
  isAsking,
  leafMove,
  moveInto,
  place,
  rows,
  shownPlace,
  stoodBefore,
} from './treeState';
import type { TreeState } from './treeState';

// A wrong answer in the training goes back at once: the board has moved, the line in the end has not.
const wrongTries = (tree: TreeState): number => tree.repertoire?.training?.question?.tried.length ?? 0;

export function boardPane(ctx: Ctx, tree: TreeState): VNode {
  const node = here(tree);
  const shown = shownPlace(tree);
  const previewing = tree.preview !== null;
  const shapes =
    node && !previewing && !isAsking(tree) ? arrows(rows(tree), node.turn, tree.selected ?? null) : [];
  const value = isAsking(tree)
    ? null
    : stoodBefore(tree)
      ? { cp: 0 }
      : ((node ? (leafMove(tree)?.alpha ?? node.alpha) : moveInto(tree)?.alpha) ?? null);
  const turn = shown ? `${shown.turn === 'white' ? 'White' : 'Black'} to move` : 'loading';
  return h('div.board-pane', { class: { previewing } }, [
    h('div.board-row', [
      evalBar(value, tree.orientation),
      h('div.board-box', [
        boardView({
          place: shown,
          orientation: tree.orientation,
          shapes: previewing || isAsking(tree) ? shapes : [...shapes, ...drawnHere(tree)],
          label: `Board, ${turn}, ${words(node?.alpha ?? null)}`,
          onMove: previewing ? null : (from, to) => ctrl.onBoardMove(ctx, from, to),
          serial: (tree.promotion ? 1 : 0) + 2 * wrongTries(tree),
          onDraw: previewing ? null : shape => draw(ctx, tree, shape),
        }),
        tree.promotion
          ? promotionView(place(tree)?.turn ?? 'white', tree.promotion.to, tree.orientation, role =>
              ctrl.promote(ctx, tree, role),
            )
          : null,
        previewing ? h('div.preview-tag', { attrs: { 'aria-hidden': 'true' } }, 'Preview') : null,
      ]),
    ]),
    controls(ctx, tree),
    lookView(ctx, tree),
  ]);
}

function controls(ctx: Ctx, tree: TreeState): VNode {
  const atRoot = tree.line.length === 0;
  const best = bestMove(tree);
  const more = tree.future.length > 0 || (here(tree)?.pv.alpha.length ?? 0) > 0;
  return h('div.controls', { attrs: { role: 'toolbar', 'aria-label': 'Walk' } }, [
    walkButton('first', atRoot, () => ctrl.toStart(ctx), 'To the root'),
    walkButton('back', atRoot, () => ctrl.back(ctx)),
    walkButton('forward', !best && !tree.future.length, () => ctrl.forward(ctx)),
    walkButton('last', !more, () => ctrl.toEnd(ctx), 'To the end of the line'),
    h('span.controls-gap'),
    what(ctx, 'arrows', 'Arrows'),
    button('.quiet.copy', {
      label: 'Copy FEN',
      title: 'Copy the FEN of this position',
      run: () => run(ctx, copyFen(ctx, tree)),
    }),
    flipButton(() => ctrl.flip(ctx)),
  ]);
}

async function copyFen(ctx: Ctx, tree: TreeState): Promise<void> {
  const fen = here(tree)?.fen ?? place(tree)?.fen;
  if (fen) await copyText(ctx, fen, 'FEN');
}
