// "Since your last visit", in one line above the table.
import type { Ctx } from '../../ctx';
import { button, h, type Child, type VNode } from '../../ui/dom';
import { ago, plural } from '../../ui/format';
import { seen } from './news';
import type { NewsMark } from './newsState';
import { showTab } from './treeCtrl';
import type { TreeState } from './treeState';

export function newsView(ctx: Ctx, tree: TreeState): VNode | null {
  const { news } = tree;
  if (!news) return null;
  const { best } = news.changes;
  const turned = best.before !== best.after && best.before && best.after;
  return h('p.news', { key: 'news', attrs: { 'data-testid': 'news' } }, [
    h('span', `Since your last visit (${ago(news.since, ctx.state.now)}): `),
    turned ? h('strong', `best move ${best.before} → ${best.after}, `) : null,
    `${plural(news.marks.size, 'change')} marked. `,
    button('.text', { label: 'All of them', run: () => showTab(ctx, 'time') }),
    button('.text', { label: 'Seen', title: 'Take the marks away', run: () => seen(ctx, tree) }),
  ]);
}

const signs: Record<NewsMark['kind'], string> = { new: 'new', best: '★', white: '▲', black: '▼' };

export const newsMark = (mark: NewsMark | null): Child =>
  mark &&
  h(
    'span.news-mark',
    { attrs: { role: 'img', 'aria-label': mark.title, title: mark.title, 'data-kind': mark.kind } },
    signs[mark.kind],
  );
