// Where the tree and the engine disagree: moves below the present position whose backed-up value is far
// from what the engine said of them.
import { lineText, sanLine, sans, ucis } from '../../../chess/chess';
import { pawns } from '../../../chess/score';
import { treeLink } from '../../../router';
import { rootFen, rootPly, type TreeState } from '../treeState';
import type { Step } from '../../../data/types';
import { each, h, link, type VNode } from '../../../ui/dom';
import { scoreView } from '../../../ui/scoreView';
import type { TimeState } from './timeState';

// A line as a link to its end. `from`: where it begins, as moves from the root.
export function lineLink(tree: TreeState, from: readonly string[], line: readonly Step[]): VNode {
  return link(
    '',
    treeLink(tree.id, [...from, ...ucis(line)]),
    lineText(rootPly(tree.analysis!) + from.length, sans(line)),
  );
}

const shown = 12;

// `site`: from files, which know the largest of the whole tree.
export function disagreementsView(tree: TreeState, time: TimeState, site: boolean): VNode {
  const known = time.disagreements?.line === tree.line.join() ? time.disagreements.found : null;
  const list = known?.disagreements ?? [];
  const where = tree.line.length ? `below ${sanHere(tree)}` : 'in the whole tree';
  return h('section', { attrs: { 'aria-label': 'Disagreements', 'data-testid': 'disagreements' } }, [
    h('h2', `Disagreements ${where}`),
    h(
      'p.muted',
      'Moves where the tree is 0.15 or more away from the engine’s own search, the farthest first.',
    ),
    !known
      ? h('div.skeleton')
      : list.length
        ? h('div.moved', [
            h('table.plain', { attrs: { 'aria-label': 'Disagreements' } }, [
              h('thead', [
                each('tr', {}, ['Line', 'search', '', 'tree', 'gap'], n =>
                  h('th', { attrs: { scope: 'col' } }, n || h('span.hidden', 'to')),
                ),
              ]),
              each('tbody', {}, list.slice(0, shown), one => row(tree, one)),
            ]),
          ])
        : h('p', site && tree.line.length ? 'None of the largest in the tree.' : 'None.'),
    known?.truncated && !site
      ? h('p.muted', 'Only the 20,000 positions nearest to here were looked at; go into a branch for more.')
      : null,
  ]);
}

type Entry = NonNullable<TimeState['disagreements']>['found']['disagreements'][number];

function row(tree: TreeState, one: Entry): VNode {
  return h('tr', { key: ucis(one.line).join() }, [
    h('th', { attrs: { scope: 'row' } }, [lineLink(tree, tree.line, one.line)]),
    h('td', [scoreView('', one.engine)]),
    h('td', [h('span.muted', { attrs: { 'aria-label': 'to' } }, '→')]),
    h('td', [scoreView('.strong', one.alpha)]),
    h('td.num', pawns(one.gap)),
  ]);
}

function sanHere(tree: TreeState): string {
  const fen = rootFen(tree);
  const san = fen ? sanLine(fen, tree.line).at(-1)?.san : null;
  return san ?? 'here';
}
