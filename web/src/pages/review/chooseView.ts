// Which game: pasted, dropped or from a file; of many games the one that is searched for.
import { run, type Ctx } from '../../ctx';
import { ago, count, plural } from '../../ui/format';
import { reviewLink } from '../../router';
import { button, dropHandlers, each, field, form, h, input, link, segments, alertLine } from '../../ui/dom';
import type { Child, VNode } from '../../ui/dom';
import { pageView } from '../../ui/frameView';
import { about, matching, players } from './games';
import * as ctrl from './chooseCtrl';
import type { ReviewState } from './reviewState';

const mostShown = 200;

const depths: [string, string][] = [
  ['12', 'Quick'],
  ['14', 'Normal'],
  ['18', 'Thorough'],
  ['22', 'Deep'],
];

export function chooseView(ctx: Ctx, review: ReviewState): VNode {
  return h(
    'div.drop-zone',
    { key: 'choose', class: { dropping: review.dropping }, on: onDrop(ctx, review) },
    [
      pageView('.review', 'Review games', [
        h('div.page-head', [h('h1', 'Review games')]),
        h('div.review-choice', [
          form(
            '.review-form',
            { attrs: { novalidate: true } },
            () => run(ctx, review.chosen === null ? ctrl.startAll(ctx, review) : ctrl.startOne(ctx, review)),
            [
              h(
                'p.muted',
                'Every position of a game is searched: what each move cost, the chances that were missed, and the moves that nothing could replace. You get it back as PGN with evaluations and better lines. The games are kept on the server.',
              ),
              source(ctx, review),
              review.games.length > 1 ? gamesView(ctx, review) : null,
              review.games.length === 1
                ? h('p.review-one', [
                    h('strong', nameOf(review, 0)),
                    ' ',
                    h('span.muted', about(review.games[0]!.tags)),
                  ])
                : null,
              h('div.labelled', [
                h('span.muted.small', `Search of each position: depth ${review.depth}`),
                segments('Search of each position', review.depth, depths, depth =>
                  ctrl.set(ctx, review, { depth }),
                ),
              ]),
              alertLine(review.problem),
              actions(ctx, review),
            ],
          ),
          recent(ctx, review),
        ]),
      ]),
    ],
  );
}

const nameOf = (review: ReviewState, i: number): string => players(review.games[i]!.tags) || `Game ${i + 1}`;

const onDrop = (ctx: Ctx, review: ReviewState): ReturnType<typeof dropHandlers> =>
  dropHandlers(
    review.dropping,
    dropping => ctrl.set(ctx, review, { dropping }),
    files => run(ctx, ctrl.chooseFile(ctx, review, files?.[0] ?? null)),
  );

function source(ctx: Ctx, review: ReviewState): VNode {
  return h('div.review-source', [
    field({
      id: 'review-text',
      label: 'Paste a game (PGN)',
      control: attrs =>
        h('textarea', {
          attrs: {
            ...attrs,
            rows: 5,
            spellcheck: 'false',
            autocomplete: 'off',
            placeholder: '1. e4 e5 2. Nf3 Nc6 …',
          },
          props: { value: review.text },
          on: { input: event => ctrl.pasted(ctx, review, (event.target as HTMLTextAreaElement).value) },
        }),
    }),
    field({
      id: 'review-file',
      label: 'Or choose a file',
      hint: review.file
        ? `${review.file}: ${plural(review.games.length, 'game')}`
        : 'With one game or many. It can be dropped anywhere on this page, too.',
      control: attrs =>
        h('input', {
          attrs: { ...attrs, type: 'file', accept: '.pgn,.txt' },
          on: {
            change: event =>
              run(ctx, ctrl.chooseFile(ctx, review, (event.target as HTMLInputElement).files?.[0] ?? null)),
          },
        }),
    }),
  ]);
}

function gamesView(ctx: Ctx, review: ReviewState): VNode {
  const places = matching(review.games, review.words);
  const shown = places.slice(0, mostShown);
  return h('div.review-games', [
    h('div.filter', { attrs: { role: 'search', 'aria-label': 'Games' } }, [
      input(
        { type: 'search', 'aria-label': 'Search the games', placeholder: 'Player, event, year, result' },
        review.words,
        words => ctrl.set(ctx, review, { words }),
      ),
      h(
        'span.muted',
        { attrs: { role: 'status' } },
        `${count(places.length)} of ${plural(review.games.length, 'game')}`,
      ),
    ]),
    h('ul.review-list', { attrs: { 'aria-label': 'Games of the file', tabindex: 0, role: 'list' } }, [
      ...shown.map(i =>
        h('li', { key: i }, [
          h(
            'button',
            {
              attrs: { type: 'button', 'aria-pressed': String(review.chosen === i), 'data-testid': 'game' },
              on: { click: () => ctrl.set(ctx, review, { chosen: i }) },
            },
            [h('strong', nameOf(review, i)), h('span.muted', about(review.games[i]!.tags))],
          ),
        ]),
      ),
      places.length ? null : h('li.muted', `No game of the file has “${review.words.trim()}”.`),
      places.length > shown.length
        ? h('li.muted', `and ${count(places.length - shown.length)} more; search for one.`)
        : null,
    ]),
  ]);
}

function actions(ctx: Ctx, review: ReviewState): VNode {
  const many = review.games.length > 1;
  const one = review.chosen !== null;
  return h('div.actions.left', [
    many
      ? button(one ? '' : '.primary', {
          label: `Review all ${count(review.games.length)} games`,
          title: ctrl.fits(review)
            ? ''
            : `At most ${count(ctrl.mostKept)} games and 7 MB are reviewed at once`,
          disabled: review.busy || !ctrl.fits(review),
          testid: 'review-all',
          run: () => run(ctx, ctrl.startAll(ctx, review)),
        })
      : null,
    !many || one
      ? h(
          'button.primary',
          { attrs: { type: 'submit', disabled: !one || review.busy, 'data-testid': 'review-start' } },
          review.busy ? 'Starting…' : 'Review this game',
        )
      : h('span.muted', 'Or choose one.'),
  ]);
}

function recent(ctx: Ctx, { reviewed }: ReviewState): Child {
  if (!reviewed?.length) return null;
  return h('section.review-recent', { attrs: { 'aria-label': 'Reviewed before' } }, [
    h('h2', 'Reviewed before'),
    each('ul', {}, reviewed.slice(0, mostShown), ({ id, file }) => {
      const [first, ...others] = file.games;
      const tags = Object.entries(first?.tags ?? {});
      const said = others.length ? plural(file.games.length, 'game') : about(tags);
      return h('li', { key: `${id} ${file.id}` }, [
        others.length || !first
          ? link('', reviewLink(id, file.id), file.name)
          : link('', reviewLink(id, file.id, first.number), players(tags) || file.name),
        h('span.muted.small', ` ${[said, ago(file.at, ctx.state.now)].filter(Boolean).join(' · ')}`),
      ]);
    }),
  ]);
}
