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
import { wheelWalks } from '../../ui/wheel';
import { what } from '../../dialogs/parts';
import { draw, drawnHere } from './steer/drawCtrl';
import * as ctrl from './treeCtrl';
import { bestLine, bestMove, here, isAsking, leafMove, moveInto, place, stoodBefore } from './treeState';
import type { TreeState } from './treeState';

// A wrong answer in the training goes back at once: the board has moved, the line in the end has not.
const wrongTries = (tree: TreeState): number => tree.repertoire?.training?.question?.tried.length ?? 0;

export function boardPane(ctx: Ctx, tree: TreeState): VNode {
  const node = here(tree);
  const shown = place(tree);
  const asking = isAsking(tree);
  const value = asking
    ? null
    : stoodBefore(tree)
      ? { cp: 0 }
      : ((node ? (leafMove(tree)?.alpha ?? node.alpha) : moveInto(tree)?.alpha) ?? null);
  const turn = shown ? `${shown.turn === 'white' ? 'White' : 'Black'} to move` : 'loading';
  const walk = (by: 1 | -1): void => (by > 0 ? ctrl.forward(ctx) : ctrl.back(ctx));
  return h('div.board-pane', [
    h('div.board-row', [
      evalBar(value, tree.orientation),
      h('div.board-box', { on: { wheel: event => wheelWalks(event, walk) } }, [
        boardView({
          place: shown,
          orientation: tree.orientation,
          shapes: asking ? [] : [...arrowsHere(tree), ...drawnHere(tree)],
          label: `Board, ${turn}, ${words(node?.alpha ?? null)}`,
          onMove: (from, to) => ctrl.onBoardMove(ctx, from, to),
          serial: (tree.promotion ? 1 : 0) + 2 * wrongTries(tree),
          onDraw: shape => draw(ctx, tree, shape),
        }),
        tree.promotion
          ? promotionView(place(tree)?.turn ?? 'white', tree.promotion.to, tree.orientation, role =>
              ctrl.promote(ctx, tree, role),
            )
          : null,
      ]),
    ]),
    controls(ctx, tree),
  ]);
}

// Rows may keep their places for a while; arrows tell what is best now.
function arrowsHere(tree: TreeState): ReturnType<typeof arrows> {
  const best = bestMove(tree);
  const others = (here(tree)?.moves ?? []).filter(m => m !== best);
  return best ? arrows([best, ...others], tree.orientation, tree.selected) : [];
}

function controls(ctx: Ctx, tree: TreeState): VNode {
  const atRoot = tree.line.length === 0;
  const best = bestMove(tree);
  const more = tree.future.length > 0 || bestLine(tree).length > 0;
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
