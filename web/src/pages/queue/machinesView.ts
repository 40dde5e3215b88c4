// Machines that help with their engines, and those that were refused.
import { run, type Ctx } from '../../ctx';
import { count, percent, plural, span, speed } from '../../ui/format';
import type { Machine, Machines } from '../../data/types';
import { button, each, h, type VNode } from '../../ui/dom';
import * as ctrl from './queueCtrl';

export function machinesView(ctx: Ctx, machines: Machines | null): VNode | null {
  if (!machines || (!machines.machines.length && !machines.refusals.length)) return null;
  return h('section.engine.machines', { key: 'machines', attrs: { 'aria-label': 'Machines' } }, [
    h('header', [h('h3', 'Machines'), h('span.muted', summary(machines.machines))]),
    each('ul', {}, machines.machines, machine => machineView(ctx, machine)),
    ...machines.refusals.map(refused =>
      h('p.error', { attrs: { 'data-testid': 'refused' } }, `${refused.name} is refused: ${refused.reason}`),
    ),
  ]);
}

const processes = (machine: Machine): number =>
  machine.profiles.reduce((sum, profile) => sum + profile.processes, 0);

const present = (machine: Machine): boolean => machine.state !== 'away';

function summary(machines: readonly Machine[]): string {
  return plural(
    machines.filter(present).reduce((sum, machine) => sum + processes(machine), 0),
    'process',
    'processes',
  );
}

// Of all its processes.
const busy = (machine: Machine): number =>
  machine.profiles.reduce((sum, profile) => sum + profile.busy * profile.processes, 0) /
  Math.max(1, processes(machine));

const states: Record<Machine['state'], string> = {
  working: 'searching',
  idle: 'idle',
  draining: 'finishing',
  drained: 'at rest',
  away: 'away',
};

function machineView(ctx: Ctx, machine: Machine): VNode {
  const nps = machine.profiles.reduce((sum, profile) => sum + profile.nps, 0);
  const resting = machine.state === 'draining' || machine.state === 'drained';
  const { compared } = machine;
  return h(
    'li.process',
    {
      key: machine.id,
      attrs: {
        'data-state': machine.state === 'working' ? 'searching' : machine.state,
        'data-testid': 'machine',
      },
    },
    [
      h('div.process-line', [
        h('span.process-state', [h('i.sign'), states[machine.state]]),
        h('strong.cut', machine.name),
        h('span.num', present(machine) && nps ? speed(nps) : ''),
      ]),
      h('div.process-line.muted', [
        h('span', plural(processes(machine), 'process', 'processes')),
        h(
          'span',
          present(machine)
            ? `${percent(busy(machine))} busy`
            : `not heard of for ${span(machine.silent_seconds)}`,
        ),
      ]),
      h('div.process-line.muted.small', [
        h('span', [`${count(machine.answered)} answered`, machine.late ? ` · ${machine.late} late` : '']),
        button('.text', {
          label: resting ? 'Go on' : 'Drain',
          attrs: { 'aria-label': resting ? `Go on with ${machine.name}` : `Drain ${machine.name}` },
          title: resting ? 'Give it questions again' : 'It finishes what it has, and gets nothing more',
          run: () => run(ctx, ctrl.drain(ctx, machine, !resting)),
        }),
      ]),
      compared.different
        ? h(
            'p.error',
            {
              attrs: {
                title: 'Answers that were searched again on the server; more than twice the noise apart',
              },
            },
            `${compared.different} of ${plural(compared.answers, 'answer')} differ here; ${Math.round(compared.mean_cp)} cp on average`,
          )
        : null,
      machine.refused
        ? h('p.error', `${plural(machine.refused, 'answer')} refused: ${machine.last_refusal ?? ''}`)
        : null,
    ],
  );
}
