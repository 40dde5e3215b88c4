// A long list of rows of equal height: only those near the window are in the document.
import type { Ctx } from '../ctx';
import { each, h, type VNode } from './dom';

const always = 80; // shorter lists are drawn whole
const margin = 10; // rows above and below the visible ones

export function windowed<T>(
  ctx: Ctx,
  place: { top: number }, // document offset of the list, px: measured when it is drawn
  items: readonly T[],
  rowHeight: number,
  view: (item: T, index: number) => VNode,
): VNode {
  const measure = (vnode: VNode): void => {
    place.top = (vnode.elm as HTMLElement).getBoundingClientRect().top + window.scrollY;
  };
  if (items.length <= always || window.innerWidth < 720) return h('ul.rows', { key: 'all' }, items.map(view));
  const first = Math.max(0, Math.floor((window.scrollY - place.top) / rowHeight) - margin);
  const last = Math.min(
    items.length,
    Math.ceil((window.scrollY - place.top + window.innerHeight) / rowHeight) + margin,
  );
  return each(
    'ul.rows',
    {
      key: 'windowed',
      style: {
        paddingTop: `${first * rowHeight}px`,
        paddingBottom: `${(items.length - last) * rowHeight}px`,
      },
      hook: {
        insert: vnode => {
          measure(vnode);
          const onScroll = (): void => ctx.redraw();
          vnode.data!['onScroll'] = onScroll;
          window.addEventListener('scroll', onScroll, { passive: true });
        },
        postpatch: (old, vnode) => {
          vnode.data!['onScroll'] = old.data!['onScroll'];
          measure(vnode);
        },
        destroy: vnode => window.removeEventListener('scroll', vnode.data!['onScroll'] as () => void),
      },
    },
    items.slice(first, last),
    (item, i) => view(item, first + i),
  );
}
