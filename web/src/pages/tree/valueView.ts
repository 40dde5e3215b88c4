// The head of a position: the answer and its value, large; below it, always at the same places, what the tree, the
// engine's own search and the value without repetition say, or which moves were compared, in one sentence; then the
// line. Fixed heights: nothing moves as numbers do.
import type { Ctx } from '../../ctx';
import { what } from '../../dialogs/parts';
import { lineText, sans } from '../../chess/chess';
import { treeLink } from '../../router';
import { chances, pawns, percents, result, same, words } from '../../chess/score';
import type { Best, Estimate, NodeMove, Score, Step, TreeNode, WinDrawLoss } from '../../data/types';
import { h, type Child, type VNode } from '../../ui/dom';
import { pvSteps } from '../../ui/pvSteps';
import { scoreView } from '../../ui/scoreView';
import { withEstimate } from './estimate';
import { lookChoices, lookKey, lookLines, lookState } from './look/lookView';
import {
  bestLine,
  bestMove,
  chancesHere,
  here,
  isAsking,
  leafMove,
  moveInto,
  rootPly,
  stoodBefore,
} from './treeState';
import type { TreeState } from './treeState';
import { verdictView } from './verdict/verdict';

// What one of them says; of which move, where it is another one than the answer.
interface Word {
  san?: string;
  score: Score | null;
  title?: string;
}

interface Head {
  move: string; // the answer; "": there is none to name
  score: Score | null;
  wdl?: WinDrawLoss | undefined; // where it belongs to the score
  estimate: Estimate | null;
  tree: Word;
  search: Word;
  idea: Word;
  court?: string | undefined; // how it was decided; then the tree and the engine have no say of their own
  line: Child[];
}

const none: Word = { score: null };
const nothing: Head = {
  move: '',
  score: null,
  estimate: null,
  tree: none,
  search: none,
  idea: none,
  line: [],
};

export function valueView(ctx: Ctx, tree: TreeState): VNode {
  const head = isAsking(tree) ? nothing : headOf(ctx, tree);
  const { score, estimate, wdl } = head;
  const rows = Math.max(2, tree.look.lines);
  return h('section.value', { attrs: { 'aria-label': 'Value of this position' } }, [
    h('div.answer', { attrs: { 'data-testid': 'answer' } }, [
      h('strong.answer-move', head.move),
      scoreView('.large', score),
      estimate
        ? h(
            'span.muted.estimate',
            { key: 'estimate', attrs: { title: withEstimate(score, estimate), 'data-testid': 'estimate' } },
            [what(ctx, 'estimate', `≈ ${pawns(estimate.cp)}`)],
          )
        : null,
      h('span.answer-gap', [
        wdl
          ? h(
              'span.muted',
              { attrs: { title: chances(wdl), 'data-testid': 'wdl' } },
              `${percents(wdl).join(' · ')} %`,
            )
          : null,
      ]),
      ...(ctx.state.shared ? [] : [lookKey(ctx, tree), ...lookChoices(ctx, tree)]),
    ]),
    h('div.opinions', { attrs: { 'data-testid': 'opinions' } }, [
      ...(head.court
        ? [
            h(
              'span.court.cut',
              { key: 'court', attrs: { 'data-testid': 'court', title: head.court } },
              head.court,
            ),
          ]
        : [
            opinion(ctx, 'alpha', 'tree', 'What the tree says: repetitions count as draws', head.tree),
            opinion(ctx, 'engine', 'deep search', 'The engine’s own search of the move', head.search),
          ]),
      head.court && same(head.idea.score, score)
        ? null
        : opinion(ctx, 'idea', 'without repetition', 'The value without the history of the line', head.idea),
      lookState(ctx, tree),
    ]),
    verdictView(ctx, tree),
    h(
      'div.lines',
      { style: { '--rows': String(rows) } },
      tree.look.on && !isAsking(tree)
        ? [lookLines(ctx, tree, rows)]
        : [h('p.pv', { key: 'pv', attrs: { 'data-testid': 'best-line' } }, head.line)],
    ),
  ]);
}

function headOf(ctx: Ctx, tree: TreeState): Head {
  const node = here(tree);
  if (!node) return expected(tree);
  if (stoodBefore(tree)) return repeated(node);
  const best = bestMove(tree);
  return best ? ofMoves(ctx, tree, node, best) : ofLeaf(ctx, tree, node);
}

// At the root candidates were searched together, if there was time: that decides, and where the tree names another move
// it is told. Before, and elsewhere, the tree's first move may be another one than the answer: one that has only just
// come up.
function ofMoves(ctx: Ctx, tree: TreeState, node: TreeNode, best: NodeMove): Head {
  const a = tree.analysis; // it may come after the position
  const said = tree.line.length ? null : a?.best;
  const { engine } = best;
  const first = node.moves.find(m => m.alpha !== null && m.status !== 'excluded')!;
  const other = first === best ? null : { san: first.san, score: first.alpha };
  return {
    move: a ? lineText(rootPly(a) + tree.line.length, [best.san]) : best.san,
    score: best.alpha,
    wdl: first === best ? chancesHere(tree) : undefined,
    estimate: best.estimate ?? node.estimate ?? null,
    tree: other ?? { score: node.alpha },
    search: engine ? { score: engine.score, title: depthOf(engine) } : none,
    idea: { score: other ? best.idea : node.idea },
    court: said?.uci === best.uci ? decided(said) : undefined,
    line: lineOf(ctx, tree, best.alpha, bestLine(tree), node.pv.alpha),
  };
}

const decided = ({ court, tree }: Best): string | undefined =>
  court &&
  `${sans(court).join(', ')} were searched together${tree ? `; the tree alone has ${tree.san}` : ''}`;

// Nothing was searched here: the engine's word on the move that leads here stands, with the line it had in mind.
function ofLeaf(ctx: Ctx, tree: TreeState, node: TreeNode): Head {
  const leaf = leafMove(tree);
  const score = leaf?.alpha ?? node.alpha;
  const stored = tree.leafPv?.line === tree.line.join() ? tree.leafPv.pv : [];
  const pv = node.pv.alpha.length ? node.pv.alpha : stored;
  return {
    ...nothing,
    score,
    wdl: chancesHere(tree),
    estimate: leaf?.estimate ?? node.estimate ?? null,
    search: leaf?.engine ? { score: leaf.engine.score, title: depthOf(leaf.engine) } : none,
    idea: { score: leaf?.idea ?? node.idea },
    line: lineOf(ctx, tree, score, pv, pv),
  };
}

// A position that the endgame tables know has no line, but a distance.
const lineOf = (
  ctx: Ctx,
  tree: TreeState,
  score: Score | null,
  line: readonly Step[],
  known: readonly Step[], // by the tree
): Child[] =>
  score && result(score) && !known.length ? [h('span.muted', words(score))] : steps(ctx, tree, line);

// Until the position's own answer comes: what the one before said of the move that leads here.
function expected(tree: TreeState): Head {
  const move = stoodBefore(tree) ? null : moveInto(tree);
  return { ...nothing, score: move?.alpha ?? null, idea: { score: move?.idea ?? null } };
}

// It stood on this line before: the game is worth a draw, whatever it would be worth if it went on.
const repeated = (node: TreeNode): Head => ({
  ...nothing,
  score: { cp: 0 },
  tree: { score: { cp: 0 } },
  idea: { score: node.idea, title: 'What it would be worth if the game went on' },
  line: [h('span.muted', 'stood here before: a repetition')],
});

const depthOf = ({ engine, depth }: NonNullable<NodeMove['engine']>): string =>
  `${engine}, depth ${depth ?? '?'}`;

function opinion(
  ctx: Ctx,
  topic: 'alpha' | 'engine' | 'idea',
  name: string,
  meaning: string,
  { san, score, title }: Word,
): VNode {
  return h('span.opinion', { key: topic, attrs: { 'data-testid': `value-${topic}` } }, [
    h('span.value-name', [what(ctx, topic, name, meaning)]),
    san ? h('span.san', san) : null,
    scoreView('', score, { title: [words(score), title].filter(Boolean).join('\n') }),
  ]);
}

function steps(ctx: Ctx, tree: TreeState, pv: readonly Step[]): Child[] {
  const a = tree.analysis;
  if (!a || !here(tree)) return [];
  return pvSteps(
    ctx,
    {
      fen: a.fen,
      before: tree.line,
      ply: rootPly(a) + tree.line.length,
      orientation: tree.orientation,
      href: line => treeLink(tree.id, line, tree.tab),
    },
    pv,
  );
}
