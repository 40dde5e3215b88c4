// What each engine process does now.
import { usePart } from '../../ui/part';
import { type Ctx, run } from '../../ctx';
import { isBuiltIn } from '../../data/builtIn';
import { percent, plural, speed, count, span } from '../../ui/format';
import { treeLink } from '../../router';
import type { Engine, EngineProcess, Machines, Machine } from '../../data/types';
import { button, each, h, link, type VNode, bar } from '../../ui/dom';
import { sigma, sigmaTitle } from '../../ui/noise';
import * as ctrl from './queueCtrl';

// Machines that help with their engines, and those that were refused.
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
  const all = machines.filter(present).reduce((sum, machine) => sum + processes(machine), 0);
  return plural(all, 'process', 'processes');
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
  const { compared, state } = machine;
  const resting = state === 'draining' || state === 'drained';
  return h(
    'li.process',
    {
      key: machine.id,
      attrs: { 'data-state': state === 'working' ? 'searching' : state, 'data-testid': 'machine' },
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

// Addresses that the server tells what happened: by name, with a test. There are none unless the configuration has some.
export function webhooksView(ctx: Ctx): VNode | null {
  const { webhooks, tests } = ctx.state.queue;
  if (!webhooks.length) return null;
  const testing = tests === 'testing';
  return h('section.engine.webhooks', { key: 'webhooks', attrs: { 'aria-label': 'Webhooks' } }, [
    h('header', [h('h3', 'Webhooks')]),
    each('ul', {}, webhooks, hook =>
      h('li.process', { key: hook.name, attrs: { 'data-testid': 'webhook' } }, [
        h('div.process-line', [h('strong.cut', hook.name), h('span.muted', `${hook.sent} sent`)]),
        hook.problem
          ? h('p.error', hook.lost ? `${hook.problem}; ${plural(hook.lost, 'message')} lost` : hook.problem)
          : null,
      ]),
    ),
    h('p', [
      button('', {
        label: testing ? 'Testing …' : 'Test the webhooks',
        disabled: testing,
        run: () => run(ctx, ctrl.testWebhooks(ctx)),
      }),
    ]),
    h(
      'div',
      { attrs: { role: 'status', 'data-testid': 'webhook-tests' } },
      tests && !testing
        ? tests.map(test =>
            h(
              test.problem ? 'p.error' : 'p.muted',
              test.problem
                ? `${test.name}: ${test.problem}`
                : `${test.name} took the test (${test.status}, ${test.milliseconds} ms).`,
            ),
          )
        : [],
    ),
  ]);
}

export function enginesView(ctx: Ctx, engines: readonly Engine[], machines: Machines | null): VNode {
  return h('aside.engines', { attrs: { 'aria-label': 'Engines' } }, [
    h('h2', 'Engines'),
    ...engines.map(engine =>
      h('section.engine', { key: engine.name }, [
        h('header', [h('h3', engine.identity?.name ?? engine.name), h('span.muted', options(engine))]),
        // in one place, so that a problem that comes later moves nothing
        engine.problem ? h('p.noise.error.small', engine.problem) : noise(engine),
        isBuiltIn(engine) && engine.default
          ? h('p.built-in', { attrs: { 'data-testid': 'built-in' } }, builtIn)
          : null,
        each('ul', {}, engine.processes, p => processView(ctx, p)),
      ]),
    ),
    machinesView(ctx, machines),
    webhooksView(ctx),
    addView(ctx), // the last: its list moves nothing
  ]);
}

// Its strength: docs/measurements/benchmarks.md.
const builtIn =
  'No other engine is installed, so the built-in one answers, far weaker than Stockfish (about 1900 Elo in a twentieth of a second): ' +
  'for better answers install Stockfish (Debian: apt install stockfish) and start the server again.';

// What the button opens is a part of its own.
function addView(ctx: Ctx): VNode {
  const { installed } = ctx.state.queue;
  return h('section.engine.add-engine', { key: 'add', attrs: { 'aria-label': 'Add an engine' } }, [
    button('', {
      label: installed ? 'Close the list' : 'Add an engine…',
      testid: 'add-engine',
      attrs: { 'aria-expanded': String(installed !== null) },
      run: () => usePart(ctx, ctrl.addEngine, part => part.toggle(ctx)),
    }),
    installed ? (ctrl.addEngine.here?.installedView(ctx, installed) ?? null) : null,
  ]);
}

const noise = (engine: Engine): VNode =>
  h(
    'p.noise.muted.small',
    { attrs: { title: sigmaTitle(engine), 'data-testid': 'noise' } },
    engine.noise
      ? [`Noise ${sigma(engine)}`, ` · ${plural(engine.noise.pairs, 'pair')}`]
      : 'Noise not measured yet',
  );

function options(engine: Engine): string {
  const shown = ['Threads', 'Hash'].flatMap(name => {
    const value = engine.identity?.options[name];
    return value === undefined ? [] : `${name} ${value}`;
  });
  return shown.join(' · ');
}

function processView(ctx: Ctx, p: EngineProcess): VNode {
  const searching = p.state === 'searching'; // else depth and speed are of the search before
  const died = `died ${plural(p.deaths_last_minute, 'time')} in the last minute; it comes back ever more slowly`;
  const problem = [p.unstable ? died : '', p.problem ?? ''].filter(Boolean).join(': ');
  const analysis = p.analysis === null ? null : ctx.state.store.analyses.get(p.analysis);
  return h('li.process', { key: p.index, attrs: { 'data-state': p.state, 'data-testid': 'process' } }, [
    h('div.process-line', [
      h('span.process-state', [h('i.sign'), p.state]),
      analysis ? link('.cut', treeLink(analysis.id), analysis.name) : h('span.muted', ''),
      h('span.num', searching && p.nps ? speed(p.nps) : ''),
    ]),
    h('div.process-line.muted', [
      h('span.cut', p.line?.length ? p.line.join(' ') : searching ? 'the root' : ''),
      h('span.num', searching && p.depth ? `depth ${p.depth}` : ''),
    ]),
    bar('meter', `Process ${p.index + 1} busy`, p.busy),
    problem
      ? h('p.process-line.error.small', problem)
      : h('div.process-line.muted.small', [
          h('span', `${percent(p.busy)} busy · ${plural(p.jobs, 'search', 'searches')}`),
          h('span', p.restarts ? plural(p.restarts, 'restart') : ''),
        ]),
  ]);
}
