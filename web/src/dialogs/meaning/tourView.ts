// Five marks on the tree page for who is here for the first time: one after the other, beside what they speak of.
import { assign, type Ctx } from '../../ctx';
import { button, h, hasReducedMotion, type VNode } from '../../ui/dom';

// Where a mark stands is in styles/help.css, by its number.
const marks: readonly { at: string; title: string; text: string }[] = [
  {
    at: '.value',
    title: 'The answer and its score',
    text: 'This analysis grows by itself. The score is what the position is worth when both sides play the best moves of the tree: + is good for White.',
  },
  {
    at: '.moves-box',
    title: 'The moves, the best first',
    text: 'Click a move to go there, or walk with the arrow keys. The ? in the head of a column says what its number means.',
  },
  {
    at: '.board-box',
    title: 'The same on the board',
    text: 'The widest arrow is the best move. Play any move, also one that the tree does not have; the wheel walks.',
  },
  {
    at: '.moves-box',
    title: 'You steer',
    text: 'The three dots in a row: analyse now, deepen, include a move of yours, exclude one. The search follows at once.',
  },
  {
    at: '.tabs',
    title: 'More to look at',
    text: 'The tree as a picture, what changed since your last visit, and every search that was made. “New analysis” above begins your own.',
  },
];

export function tourView(ctx: Ctx, at: number): VNode {
  const mark = marks[at]!;
  const to = (next: number | null) => (): void => assign(ctx, ctx.state, { tour: next });
  const last = at === marks.length - 1;
  return h(
    'aside.tour',
    {
      key: 'tour',
      attrs: { 'aria-label': 'First steps', 'data-testid': 'tour', tabindex: -1 },
      hook: { insert: inSight(at), postpatch: (_, vnode) => inSight(at)(vnode) },
    },
    [
      h('div', { attrs: { role: 'status' } }, [
        h('h2', [h('span.step', String(at + 1)), mark.title]),
        h('p', mark.text),
      ]),
      h('div.actions', [
        h('span.muted', `${at + 1} of ${marks.length}`),
        button('.text', { label: 'Skip', run: to(null) }),
        at ? button('', { label: 'Back', run: to(at - 1) }) : null,
        button('.primary', { label: last ? 'Done' : 'Next', run: to(last ? null : at + 1) }),
      ]),
    ],
  );
}

// What is spoken of is not under the card or outside of the window.
const inSight =
  (at: number) =>
  (vnode: VNode): void => {
    const card = vnode.elm as HTMLElement;
    if (card.dataset['at'] === String(at)) return;
    card.dataset['at'] = String(at);
    document
      .querySelector(marks[at]!.at)
      ?.scrollIntoView({ block: 'center', behavior: hasReducedMotion() ? 'auto' : 'smooth' });
  };
