// A small line of the root score per settled depth, tinted where White is better and where Black is. The middle is 0.00;
// the scale grows in steps so that it does not wobble with every new value.
import { h, type VNode } from './dom';

const steps = [15, 30, 60, 120, 250, 500, 1000];

export function sparkline(values: readonly number[], width = 96, height = 28): VNode {
  const edge = steps.find(s => values.every(v => Math.abs(v) <= s)) ?? 1000;
  const x = (i: number): number =>
    values.length < 2 ? width - 4 : 3 + (i * (width - 7)) / (values.length - 1);
  const y = (v: number): number => height / 2 - (v / edge) * (height / 2 - 3);
  const points = (of: readonly number[]): string =>
    of.map((v, i) => `${x(i).toFixed(1)},${y(v).toFixed(1)}`).join(' ');
  const area = (side: 'white' | 'black'): VNode =>
    h('polygon', {
      attrs: {
        'data-side': side,
        points: `${x(0).toFixed(1)},${y(0)} ${points(values.map(v => (side === 'white' ? Math.max(v, 0) : Math.min(v, 0))))} ${x(values.length - 1).toFixed(1)},${y(0)}`,
      },
    });
  const last = values.at(-1);
  return h(
    'svg.sparkline',
    {
      attrs: {
        viewBox: `0 0 ${width} ${height}`,
        width,
        height,
        role: 'img',
        'aria-label': values.length
          ? `root score over ${values.length} settled depths, within ±${(edge / 100).toFixed(2)}`
          : 'no settled depth yet',
      },
    },
    [
      ...(values.length > 1 ? [area('white'), area('black')] : []),
      h('line.zero', { attrs: { x1: 0, x2: width, y1: height / 2, y2: height / 2 } }),
      ...(values.length > 1 ? [h('polyline', { attrs: { points: points(values) } })] : []),
      ...(last !== undefined
        ? [h('circle', { attrs: { cx: x(values.length - 1), cy: y(last), r: 2.4 } })]
        : []),
    ],
  );
}
