// What clouds say of the moves: a column where they say something, and below the table the moves that nobody has
// searched here. Nothing rests on it.
import type { NodeMove, TreeNode } from '../../data/types';
import { words } from '../../chess/score';
import { treeLink } from '../../router';
import { button, each, h, link, type VNode } from '../../ui/dom';
import { moment } from '../../ui/format';
import { scoreView } from '../../ui/scoreView';
import type { TreeState } from './treeState';

type Words = NonNullable<NodeMove['cloud']>;
type CloudMove = NonNullable<TreeNode['cloud_moves']>[number];

const names: Record<Words[number]['source'], string> = { chessdb: 'chessdb.cn', lichess: 'lichess' };
const ranks = ['bad', 'good', 'best'];

const told = ({ source, score, depth, rank, at }: Words[number]): string =>
  [
    `${names[source]}: ${words(score)}`,
    depth === undefined ? '' : `depth ${depth}`,
    rank === undefined ? '' : (ranks[rank] ?? ''),
    moment(at),
  ]
    .filter(Boolean)
    .join(', ');

const value = (cloud: Words): VNode | null =>
  cloud[0] ? scoreView('', cloud[0].score, { title: cloud.map(told).join('\n') }) : null;

const title = 'Of a cloud: what chessdb.cn or lichess says. It counts nowhere';

export const cloudHead = (): VNode => h('th.c-cloud', { attrs: { scope: 'col', title } }, 'cloud');

export const cloudCell = ({ cloud }: NodeMove): VNode =>
  h('td.c-cloud', [(cloud && value(cloud)) ?? h('span.muted', '–')]);

export function cloudMoves(
  tree: TreeState,
  moves: readonly CloudMove[],
  include: (move: CloudMove) => void,
): VNode | null {
  if (!moves.length) return null;
  const says = 'Known to a cloud, not searched';
  return h('section.only-played', { key: 'cloud-moves', attrs: { 'aria-label': says } }, [
    h('h2', { attrs: { title } }, says),
    each('ul', {}, moves, move =>
      h('li', { key: move.uci, attrs: { 'data-testid': 'cloud-move' } }, [
        link('.san', treeLink(tree.id, [...tree.line, move.uci], tree.tab), move.san),
        value(move.cloud),
        button('.text', {
          label: 'Include',
          attrs: { 'aria-label': `Include ${move.san}` },
          run: () => include(move),
        }),
      ]),
    ),
  ]);
}
