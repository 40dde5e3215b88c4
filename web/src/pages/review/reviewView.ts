// A reviewed game: the board, the curve, what each side's moves were worth, the moments, the moves.
import { follow, lineText, moveNumber, plyOf } from '../../chess/chess';
import { winPercent, pawns, text, words } from '../../chess/score';
import { run, type Ctx } from '../../ctx';
import type { Review, ReviewedMove, ReviewedSide } from '../../data/types';
import { reviewLink, treeLink } from '../../router';
import { boardView } from '../../ui/board/boardView';
import { evalBar } from '../../ui/board/evalBar';
import { promotionView } from '../../ui/board/promotionView';
import { button, each, h, link, type Child, type VNode, alertLine } from '../../ui/dom';
import { pageView } from '../../ui/frameView';
import { icon } from '../../ui/icons';
import { popover } from '../../ui/popover';
import { pvSteps } from '../../ui/pvSteps';
import { scoreView } from '../../ui/scoreView';
import { flipButton, walkButtons, wheelWalks } from '../../ui/walkButtons';
import { gameGraph, kindOf, scoreAt } from './gameGraph';
import { about, clockAt, players, tagOf } from './games';
import * as ctrl from './reviewCtrl';
import { complete, glyph, isMoment, nextMoment, type OpenReview } from './reviewState';
import { begin, countToFind, found, lineOnBoard, onBoard, promote, tryView } from './tryCtrl';
import { progress, shareButton } from './progressView';

export function reviewView(ctx: Ctx, open: OpenReview): VNode {
  const { review } = open;
  const title = players(open.tags) || 'The game';
  return pageView('.review', 'Review of a game', [
    h('div.page-head', [
      h('h1', title),
      h('p.muted', about(open.tags)),
      button('.primary', {
        label: 'Download PGN',
        icon: icon('download'),
        both: true,
        title: 'The game with evaluations, signs and better lines',
        disabled: !review?.searched,
        run: () => run(ctx, ctrl.download(ctx, open)),
      }),
      button('', {
        label: 'Copy PGN',
        disabled: !review?.searched,
        run: () => run(ctx, ctrl.copy(ctx, open)),
      }),
      ...shareable(ctx, open, title),
      besides(open),
      ctx.state.shared ? null : link('.button', '#/review', 'Other games'),
    ]),
    alertLine(open.problem),
    h('div.tree-grid', [
      boardSide(ctx, open),
      h('div.side.review-side', review ? known(ctx, open, review) : [h('div.skeleton'), h('div.skeleton')]),
    ]),
  ]);
}

// By the file that it is a game of.
const shareable = (ctx: Ctx, { id, file }: OpenReview, title: string): Child[] =>
  file === null || ctx.state.shared ? [] : [shareButton(ctx, { id, file, title })];

// The games beside it in its file, and all of them.
function besides(open: OpenReview): Child {
  const { beside, id } = open;
  if (!beside || beside.file.games < 2) return null;
  const to = (label: string, sign: 'back' | 'forward', game: number | null): VNode =>
    game === null
      ? button('.quiet.square', { label, icon: icon(sign), disabled: true, run: () => undefined })
      : link('.button.quiet.square', reviewLink(id, beside.file.id, game), [icon(sign)], {
          'aria-label': label,
          title: label,
        });
  return h('nav.beside', { attrs: { 'aria-label': 'Games of the file' } }, [
    to('Game before', 'back', beside.previous),
    link('.button', reviewLink(id, beside.file.id), `All ${beside.file.games} games`),
    to('Next game', 'forward', beside.next),
  ]);
}

function boardSide(ctx: Ctx, open: OpenReview): VNode {
  const fen = open.review?.start_fen ?? ctrl.analysisOf(ctx, open)?.fen ?? null;
  const { trying } = open;
  const place = fen ? follow(fen, lineOnBoard(open)) : null;
  const score = open.review && !trying ? scoreAt(open.review, open.at) : null;
  const turn = place ? `${place.turn === 'white' ? 'White' : 'Black'} to move` : 'loading';
  const walk = (by: 1 | -1): void => ctrl.walk(ctx, open, open.at + by);
  return h('div.board-pane', [
    nameplate(open, open.orientation === 'white' ? 'Black' : 'White'),
    h('div.board-row', [
      evalBar(score, open.orientation),
      h('div.board-box', { on: { wheel: event => wheelWalks(event, walk) } }, [
        boardView({
          place,
          orientation: open.orientation,
          shapes: [],
          label: `Board, ${turn}, ${words(score)}`,
          onMove:
            trying && !found(trying) && !trying.shown ? (from, to) => onBoard(ctx, open, from, to) : null,
          // What was played on the board goes back.
          serial: trying ? trying.tried.length + (trying.said ? 1 : 0) + (trying.promotion ? 0.5 : 0) : 0,
        }),
        trying?.promotion
          ? promotionView(place?.turn ?? 'white', trying.promotion.to, open.orientation, role =>
              promote(ctx, open, role),
            )
          : null,
      ]),
    ]),
    nameplate(open, open.orientation === 'white' ? 'White' : 'Black'),
    h('div.controls', { attrs: { role: 'toolbar', 'aria-label': 'Walk' } }, [
      ...walkButtons(open.at, open.line.length, at => ctrl.walk(ctx, open, at)),
      h('span.controls-gap'),
      momentButtons(ctx, open),
      h('span.controls-gap'),
      flipButton(() => ctrl.flip(ctx, open)),
    ]),
  ]);
}

// ‹ 9…Qd3?? blunder ›: from one moment to the next.
function momentButtons(ctx: Ctx, open: OpenReview): VNode {
  const { review } = open;
  const move = review?.moves[open.at - 1];
  const step = (by: 1 | -1, label: string, sign: 'back' | 'forward', key: string): VNode => {
    const to = review ? nextMoment(review, open.at, by) : null;
    return button('.quiet.square.big', {
      label,
      icon: icon(sign),
      title: `${label} (${key})`,
      disabled: to === null,
      run: () => to !== null && ctrl.walk(ctx, open, to),
    });
  };
  return h('span.moment-steps', { attrs: { role: 'group', 'aria-label': 'Moments' } }, [
    step(-1, 'Moment before', 'back', '↑'),
    h(
      'span.moment-name.cut',
      { attrs: { 'data-kind': move ? kindOf(move) : '', 'data-testid': 'moment-name' } },
      review && move
        ? [
            h('strong', `${lineText(plyOf(review.start_fen) + open.at - 1, [move.san])}${glyph(move)}`),
            ` ${said(move) || text(move.score)}`,
          ]
        : 'Moments',
    ),
    step(1, 'Next moment', 'forward', '↓'),
  ]);
}

const nameplate = (open: OpenReview, side: 'White' | 'Black'): VNode | null => {
  const name = tagOf(open.tags, side);
  const elo = tagOf(open.tags, `${side}Elo`);
  const blackFirst = plyOf(open.review?.start_fen ?? '') % 2 === 1;
  const clock = clockAt(open.clocks, open.at, (side === 'White') === blackFirst ? 1 : 0);
  return name || clock || open.file !== null
    ? h('p.nameplate', [
        h('span', name || side),
        elo ? h('span.muted', ` ${elo}`) : null,
        clock
          ? h('span.clock', { attrs: { title: `${side}’s clock`, 'data-testid': `clock-${side}` } }, clock)
          : null,
      ])
    : null;
};

function known(ctx: Ctx, open: OpenReview, review: Review): Child[] {
  const first = plyOf(review.start_fen);
  return [
    h('div.graph-box', [
      gameGraph(review, open.clocks, open.at, first, at => ctrl.walk(ctx, open, at)),
      progress(ctrl.analysisOf(ctx, open), review),
    ]),
    sidesView(open, review),
    open.trying ? tryView(ctx, open, open.trying) : momentView(ctx, open, review, first),
    momentsView(ctx, open, review, first),
    movesView(ctx, open, review, first),
  ];
}

function sidesView(open: OpenReview, review: Review): VNode {
  const row = (name: 'White' | 'Black', side: ReviewedSide): VNode =>
    h('tr', [
      h('th', { attrs: { scope: 'row' } }, [name, h('span.muted', ` ${tagOf(open.tags, name)}`)]),
      h('td.num', side.accuracy === null ? '–' : `${side.accuracy.toFixed(1)} %`),
      ...[side.inaccuracies, side.mistakes, side.blunders].map(n =>
        h('td.num', side.accuracy === null ? '–' : String(n)),
      ),
    ]);
  return h('section', { attrs: { 'aria-label': 'Accuracy' } }, [
    h('table.plain.review-sides', { attrs: { 'aria-label': 'Accuracy', 'data-testid': 'accuracy' } }, [
      h('thead', [
        each(
          'tr',
          {},
          ['', complete(review) ? 'Accuracy' : 'Accuracy so far', 'Inaccuracies', 'Mistakes', 'Blunders'],
          (name, i) =>
            h(
              `th${i ? '.num' : ''}`,
              { attrs: { scope: 'col' } },
              i === 1 ? [name, ...formula()] : name || h('span.hidden', 'Side'),
            ),
        ),
      ]),
      h('tbody', [row('White', review.white), row('Black', review.black)]),
    ]),
  ]);
}

// By what accuracy is computed, behind its sign.
const formula = (): VNode[] =>
  popover('.explain', { id: 'formula', label: 'How is it computed?', children: [h('i', '?')] }, [
    h('p', [
      'Winning chances and accuracy are computed by ',
      link('', 'https://lichess.org/page/accuracy', 'lichess’ formula', {
        target: '_blank',
        rel: 'noreferrer',
      }),
      '. A move that loses 10 % of them or more (of −100 to 100 %) is an inaccuracy, 20 % a mistake, 30 % a blunder.',
    ]),
  ]);

// What a moment is, in words.
function said(move: ReviewedMove): string {
  const parts: string[] = [];
  if (move.judgement) parts.push(move.judgement);
  if (move.missed) parts.push('missed chance');
  if (move.only) parts.push('only move');
  return parts.join(', ');
}

const share = (percent: number): string => `${Math.round(percent)} %`;

function momentView(ctx: Ctx, open: OpenReview, review: Review, first: number): VNode {
  const move = open.at ? review.moves[open.at - 1] : undefined;
  if (!move)
    return h('section.review-moment', { attrs: { 'aria-label': 'This move', 'data-testid': 'moment' } }, [
      h('p.muted', [
        'Choose a moment in the curve or in the list.',
        h('span.by-hand', ' ↑ and ↓ go from one to the next.'),
      ]),
    ]);
  const before = open.line.slice(0, open.at - 1);
  const ply = first + open.at - 1;
  const whites = ply % 2 === 0;
  const chances = (score: ReviewedMove['score']): string =>
    score ? share(whites ? winPercent(score) : 100 - winPercent(score)) : '–';
  const better = move.line.length && move.line[0]!.uci !== move.uci ? move.line : [];
  return h('section.review-moment', { attrs: { 'aria-label': 'This move', 'data-testid': 'moment' } }, [
    h('div.section-head', [
      h('h2', [`${lineText(ply, [move.san])}${glyph(move)}`]),
      said(move) ? h('span.review-kind', { attrs: { 'data-kind': kindOf(move) } }, said(move)) : null,
      scoreView('.strong', move.score),
    ]),
    h(
      'p',
      move.loss === null
        ? 'Not searched yet.'
        : `${whites ? 'White' : 'Black'}’s chances: ${chances(move.best)} before the move, ${chances(move.score)} after it.`,
    ),
    better.length
      ? h('p.review-better', [
          h('span.muted', 'Better '),
          scoreView('', move.best),
          ' ',
          ...pvSteps(
            ctx,
            {
              fen: review.start_fen,
              before,
              ply,
              orientation: open.orientation,
              href: line =>
                ctx.state.shared && open.file !== null
                  ? reviewLink(open.id, open.file, open.game, open.at)
                  : treeLink(open.id, line),
            },
            better,
          ),
        ])
      : null,
    move.missed ? h('p.muted', 'The move before was a gift, and this one gives it back.') : null,
    move.only ? h('p.muted', 'Every other move that was looked at loses 20 % of the chances or more.') : null,
    ctx.state.shared
      ? null
      : h('div.actions.left', [
          link('.button', treeLink(open.id, before), 'Open in the tree'),
          button('', {
            label: open.deepened.has(open.at - 1) ? 'Is searched deeper' : 'Search it deeper',
            title: 'Search it deeper (d)',
            disabled: open.deepened.has(open.at - 1),
            run: () => run(ctx, ctrl.deepen(ctx, open)),
          }),
        ]),
  ]);
}

function momentsView(ctx: Ctx, open: OpenReview, review: Review, first: number): VNode {
  const moments = review.moves.map((move, i) => ({ move, at: i + 1 })).filter(({ move }) => isMoment(move));
  const lost = (move: ReviewedMove): string =>
    move.loss ? pawns(-Math.round(move.loss * 100)).slice(0, 5) : '';
  return h('section', { attrs: { 'aria-label': 'Moments' } }, [
    h('div.section-head', [
      h('h2', `Moments (${moments.length})`),
      countToFind(open) && !open.trying && !ctx.state.shared
        ? button('', {
            label: 'Find the better move',
            title: 'At each mistake, blunder and missed chance you play instead',
            testid: 'find',
            run: () => begin(ctx, open),
          })
        : null,
    ]),
    moments.length
      ? each('ol.review-moments', {}, moments, ({ move, at }) =>
          h('li', { key: at }, [
            h(
              'button',
              {
                attrs: {
                  type: 'button',
                  'data-testid': 'moment-row',
                  'data-kind': kindOf(move),
                  title: lost(move) && `${lost(move)} winning chances`,
                  ...(open.at === at && { 'aria-current': 'step' }),
                },
                on: { click: () => ctrl.walk(ctx, open, at) },
              },
              [
                h('i.sign'),
                h('strong', `${lineText(first + at - 1, [move.san])}${glyph(move)}`),
                h('span.muted', said(move)),
                h('span.num', `${text(move.best)} → ${text(move.score)}`),
              ],
            ),
          ]),
        )
      : h('p.muted', complete(review) ? 'None: nobody lost much in one move.' : 'None so far.'),
  ]);
}

function movesView(ctx: Ctx, open: OpenReview, review: Review, first: number): VNode {
  return h('section', { attrs: { 'aria-label': 'The moves' } }, [
    h('div.section-head', [h('h2', 'The moves')]),
    each('ol.crumbs.review-moves', {}, review.moves, (move, i) => {
      const number = moveNumber(first + i, i === 0);
      return h('li', { key: i }, [
        number ? h('span.number', number) : null,
        h(
          'button.crumb',
          {
            attrs: {
              type: 'button',
              'data-kind': kindOf(move),
              ...(open.at === i + 1 && { 'aria-current': 'step' }),
            },
            on: { click: () => ctrl.walk(ctx, open, i + 1) },
          },
          `${move.san}${glyph(move)}`,
        ),
      ]);
    }),
  ]);
}
