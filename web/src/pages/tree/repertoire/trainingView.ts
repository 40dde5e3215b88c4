// The training: a position on the board, and whether my move was the one of the repertoire.
import { assign, type Ctx } from '../../../ctx';
import { lineText, sans } from '../../../chess/chess';
import { button, checkbox, h, type VNode } from '../../../ui/dom';
import { plural } from '../../../ui/format';
import { scoreView } from '../../../ui/scoreView';
import { rootPly, type TreeState } from '../treeState';
import * as ctrl from './repertoireCtrl';
import type { Question, RepertoireState, Training } from './repertoireState';

export function trainingView(ctx: Ctx, tree: TreeState, state: RepertoireState, training: Training): VNode {
  const { question } = training;
  return h('div.repertoire.training', { attrs: { 'data-testid': 'training' } }, [
    h('h2', 'Training'),
    question ? asked(ctx, tree, state, training, question) : h('p', 'There is no answer to ask for yet.'),
    h(
      'p.muted',
      training.asked
        ? `${training.right} of ${plural(training.asked, 'position', 'positions')} right at the first try.`
        : '',
    ),
    checkbox(
      'train-evenly',
      'All their moves equally often, not the likely ones more',
      training.evenly,
      evenly => assign(ctx, training, { evenly }),
    ),
    button('', {
      label: 'End the training',
      testid: 'train-end',
      run: () => ctrl.stopTraining(ctx, tree, state),
    }),
  ]);
}

function asked(
  ctx: Ctx,
  tree: TreeState,
  state: RepertoireState,
  training: Training,
  question: Question,
): VNode {
  const { line, move, score } = question.answer;
  const ply = rootPly(tree.analysis!) + training.from.length;
  const before = line.length ? lineText(ply, sans(line)) : 'The position on the board';
  const mine = lineText(ply + line.length, [move.san]);
  const told = question.done || question.shown;
  return h('div', [
    h('p.strong', { attrs: { 'data-testid': 'train-line' } }, before),
    h('p', { attrs: { role: 'status', 'data-testid': 'train-verdict' } }, [
      ...(question.done
        ? [
            question.tried.length || question.shown ? 'Now right: ' : 'Right: ',
            h('strong', mine),
            ' ',
            scoreView('', score),
          ]
        : question.shown
          ? ['The answer is ', h('strong', mine), ' ', scoreView('', score), '. Play it.']
          : question.tried.length
            ? ['Not the move of your repertoire. Try again.']
            : ['What do you play? Move on the board.']),
    ]),
    h('div.rep-actions', [
      question.done
        ? button('.primary', {
            label: 'Next',
            testid: 'train-next',
            run: () => ctrl.ask(ctx, state, training),
          })
        : button('', {
            label: 'Show the answer',
            testid: 'train-show',
            disabled: told,
            run: () => ctrl.tell(ctx, state, training),
          }),
    ]),
  ]);
}
