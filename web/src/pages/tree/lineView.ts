// The line from the start to here, each move a link; moves before the root are only told.
import { lineText, moveNumber, plyOf, sanLine, ucis } from '../../chess/chess';
import type { Ctx } from '../../ctx';
import { treeLink } from '../../router';
import type { Step } from '../../data/types';
import { h, link, type VNode } from '../../ui/dom';
import { here, rootPly, type TreeState } from './treeState';

export function lineView(_: Ctx, tree: TreeState): VNode {
  const a = tree.analysis;
  if (!a) return h('nav.line');
  const known = here(tree)?.line;
  const steps: Step[] = known ?? sanLine(a.fen, tree.line);
  const future = sanLine(a.fen, [...tree.line, ...tree.future]).slice(steps.length);
  const ply = rootPly(a);
  const opening = here(tree)?.opening ?? a.opening;
  const whole = [...steps, ...future];
  const shown = `${a.id} ${steps.length} ${ucis(whole).join()}`;
  const keep = (list: VNode): void => keepInSight(list.elm as HTMLElement, shown);
  return h('nav.line', { attrs: { 'aria-label': 'Line', tabindex: -1, 'data-keep-focus': 'line' } }, [
    h(
      'div.opening',
      { attrs: { 'data-testid': 'opening' } },
      opening ? [h('b', opening.eco), ` ${opening.name}`] : ' ',
    ),
    h('ol.crumbs', { hook: { insert: keep, postpatch: (_, v) => keep(v) } }, [
      h('li', { key: 'root' }, [
        link(
          '.crumb.root',
          treeLink(a.id, [], tree.tab),
          a.moves.length ? rootText(a.start_fen, a.san) : 'Start',
          tree.line.length ? {} : { 'aria-current': 'step' },
        ),
      ]),
      ...whole.map((step, i) => {
        const number = moveNumber(ply + i, i === 0);
        const line = ucis(whole.slice(0, i + 1));
        const current = i === steps.length - 1;
        return h('li', { key: `${i}${step.uci}`, class: { later: i >= steps.length } }, [
          number ? h('span.number', number) : null,
          link('.crumb', treeLink(a.id, line, tree.tab), step.san, current ? { 'aria-current': 'step' } : {}),
        ]);
      }),
    ]),
  ]);
}

// A long way to the root is told by its end.
function rootText(startFen: string, san: string): string {
  const sans = san.split(/\s+/).filter(word => !/^\d+\./.test(word));
  const kept = 6;
  if (sans.length <= kept) return san;
  const from = plyOf(startFen) + sans.length - kept;
  return `… ${lineText(from, sans.slice(-kept))}`;
}

// The present move stays visible where the line scrolls sideways.
const kept = new WeakMap<Node, string>(); // the line whose last move a list was moved to show

// Where things stand is asked after the frame is drawn: asked within it, all would be laid out twice.
function keepInSight(list: HTMLElement, line: string): void {
  if (kept.get(list) === line) return;
  kept.set(list, line);
  requestAnimationFrame(() => {
    const current = list.querySelector<HTMLElement>('[aria-current]');
    if (!current || list.scrollWidth <= list.clientWidth) return;
    const left = current.offsetLeft - list.offsetLeft;
    if (left < list.scrollLeft || left + current.offsetWidth > list.scrollLeft + list.clientWidth)
      list.scrollLeft = left - list.clientWidth / 2;
  });
}
