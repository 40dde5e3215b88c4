// A chart inside the virtual DOM. The drawing code comes when it is first needed.
import { run, type Ctx } from '../../../ctx';
import { h, type VNode } from '../../../ui/dom';
import type { Chart, Theme } from './chart';
import type { Series } from './series';

interface Held {
  chart: Chart | null;
  wanted: [Series, 'engine' | 'depth'];
  gone: boolean;
}
const held = new WeakMap<Node, Held>();

// The theme's colours as the canvas needs them: resolved.
function theme(element: HTMLElement): Theme {
  const read = (name: string): string => {
    const probe = document.createElement('i');
    probe.className = 'probe';
    probe.style.color = `var(${name})`;
    element.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  };
  return {
    ink: read('--ink'),
    muted: read('--muted'),
    line: read('--line'),
    colours: ['--accent', '--white-side', '--black-side', '--muted', '--ink'].map(read),
  };
}

function draw(element: HTMLElement, entry: Held): void {
  entry.chart?.update(entry.wanted[0], entry.wanted[1], theme(element));
}

export function chartView(
  ctx: Ctx,
  label: string,
  kind: 'scores' | 'evaluations',
  height: number,
  data: Series,
  axis: 'engine' | 'depth',
): VNode {
  return h(`div.chart.${kind}`, {
    key: kind,
    attrs: { role: 'img', 'aria-label': label },
    hook: {
      insert: vnode => {
        const element = vnode.elm as HTMLElement;
        const entry: Held = { chart: null, wanted: [data, axis], gone: false };
        held.set(element, entry);
        run(
          ctx,
          import('./chart').then(module => {
            if (entry.gone) return;
            entry.chart = new module.Chart(element, height, kind);
            draw(element, entry);
          }),
        );
      },
      postpatch: (_, vnode) => {
        const entry = held.get(vnode.elm!);
        if (!entry) return;
        entry.wanted = [data, axis];
        draw(vnode.elm as HTMLElement, entry);
      },
      destroy: vnode => {
        const entry = held.get(vnode.elm!);
        if (!entry) return;
        entry.gone = true;
        entry.chart?.destroy();
      },
    },
  });
}
