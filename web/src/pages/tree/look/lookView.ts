// The engine that is kept at the position: its button, how far it is, what it has found so far, and the choices.
import { lineText, stepsOf, sans } from '../../../chess/chess';
import { order } from '../../../chess/score';
import type { Ctx } from '../../../ctx';
import type { Look } from '../../../data/types';
import { button, choice, each, h, link, type VNode } from '../../../ui/dom';
import { speed } from '../../../ui/format';
import { icon } from '../../../ui/icons';
import { popover } from '../../../ui/popover';
import { pvSteps } from '../../../ui/pvSteps';
import { scoreView } from '../../../ui/scoreView';
import { treeLink } from '../../../router';
import { liveView } from '../liveView';
import { here, rootPly, type TreeState } from '../treeState';
import { setLook, toggleLook } from './lookCtrl';
import { isOver, lineOf, mostLines } from './lookState';

export function lookKey(ctx: Ctx, tree: TreeState): VNode {
  const { on, look } = tree.look;
  const works = on && !(look && isOver(look));
  return button(works ? '.look-key.on' : '.look-key', {
    label: works ? 'Stop analysing' : 'Keep analysing here',
    icon: icon(works ? 'pause' : 'play'),
    both: true,
    title: works ? 'Stop analysing here (k)' : 'Search this position deeper and deeper while you look (k)',
    disabled: !works && !!here(tree)?.terminal,
    run: () => toggleLook(ctx, tree),
  });
}

// What the engines do here now.
export function lookState(ctx: Ctx, tree: TreeState): VNode {
  const { on, look } = tree.look;
  if (!on) return liveView(ctx, tree);
  const parts = !look
    ? ['begins']
    : isOver(look)
      ? [`ended: ${look.reason ?? ''}`]
      : look.state === 'starting'
        ? ['the engine starts']
        : [
            `depth ${Math.max(look.depth, look.search?.reached ?? 0)}`,
            look.search?.nps ? speed(look.search.nps) : '',
          ];
  return h(
    'p.look-progress.small.cut',
    { key: 'look', attrs: { 'data-testid': 'look', 'data-state': look?.state ?? 'starting' } },
    [parts.filter(Boolean).join(' · '), elsewhere(tree, look)],
  );
}

// It goes on at another position than the one in view.
function elsewhere(tree: TreeState, look: Look | null): VNode | null {
  if (!look || !tree.look.keep || lineOf(look).join() === tree.line.join()) return null;
  const at =
    look.line.length && tree.analysis ? lineText(rootPly(tree.analysis), sans(look.line)) : 'the root';
  return h('span.look-elsewhere', [' at ', link('', treeLink(tree.id, lineOf(look), tree.tab), at)]);
}

// The best number first: the engine may be deeper in one line than in the next.
const bestFirst = (found: Look['found'], ply: number): Look['found'] =>
  [...found].sort((a, b) =>
    a.score && b.score ? (ply % 2 ? -1 : 1) * (order(b.score) - order(a.score)) : 0,
  );

// As many rows as there is room for, filled or not.
export function lookLines(ctx: Ctx, tree: TreeState, rows: number): VNode {
  const { look, keep } = tree.look;
  const a = tree.analysis;
  // While it goes along, what it found where one stood before is not told of here.
  const its = look && a && (keep || lineOf(look).join() === tree.line.join()) ? look : null;
  const before = its ? lineOf(its) : [];
  const ply = a ? rootPly(a) + before.length : 0;
  const found = its ? bestFirst(its.found, ply) : [];
  return each(
    'ol.look-lines',
    { key: 'look', attrs: { 'data-testid': 'look-lines' } },
    Array.from({ length: rows }, (_, i) => found[i] ?? null),
    (line, i) =>
      h('li.cut', { key: i, class: { live: line?.live ?? false } }, [
        line ? scoreView('', line.score) : ' ',
        line ? h('span.look-depth.muted.small', { attrs: { title: 'depth' } }, String(line.depth)) : null,
        line
          ? h(
              'span.look-pv',
              pvSteps(
                ctx,
                {
                  fen: a!.fen,
                  before,
                  ply,
                  orientation: tree.orientation,
                  href: moves => treeLink(tree.id, moves, tree.tab),
                },
                stepsOf(a!.fen, before, line.pv),
              ),
            )
          : null,
      ]),
  );
}

export function lookChoices(ctx: Ctx, tree: TreeState): VNode[] {
  const { look: state } = tree;
  const engine = ctx.state.store.engines.get(tree.analysis?.engine ?? '');
  const processes = engine?.processes.length ?? 1;
  const shares = Array.from({ length: Math.min(processes, 8) + 1 }, (_, i) => i);
  const opener = { id: 'look-choices', label: 'How to analyse here', children: [icon('gear')] };
  return popover('.quiet.square', opener, [
    pick(
      'Lines',
      Array.from({ length: mostLines }, (_, i) => [i + 1, String(i + 1)]),
      state.lines,
      lines => setLook(ctx, tree, { lines }),
    ),
    pick(
      'Until',
      [
        [0, 'while I look'],
        [1, 'I stop it'],
      ],
      Number(state.keep),
      keep => setLook(ctx, tree, { keep: keep === 1 }),
    ),
    pick(
      'Takes',
      shares.map(n => [n, n ? `${n} of the queue’s ${processes}` : 'none of the queue’s']),
      Math.min(state.fromQueue, shares.length - 1),
      fromQueue => setLook(ctx, tree, { fromQueue }),
      'How many of the engine’s processes get no new question of the queue meanwhile',
    ),
  ]);
}

function pick(
  name: string,
  options: readonly (readonly [number, string])[],
  value: number,
  set: (value: number) => void,
  title = '',
): VNode {
  const texts = options.map(([key, text]) => [String(key), text] as const);
  return h('label.pick-row', { attrs: { title } }, [
    h('span', name),
    choice({}, String(value), texts, chosen => set(Number(chosen))),
  ]);
}
