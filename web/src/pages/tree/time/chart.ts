// uPlot charts, loaded when the tab is first opened. Series differ by dash as well as by colour.
import uPlot from 'uplot';
import { span } from '../../../ui/format';
import { pawns } from '../../../chess/score';
import type { Series } from './series';

export interface Theme {
  ink: string;
  muted: string;
  line: string;
  colours: string[];
}

const dashes: (number[] | undefined)[] = [undefined, [8, 4], [2, 3], [10, 3, 2, 3], [5, 2]];

// A moment on an axis whose marks are `step` seconds apart.
const seconds = (v: number, step: number): string => (step < 1 ? `${v.toFixed(1)} s` : span(v));

const labelGap = 14; // px from one label to the next

// The names of the lines at their ends, none above another.
function nameLines(plot: uPlot, colours: readonly string[]): void {
  const { ctx: canvas, bbox } = plot;
  const ratio = window.devicePixelRatio || 1;
  const ends = plot.series.slice(1).flatMap((one, i) => {
    const last = [...(plot.data[i + 1] ?? [])].filter(v => v !== null && v !== undefined).at(-1);
    return last === undefined ? [] : [{ name: String(one.label), y: plot.valToPos(last, 'y', true), i }];
  });
  canvas.save();
  canvas.font = `600 ${12 * ratio}px "IBM Plex Sans", system-ui, sans-serif`;
  canvas.textAlign = 'left';
  canvas.textBaseline = 'middle';
  let least = -Infinity;
  for (const { name, y, i } of ends.sort((a, b) => a.y - b.y)) {
    least = Math.max(y, least + labelGap * ratio);
    canvas.fillStyle = colours[i] ?? colours[0]!;
    canvas.fillText(name, bbox.left + bbox.width + 6 * ratio, least);
  }
  canvas.restore();
}

function axes(theme: Theme, axis: 'engine' | 'depth', left: (v: number) => string): uPlot.Axis[] {
  const common = {
    stroke: theme.muted,
    font: '12px "IBM Plex Sans", system-ui, sans-serif',
    grid: { stroke: theme.line, width: 1 },
    ticks: { show: false },
  };
  return [
    {
      ...common,
      size: 30,
      space: 90,
      values: (_, values, _axis, _space, step) =>
        values.map(v => (axis === 'engine' ? seconds(v, step) : Number.isInteger(v) ? String(v) : '')),
    },
    { ...common, size: 56, space: 44, values: (_, values) => values.map(v => left(v)) },
  ];
}

// The legend tells the newest values while nobody points at others.
function tellLast(plot: uPlot): void {
  if (plot.cursor.idx === null || plot.cursor.idx === undefined)
    plot.setLegend({ idx: plot.data[0].length - 1 }, false);
}

export class Chart {
  private plot: uPlot | null = null;
  private key = '';
  private readonly observer: ResizeObserver;

  constructor(
    private readonly element: HTMLElement,
    private readonly height: number,
    private readonly kind: 'scores' | 'evaluations',
  ) {
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(element);
  }

  destroy(): void {
    this.observer.disconnect();
    this.plot?.destroy();
  }

  private resize(): void {
    const width = this.element.clientWidth;
    if (this.plot && width) this.plot.setSize({ width, height: this.height });
  }

  update(data: Series, axis: 'engine' | 'depth', theme: Theme): void {
    const columns = this.kind === 'scores' ? [data.x, ...data.values] : [data.x, data.evaluations];
    const key = JSON.stringify([data.names, axis, theme]);
    if (this.plot && key === this.key) {
      this.plot.setData(columns as uPlot.AlignedData);
      tellLast(this.plot);
      return;
    }
    this.key = key;
    this.plot?.destroy();
    const scores = this.kind === 'scores';
    const names = scores ? data.names : ['Evaluations it rests on'];
    this.plot = new uPlot(
      {
        width: this.element.clientWidth || 400,
        height: this.height,
        scales: { x: { time: false } },
        cursor: { points: { size: 7 } },
        legend: { live: true },
        padding: [null, scores ? 52 : null, null, null],
        hooks: {
          ready: [tellLast],
          setCursor: [tellLast],
          draw: scores ? [plot => nameLines(plot, theme.colours)] : [],
        },
        axes: axes(theme, axis, v => (scores ? pawns(Math.round(v * 100)) : String(v))),
        series: [
          {
            label: axis === 'engine' ? 'Engine time' : 'Depth',
            value: (_, v) => (v === null ? '–' : axis === 'engine' ? span(v) : String(v)),
          },
          ...names.map(
            (label, i): uPlot.Series => ({
              label,
              stroke: theme.colours[i] ?? theme.ink,
              width: i === 0 ? 2.5 : 1.5,
              ...(dashes[i] && { dash: dashes[i] }),
              points: { show: data.x.length < 40, size: i === 0 ? 6 : 4 },
              spanGaps: true,
              value: (_, v) => (v === null ? '–' : scores ? pawns(Math.round(v * 100)) : String(v)),
            }),
          ),
        ],
      },
      columns as uPlot.AlignedData,
      this.element,
    );
  }
}
