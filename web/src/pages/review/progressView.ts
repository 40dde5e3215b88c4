// How much of a review is searched.
import type { Analysis } from '../../data/types';
import { h, type Child, button, type VNode } from '../../ui/dom';
import { count } from '../../ui/format';
import { why } from '../../ui/progress';
import type { Ctx } from '../../ctx';
import { openShare } from '../../dialogs/parts';
import type { Subject } from '../../dialogs/share/shareState';
import { icon } from '../../ui/icons';

// A review is shown to others by the file that its game belongs to.
export const shareButton = (ctx: Ctx, subject: Subject): VNode =>
  button('', {
    label: 'Share',
    icon: icon('share'),
    both: true,
    title: 'Share by a link that can only read',
    run: () => openShare(ctx, subject),
  });

export function progress(
  analysis: Analysis | null,
  { searched, positions }: { searched: number; positions: number },
): Child {
  if (searched >= positions) return null;
  const share = positions ? searched / positions : 0;
  return h('div.review-progress', { attrs: { role: 'status', 'data-testid': 'review-progress' } }, [
    h('span', `${count(searched)} of ${count(positions)} positions are searched.`),
    analysis && analysis.state !== 'running' && why(analysis) ? h('span.muted', ` ${why(analysis)}.`) : null,
    h('div.bar', [h('i', { style: { width: `${share * 100}%` } })]),
  ]);
}
