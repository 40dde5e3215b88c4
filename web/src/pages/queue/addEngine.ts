// Engines that the server finds installed: to add, or to take out. Its code comes when the list is first opened.
import { attempt, toast, type Ctx } from '../../ctx';
import { loadEngines } from '../../data/entities';
import type { InstalledEngines } from '../../data/types';
import { button, choice, each, h, type VNode } from '../../ui/dom';
import { plural } from '../../ui/format';

type Installed = InstalledEngines['installed'][number];

let processes = 1; // of the next one that is added

export async function toggle(ctx: Ctx): Promise<void> {
  const { queue } = ctx.state;
  if (queue.installed) {
    queue.installed = null;
    ctx.redraw();
    return;
  }
  await look(ctx);
}

// Each that was not heard before is started for it: the first time takes a moment.
async function look(ctx: Ctx): Promise<void> {
  const { queue } = ctx.state;
  queue.installed ??= 'looking';
  ctx.redraw();
  let found: InstalledEngines | null = null;
  await attempt(ctx, async () => {
    found = await ctx.api.installedEngines();
  });
  if (queue.installed) queue.installed = found; // else it was closed meanwhile
  ctx.redraw();
}

async function act(ctx: Ctx, name: string, call: () => Promise<unknown>, done: string): Promise<void> {
  const { queue } = ctx.state;
  if (queue.adding !== null) return;
  queue.adding = name;
  ctx.redraw();
  const worked = await attempt(ctx, call);
  queue.adding = null;
  if (!worked) return;
  toast(ctx, done);
  await Promise.all([loadEngines(ctx), look(ctx)]);
}

const add = (ctx: Ctx, { name }: Installed): Promise<void> =>
  act(ctx, name, () => ctx.api.addEngine(name, processes), `${name} is there: new analyses can choose it.`);

const takeOut = (ctx: Ctx, { name }: Installed): Promise<void> =>
  act(
    ctx,
    name,
    () => ctx.api.removeEngine(name),
    `${name} is stopped. What it found is kept; its analyses wait until it is added again.`,
  );

export function installedView(ctx: Ctx, installed: InstalledEngines | 'looking'): VNode {
  if (installed === 'looking')
    return h('p.muted', { attrs: { role: 'status' } }, 'Asking the installed engines who they are …');
  const { installed: all, most_processes: most } = installed;
  if (!all.length)
    return h(
      'p.muted',
      'No engine that the server knows by name is on its path. Install one, or write it into the configuration.',
    );
  const counts = Array.from({ length: most }, (_, i) => String(i + 1));
  return h('div', { attrs: { 'data-testid': 'installed' } }, [
    all.some(engine => engine.state === 'free') && most > 1
      ? h('label.add-count', { attrs: { for: 'add-processes' } }, [
          'Processes of one that is added',
          choice(
            { id: 'add-processes' },
            String(processes),
            counts.map(n => [n, n] as const),
            n => (processes = Number(n)),
          ),
        ])
      : null,
    each('ul', {}, all, engine => rowView(ctx, engine)),
  ]);
}

function rowView(ctx: Ctx, engine: Installed): VNode {
  const { name, identity, year, advice, problem, state } = engine;
  const busy = ctx.state.queue.adding !== null;
  return h('li.process', { key: name, attrs: { 'data-testid': 'installed-engine' } }, [
    h('div.process-line', [
      h('span.cut', { attrs: { title: identity ?? name } }, [
        h('strong', name),
        identity ? ` ${identity}` : '',
        year ? ` (${year})` : '',
      ]),
      state === 'configured'
        ? h('span.muted', 'configured')
        : state === 'added'
          ? button('.text', {
              label: 'Take out',
              attrs: { 'aria-label': `Take out ${name}` },
              disabled: busy,
              run: () => takeOut(ctx, engine),
            })
          : button('', {
              label: ctx.state.queue.adding === name ? 'Adding …' : 'Add',
              attrs: { 'aria-label': `Add ${name}` },
              disabled: busy || problem !== null,
              run: () => add(ctx, engine),
            }),
    ]),
    engine.processes ? h('div.process-line.muted', plural(engine.processes, 'process', 'processes')) : null,
    advice ? h('p.muted', advice) : null,
    problem ? h('p.error', problem) : null,
  ]);
}
