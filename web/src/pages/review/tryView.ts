// Finding the better move: what is asked, what the last try was worth, and what one can do.
import { lineText, plyOf } from '../../chess/chess';
import { run, type Ctx } from '../../ctx';
import { button, form, h, input, segments, type Child, type VNode } from '../../ui/dom';
import { scoreView } from '../../ui/scoreView';
import { glyph, type OpenReview, type Trying, type Verdict } from './reviewState';
import { begin, countToFind, end, found, goOn, played, search, show, type } from './tryCtrl';

const sides: [Trying['side'], string][] = [
  ['both', 'Both'],
  ['white', 'White'],
  ['black', 'Black'],
];

export function tryView(ctx: Ctx, open: OpenReview, trying: Trying): VNode {
  const move = played(open, trying);
  const ply = plyOf(open.review!.start_fen) + trying.at - 1;
  const over = found(trying) || trying.shown;
  const white = ply % 2 === 0;
  return h(
    'section.review-moment',
    { attrs: { 'aria-label': 'Find the better move', 'data-testid': 'try' } },
    [
      h('div.section-head', [
        h('h2', 'Find the better move'),
        h('span.muted', `${trying.done + 1} of ${countToFind(open)}`),
        segments('Whose moves', trying.side, sides, side => begin(ctx, open, side)),
      ]),
      h('p', [
        `${white ? 'White' : 'Black'} played `,
        h('strong', `${lineText(ply, [move.san])}${glyph(move)}`),
        '. What is better?',
      ]),
      h(
        'p',
        { attrs: { role: 'status', 'data-testid': 'try-verdict' } },
        verdict(trying, ply, move.line[0]!.san, move.best),
      ),
      over
        ? null
        : form('.try-typed', {}, () => type(ctx, open, trying), [
            input(
              {
                'aria-label': 'Your move',
                placeholder: 'Move on the board, or type: Nf3',
                autocomplete: 'off',
                spellcheck: 'false',
              },
              trying.typed,
              typed => {
                trying.typed = typed;
              },
            ),
            h('button', { attrs: { type: 'submit', disabled: trying.asking } }, 'Play'),
          ]),
      h('div.actions.left', [
        over
          ? button('.primary', { label: 'Next', testid: 'try-next', run: () => goOn(ctx, open) })
          : button('', { label: 'Show it', testid: 'try-show', run: () => show(ctx, trying) }),
        trying.said?.kind === 'unknown'
          ? button('', {
              label: `Search ${trying.said.san} now`,
              testid: 'try-now',
              run: () => run(ctx, search(ctx, open, trying)),
            })
          : null,
        button('.quiet', { label: 'End', testid: 'try-end', run: () => end(ctx, open) }),
      ]),
    ],
  );
}

const percent = (loss: number): string => `${Math.round(loss * 100)} %`;

function verdict(trying: Trying, ply: number, better: string, best: Verdict['score']): Child[] {
  const { said } = trying;
  if (trying.shown) return ['It was ', h('strong', lineText(ply, [better])), ' ', scoreView('', best)];
  if (!said) return [trying.asking ? 'Looking it up…' : ''];
  const name = h('strong', lineText(ply, [said.san]));
  switch (said.kind) {
    case 'right':
      return [
        'Right: ',
        name,
        ' ',
        scoreView('', said.score),
        said.loss ? `, nearly as good as ${better}.` : '',
      ];
    case 'wrong':
      return [name, ` loses ${percent(said.loss!)} of the chances. Try again.`];
    case 'played':
      return [name, ' is what was played. Try another one.'];
    case 'unknown':
      return [name, ' is not searched, so nothing is known of it. Search it, or try another one.'];
    case 'searching':
      return [name, ' is searched…'];
  }
}
