// The board with the eval bar, the buttons that walk, and the choice of a promotion.
import type { DrawShape } from '@lichess-org/chessground/draw';
import { arrows } from '../../ui/board/arrows';
import { boardView } from '../../ui/board/boardView';
import { evalBar } from '../../ui/board/evalBar';
import { promotionView } from '../../ui/board/promotionView';
import { run, type Ctx, attempt } from '../../ctx';
import { words } from '../../chess/score';
import { copyText } from '../../ui/download';
import { button, h, type VNode } from '../../ui/dom';
import { flipButton, walkButton, wheelWalks } from '../../ui/walkButtons';
import { what } from '../../dialogs/parts';
import type { Analysis } from '../../data/types';
import { played, proofHere, prove, takeBack } from './goOn';
import * as ctrl from './treeCtrl';
import {
  bestLine,
  bestMove,
  chancesHere,
  gameBoard,
  here,
  isAsking,
  leafMove,
  moveInto,
  place,
  shownPlace,
  stoodBefore,
  type TreeState,
} from './treeState';
import { verdict } from './verdict/verdict';
import { drawn, marksOf, marksText, wordsOf } from '../../chess/marks';
import * as treeCtrl from './treeCtrl';

// What is drawn on the board stays: circles and arrows of a position are a note of their own.
// As they are drawn by now; the server may not have heard of the last ones yet.
const drawnHere = (tree: TreeState): DrawShape[] =>
  tree.drawn?.line === tree.line.join()
    ? tree.drawn.shapes
    : (here(tree)?.notes ?? []).flatMap(note => marksOf(note.text));

function draw(ctx: Ctx, tree: TreeState, shape: DrawShape): void {
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

// A wrong answer in the training goes back at once: the board has moved, the line in the end has not.
const wrongTries = (tree: TreeState): number => tree.repertoire?.training?.question?.tried.length ?? 0;

export function boardPane(ctx: Ctx, tree: TreeState): VNode {
  const node = here(tree);
  const shown = shownPlace(tree);
  const asking = isAsking(tree);
  const value = asking
    ? null
    : stoodBefore(tree)
      ? { cp: 0 }
      : ((node ? (leafMove(tree)?.alpha ?? node.alpha) : moveInto(tree)?.alpha) ?? null);
  const wdl = asking || stoodBefore(tree) ? undefined : chancesHere(tree);
  const turn = shown ? `${shown.turn === 'white' ? 'White' : 'Black'} to move` : 'loading';
  const walk = (by: 1 | -1): void => (by > 0 ? ctrl.forward(ctx) : ctrl.back(ctx));
  return h('div.board-pane', [
    h('div.board-row', [
      evalBar(value, tree.orientation, wdl),
      h('div.board-box', { on: { wheel: event => wheelWalks(event, walk) } }, [
        boardView({
          place: shown,
          orientation: tree.orientation,
          shapes: asking || tree.before ? [] : [...arrowsHere(tree), ...shapesHere(tree)],
          label: `Board, ${turn}, ${words(node?.alpha ?? null)}`,
          onMove: (from, to) => ctrl.onBoardMove(ctx, from, to),
          serial: (tree.promotion ? 1 : 0) + 2 * wrongTries(tree),
          onDraw: gameBoard(tree)?.draw ?? (ctx.state.shared ? null : shape => draw(ctx, tree, shape)),
        }),
        tree.promotion
          ? promotionView(place(tree)?.turn ?? 'white', tree.promotion.to, tree.orientation, role =>
              ctrl.promote(ctx, tree, role),
            )
          : null,
        tree.before ? h('div.game-tag', { attrs: { 'aria-hidden': 'true' } }, 'Game') : null,
      ]),
    ]),
    controls(ctx, tree),
  ]);
}

// While a game is being edited, what is drawn is its own.
function shapesHere(tree: TreeState): DrawShape[] {
  const game = gameBoard(tree);
  return [...(game?.draw ? [] : drawnHere(tree)), ...(game?.shapes ?? [])];
}

// Rows may keep their places for a while; arrows tell what is best now.
function arrowsHere(tree: TreeState): ReturnType<typeof arrows> {
  const carriers = verdict.here?.carrierArrows(tree);
  if (carriers) return carriers;
  const best = bestMove(tree);
  const others = (here(tree)?.moves ?? []).filter(m => m !== best);
  return best ? arrows([best, ...others], tree.orientation, tree.selected) : [];
}

function controls(ctx: Ctx, tree: TreeState): VNode {
  const a = tree.analysis;
  const atStart = tree.line.length === 0 && tree.before >= (a?.moves.length ?? 0);
  const best = bestMove(tree);
  const more = tree.future.length > 0 || bestLine(tree).length > 0;
  return h('div.controls', { attrs: { role: 'toolbar', 'aria-label': 'Walk' } }, [
    walkButton('first', atStart, () => ctrl.toStart(ctx), tree.line.length ? 'To the root' : 'To the start'),
    walkButton('back', atStart, () => ctrl.back(ctx)),
    walkButton('forward', !tree.before && !best && !tree.future.length, () => ctrl.forward(ctx)),
    walkButton('last', !tree.before && !more, () => ctrl.toEnd(ctx), 'To the end of the line'),
    a && !isAsking(tree) && !ctx.state.shared ? playedButton(ctx, tree, a) : null,
    isAsking(tree) || tree.before || ctx.state.shared ? null : proveButton(ctx, tree),
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

// The move walked to was played in the game; at the root the last one that was can be taken back.
function playedButton(ctx: Ctx, tree: TreeState, a: Analysis): VNode | null {
  if (tree.line.length)
    return button('.quiet.played', {
      label: 'Was played',
      title: 'The game went on by this line: the analysis goes on from here, and keeps all it has',
      run: () => run(ctx, played(ctx, tree, tree.line)),
    });
  if (!a.played) return null;
  return button('.quiet.played', {
    label: 'Take back',
    title: 'The last move of the game was not played: the analysis stands before it again',
    run: () => run(ctx, takeBack(ctx, tree)),
  });
}

function proveButton(ctx: Ctx, tree: TreeState): VNode | null {
  const proof = proofHere(tree);
  return (
    proof &&
    button('.quiet.prove', {
      label: 'Prove',
      testid: 'prove',
      title: `An analysis that shows ${proof.draw ? 'that this is a draw' : 'who wins here'}, against all answers: an hour of the engine at most`,
      run: () => run(ctx, prove(ctx, tree, proof)),
    })
  );
}

async function copyFen(ctx: Ctx, tree: TreeState): Promise<void> {
  const fen = here(tree)?.fen ?? place(tree)?.fen;
  if (fen) await copyText(ctx, fen, 'FEN');
}
