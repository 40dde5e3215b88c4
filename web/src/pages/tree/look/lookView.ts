// The button, what the engine has found so far, and the choices. As many rows as lines are wanted, so that nothing
// moves while the numbers run.
import { lineText } from '../../../chess/chess';
import type { Ctx } from '../../../ctx';
import type { Look } from '../../../data/types';
import { button, choice, h, link } from '../../../ui/dom';
import type { VNode } from '../../../ui/dom';
import { speed } from '../../../ui/format';
import { icon } from '../../../ui/icons';
import { scoreView } from '../../../ui/scoreView';
import { treeLink } from '../../../router';
import { liveView } from '../liveView';
import { here, rootPly } from '../treeState';
import type { TreeState } from '../treeState';
import { setLook, toggleLook } from './lookCtrl';
import { isOver, lineOf, mostLines } from './lookState';

export function lookView(ctx: Ctx, tree: TreeState): VNode {
  const { on, look } = tree.look;
  const works = on && !(look && isOver(look));
  return h('section.look', { attrs: { 'aria-label': 'Engine at this position' } }, [
    h('div.look-head', [
      button(works ? '.look-key.on' : '.look-key', {
        label: works ? 'Stop analysing' : 'Keep analysing here',
        icon: icon(works ? 'pause' : 'play'),
        both: true,
        title: works
          ? 'Stop analysing here (k)'
          : 'Search this position deeper and deeper while you look (k)',
        disabled: !works && !!here(tree)?.terminal,
        run: () => toggleLook(ctx, tree),
      }),
      on ? progress(look) : liveView(ctx, tree),
    ]),
    on ? found(tree, look) : null,
    on ? choices(ctx, tree) : null,
  ]);
}

function progress(look: Look | null): VNode {
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
    { attrs: { 'data-testid': 'look', 'data-state': look?.state ?? 'starting' } },
    parts.filter(Boolean).join(' · '),
  );
}

function found(tree: TreeState, look: Look | null): VNode {
  // While it goes along, what it found where one stood before is not told of here.
  const its = look && (tree.look.keep || lineOf(look).join() === tree.line.join()) ? look : null;
  const rows = Array.from({ length: tree.look.lines }, (_, i) => its?.found[i] ?? null);
  const ply = tree.analysis ? rootPly(tree.analysis) + (look?.line.length ?? 0) : 0;
  return h('div', [
    elsewhere(tree, look),
    h(
      'ol.look-lines',
      { attrs: { 'data-testid': 'look-lines' } },
      rows.map((line, i) =>
        h('li.cut', { key: i, class: { live: line?.live ?? false } }, [
          line ? scoreView('', line.score) : ' ',
          line ? h('span.look-depth.muted.small', { attrs: { title: 'depth' } }, String(line.depth)) : null,
          line ? h('span.look-pv', lineText(ply, line.pv)) : null,
        ]),
      ),
    ),
  ]);
}

// It goes on at another position than the one in view.
function elsewhere(tree: TreeState, look: Look | null): VNode | null {
  if (!look || !tree.look.keep || lineOf(look).join() === tree.line.join()) return null;
  const at =
    look.line.length && tree.analysis
      ? lineText(
          rootPly(tree.analysis),
          look.line.map(s => s.san),
        )
      : 'the root';
  return h('p.look-elsewhere.small.cut', ['at ', link('', treeLink(tree.id, lineOf(look), tree.tab), at)]);
}

function choices(ctx: Ctx, tree: TreeState): VNode {
  const { look: state } = tree;
  const engine = ctx.state.store.engines.get(tree.analysis?.engine ?? '');
  const processes = engine?.processes.length ?? 1;
  const shares = Array.from({ length: Math.min(processes, 8) + 1 }, (_, i) => i);
  return h('div.look-choices.small', [
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
  return h('label', { attrs: { title } }, [
    h('span', name),
    choice({}, String(value), texts, chosen => set(Number(chosen))),
  ]);
}
