// What a number means, with the example of a repetition to play through.
import { follow, startFen } from '../../chess/chess';
import { type Ctx, assign } from '../../ctx';
import { boardView } from '../../ui/board/boardView';
import { dialog } from '../../ui/dialog';
import { button, each, h, type Child, type VNode, hasReducedMotion } from '../../ui/dom';
import { icon } from '../../ui/icons';
import { meanings, topics, type Topic } from './topics';

// Five marks on the tree page for who is here for the first time: one after the other, beside what they speak of.
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

const example = ['g1f3', 'g8f6', 'f3g1', 'f6g8'];
const sans = ['1. Nf3', '1… Nf6', '2. Ng1', '2… Ng8'];

let step = 0; // of the example

export function meaningDialog(ctx: Ctx, topic: Topic, close: () => void): VNode {
  const meaning = meanings[topic];
  const show = (other: Topic): void => {
    ctx.state.meaning = other;
    step = 0;
    ctx.redraw();
  };
  return dialog('.meaning', 'What the numbers mean', close, [
    each('div.meaning-topics', { attrs: { role: 'group', 'aria-label': 'Topics' } }, topics, other =>
      button('', { label: meanings[other].title, pressed: other === topic, run: () => show(other) }),
    ),
    h('section.meaning-text', { attrs: { 'aria-live': 'polite', 'data-testid': 'meaning' } }, [
      h('h3', meaning.title),
      ...meaning.text.map(text => h('p', text)),
    ]),
    meaning.example ? exampleView(ctx) : null,
  ]);
}

function exampleView(ctx: Ctx): VNode {
  const to = (next: number) => (): void => {
    step = Math.max(0, Math.min(example.length, next));
    ctx.redraw();
  };
  const square = '.quiet.square.big';
  return h('section.meaning-example', { attrs: { 'aria-label': 'Example', 'data-testid': 'example' } }, [
    h('div.board-box', [
      boardView({
        place: onlyNext(),
        orientation: 'white',
        shapes: [],
        label: `Board of the example, ${step ? `after ${sans[step - 1]}` : 'the start position'}`,
        onMove: step < example.length ? to(step + 1) : null,
      }),
    ]),
    h('div', [
      h('h3', 'Play it'),
      h('div.controls', [
        button(square, { label: 'A move back', icon: icon('back'), disabled: !step, run: to(step - 1) }),
        button(square, {
          label: 'Play the next move',
          icon: icon('forward'),
          disabled: step === example.length,
          run: to(step + 1),
        }),
        h(
          'span.muted',
          sans
            .slice(0, step)
            .join(' ')
            .replace(/(\d)… /g, ''),
        ),
      ]),
      h('div', { attrs: { 'aria-live': 'polite' } }, said()),
    ]),
  ]);
}

// The board takes the next move of the example and nothing else.
function onlyNext(): ReturnType<typeof follow> {
  const place = follow(startFen, example.slice(0, step));
  const next = example[step];
  if (!place || !next) return place;
  const [from, target] = [next.slice(0, 2), next.slice(2, 4)];
  return { ...place, dests: new Map([[from, [target]]]) as typeof place.dests };
}

function said(): Child[] {
  const scores = (alpha: string): VNode =>
    h('dl.report', [h('dt', 'tree'), h('dd', alpha), h('dt', 'no repetition'), h('dd', '+0.30')]);
  switch (step) {
    case 0:
      return [
        h('p', 'Say the start position is worth +0.30. Play 1. Nf3, on the board or with the arrow.'),
        scores('+0.30'),
      ];
    case example.length:
      return [
        h(
          'p',
          'This position stood here before the first move. It repeats, so on this line it is a draw. Without repetition it is what it is worth if somebody plays something else.',
        ),
        scores('0.00'),
      ];
    default:
      return [h('p', `${sans[step - 1]} is played. Next: ${sans[step]}.`)];
  }
}
