// The game as a curve: White's winning chances after each move, with a mark at each moment; neutral where nothing was
// searched yet. Below it, where the game has clocks, what each side had left. It is a slider, too.
import { lineText } from '../../chess/chess';
import { winPercent, text, type Side } from '../../chess/score';
import type { Review, ReviewedMove, Score } from '../../data/types';
import { h, type VNode } from '../../ui/dom';
import { clockAt, secondsOf } from './games';
import { glyph, isMoment } from './reviewState';

const width = 600;
const height = 150;
const clocksHeight = 46;

// Of the position after so many moves.
export const scoreAt = (review: Review, at: number): Score | null =>
  at === 0 ? (review.moves[0]?.best ?? null) : (review.moves[at - 1]?.score ?? null);

export const kindOf = (move: ReviewedMove): string =>
  move.judgement ?? (move.missed ? 'missed' : move.only ? 'only' : '');

export function gameGraph(
  review: Review,
  clocks: readonly string[],
  at: number,
  firstPly: number,
  go: (at: number) => void,
): VNode {
  const n = review.moves.length;
  const x = (i: number): number => (n ? (i * width) / n : 0);
  const y = (score: Score): number => height - (winPercent(score) / 100) * height;
  const runs: [number, Score][][] = [[]];
  for (let i = 0; i <= n; i++) {
    const score = scoreAt(review, i);
    if (score) runs.at(-1)!.push([i, score]);
    else if (runs.at(-1)!.length) runs.push([]);
  }
  const here = scoreAt(review, at);
  const move = at > 0 ? lineText(firstPly + at - 1, [review.moves[at - 1]!.san]) : 'the start';
  const left = (side: Side): string => clockAt(clocks, at, firstOf(side, firstPly));
  const times = sides.filter(side => left(side)).map(side => `, ${side} has ${left(side)}`);
  const pick = (event: PointerEvent): void => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    go(Math.round(((event.clientX - box.left) / box.width) * n));
  };
  return h(
    'div.game-graph',
    {
      attrs: {
        role: 'slider',
        tabindex: 0,
        'aria-label': 'White’s winning chances over the game',
        'aria-orientation': 'horizontal',
        'aria-valuemin': 0,
        'aria-valuemax': n,
        'aria-valuenow': at,
        'aria-valuetext': `${move}, ${text(here)}${times.join('')}`,
        'data-testid': 'game-graph',
      },
      on: {
        pointerdown: event => {
          (event.currentTarget as Element).setPointerCapture(event.pointerId);
          pick(event);
        },
        pointermove: event => {
          if ((event.currentTarget as Element).hasPointerCapture(event.pointerId)) pick(event);
        },
      },
    },
    [
      h(
        'svg',
        { attrs: { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: 'none', 'aria-hidden': 'true' } },
        [
          ...runs
            .filter(run => run.length)
            .flatMap(run => {
              const [first, last] = [run[0]!, run.at(-1)!];
              // Half a ply on either side belongs to a position, so that a single one is seen, too.
              const from = Math.max(0, x(first[0] - 0.5));
              const to = Math.min(width, x(last[0] + 0.5));
              const points = [
                `${from.toFixed(1)},${y(first[1]).toFixed(1)}`,
                ...run.map(([i, score]) => `${x(i).toFixed(1)},${y(score).toFixed(1)}`),
                `${to.toFixed(1)},${y(last[1]).toFixed(1)}`,
              ].join(' ');
              return [
                h('rect.blacks', { attrs: { x: from, y: 0, width: to - from, height } }),
                h('polygon', { attrs: { points: `${from},${height} ${points} ${to},${height}` } }),
                h('polyline', { attrs: { points } }),
              ];
            }),
          h('line.zero', { attrs: { x1: 0, x2: width, y1: height / 2, y2: height / 2 } }),
          h('line.now', { attrs: { x1: x(at), x2: x(at), y1: 0, y2: height } }),
        ],
      ),
      h(
        'div.moment-marks',
        { attrs: { 'aria-hidden': 'true' } },
        review.moves.flatMap((one, i) =>
          isMoment(one) && one.score
            ? [
                h('i', {
                  key: i,
                  attrs: {
                    'data-kind': kindOf(one),
                    title: `${lineText(firstPly + i, [one.san])}${glyph(one)}`,
                  },
                  style: {
                    left: `${((x(i + 1) / width) * 100).toFixed(2)}%`,
                    top: `${((y(one.score) / height) * 100).toFixed(2)}%`,
                  },
                }),
              ]
            : [],
        ),
      ),
      clocks.some(Boolean) ? clocksView(clocks, n, at, firstPly) : null,
    ],
  );
}

const sides: readonly Side[] = ['white', 'black'];

// The first ply of the side among the moves: 0 or 1.
const firstOf = (side: Side, firstPly: number): 0 | 1 =>
  (side === 'white') === (firstPly % 2 === 0) ? 0 : 1;

function clocksView(clocks: readonly string[], n: number, at: number, firstPly: number): VNode {
  const seconds = clocks.map(secondsOf);
  const most = Math.max(1, ...seconds.filter(Number.isFinite));
  const longest = clocks[seconds.indexOf(most)] ?? '';
  const x = (i: number): number => (n ? (i * width) / n : 0);
  const curve = (side: Side): VNode => {
    const points = seconds.flatMap((time, i) =>
      i % 2 === firstOf(side, firstPly) && Number.isFinite(time)
        ? [`${x(i + 1).toFixed(1)},${(clocksHeight - 2 - (time / most) * (clocksHeight - 4)).toFixed(1)}`]
        : [],
    );
    return h(`polyline.${side}`, { attrs: { points: points.join(' ') } });
  };
  return h('div.game-clocks', { attrs: { 'data-testid': 'clocks' } }, [
    h(
      'svg',
      {
        attrs: {
          viewBox: `0 0 ${width} ${clocksHeight}`,
          preserveAspectRatio: 'none',
          'aria-hidden': 'true',
        },
      },
      [...sides.map(curve), h('line.now', { attrs: { x1: x(at), x2: x(at), y1: 0, y2: clocksHeight } })],
    ),
    h('span.most', { attrs: { 'aria-hidden': 'true' } }, longest),
  ]);
}
