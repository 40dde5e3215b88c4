// The two values of the position, each with the line it expects. Two rows of fixed height, always.
import type { Ctx } from '../../ctx';
import { what } from '../../dialogs/parts';
import { treeLink } from '../../router';
import { pawns, result, same, words } from '../../chess/score';
import type { Estimate, NodeMove, Step, TreeNode } from '../../data/types';
import { h } from '../../ui/dom';
import type { Child, VNode } from '../../ui/dom';
import { opinionsView } from '../../ui/opinionsView';
import { pvSteps } from '../../ui/pvSteps';
import { scoreView } from '../../ui/scoreView';
import { withEstimate } from './estimate';
import * as ctrl from './treeCtrl';
import { here, leafMove, moveInto, rootPly, stoodBefore } from './treeState';
import type { TreeState } from './treeState';

const onHistory = 'Worth here, with this line as history: repetitions count as draws';
const withoutHistory = 'Absolute minimax value, without history';

export function valueView(ctx: Ctx, tree: TreeState): VNode {
  const node = here(tree);
  if (!node) return expectedView(ctx, tree);
  if (stoodBefore(tree)) return repeatedView(ctx, tree, node);
  const leaf = leafMove(tree);
  if (leaf?.alpha) return leafView(ctx, tree, node, leaf);
  const equal = node.alpha !== null && same(node.alpha, node.idea) && samePv(node);
  return frame([
    row(ctx, tree, 'alpha', onHistory, node.alpha, node.pv.alpha, node.estimate ?? null),
    equal
      ? h('div.value-row.same', { key: 'idea' }, [
          h('span.value-name', [what(ctx, 'idea', 'idea', withoutHistory)]),
          h('span.muted', 'the same'),
        ])
      : row(ctx, tree, 'idea', withoutHistory, node.idea, node.pv.idea, null),
    differingOpinions(tree),
  ]);
}

// Until the position's own answer comes: what the one before said of the move that leads here.
function expectedView(ctx: Ctx, tree: TreeState): VNode {
  const move = stoodBefore(tree) ? null : moveInto(tree);
  return frame([
    row(ctx, tree, 'alpha', onHistory, move?.alpha ?? null, [], null),
    row(ctx, tree, 'idea', withoutHistory, move?.idea ?? null, [], null),
  ]);
}

const frame = (rows: Child[]): VNode =>
  h('section.value', { attrs: { 'aria-label': 'Value of this position' } }, rows);

// It stood on this line before: the game is worth a draw, whatever it would be worth if it went on.
function repeatedView(ctx: Ctx, tree: TreeState, node: TreeNode): VNode {
  return frame([
    h('div.value-row', { key: 'alpha', attrs: { 'data-testid': 'value-alpha' } }, [
      h('span.value-name', [what(ctx, 'alpha', 'alpha', onHistory)]),
      scoreView('.large', { cp: 0 }),
      h('span.muted', 'stood here before: a repetition'),
    ]),
    row(ctx, tree, 'idea', 'What it would be worth if the game went on', node.idea, node.pv.idea, null),
  ]);
}

// Nothing was searched here: the engine's word on the move that leads here stands, with the line it had in mind.
function leafView(ctx: Ctx, tree: TreeState, node: TreeNode, leaf: NodeMove): VNode {
  const stored = tree.leafPv?.line === tree.line.join() ? tree.leafPv.pv : [];
  return frame([
    row(
      ctx,
      tree,
      'alpha',
      onHistory,
      leaf.alpha,
      node.pv.alpha.length ? node.pv.alpha : stored,
      leaf.estimate ?? null,
    ),
    same(leaf.alpha, leaf.idea)
      ? h('div.value-row.same', { key: 'idea' }, [
          h('span.value-name', [what(ctx, 'idea', 'idea')]),
          h('span.muted', 'the same: a leaf, by the engine’s own line'),
        ])
      : row(ctx, tree, 'idea', withoutHistory, leaf.idea, [], null),
  ]);
}

// The analysis's answer concerns its root.
function differingOpinions(tree: TreeState): VNode | null {
  const opinions = !tree.line.length && tree.analysis?.best ? opinionsView(tree.analysis.best) : null;
  return opinions && h('div.value-row.same', { key: 'opinions' }, [h('span.value-name', 'answer'), opinions]);
}

const samePv = (node: TreeNode): boolean =>
  node.pv.alpha.map(s => s.uci).join() === node.pv.idea.map(s => s.uci).join();

function row(
  ctx: Ctx,
  tree: TreeState,
  name: 'alpha' | 'idea',
  meaning: string,
  score: TreeNode['alpha'],
  pv: readonly Step[],
  estimate: Estimate | null,
): VNode {
  return h('div.value-row', { key: name, attrs: { 'data-testid': `value-${name}` } }, [
    h('span.value-name', [what(ctx, name, name, meaning)]),
    scoreView(name === 'alpha' ? '.large' : '', score),
    h('span.pv', { on: { mouseleave: () => ctrl.preview(ctx, null) } }, [
      estimate ? estimateView(ctx, score, estimate) : null,
      ...(pv.length ? pvView(ctx, tree, pv) : fromTables(score)),
    ]),
  ]);
}

const estimateView = (ctx: Ctx, score: TreeNode['alpha'], estimate: Estimate): VNode =>
  h(
    'span.muted.estimate',
    { key: 'estimate', attrs: { title: withEstimate(score, estimate), 'data-testid': 'estimate' } },
    [what(ctx, 'estimate', `≈ ${pawns(estimate.cp)}`), ' '],
  );

// A position that the endgame tables know has no line, but a distance.
const fromTables = (score: TreeNode['alpha']): Child[] =>
  score && result(score) ? [h('span.muted', words(score))] : [];

function pvView(ctx: Ctx, tree: TreeState, pv: readonly Step[]): Child[] {
  const a = tree.analysis;
  if (!a || !here(tree)) return [];
  return pvSteps(
    rootPly(a) + tree.line.length,
    tree.line,
    pv,
    line => treeLink(tree.id, line, tree.tab),
    line => ctrl.preview(ctx, line),
  );
}
