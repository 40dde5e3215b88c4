// What each engine process does now.
import { usePart } from '../../ui/part';
import type { Ctx } from '../../ctx';
import { isBuiltIn } from '../../data/builtIn';
import { percent, plural, speed } from '../../ui/format';
import { treeLink } from '../../router';
import type { Engine, EngineProcess, Machines } from '../../data/types';
import { button, each, h, link, type VNode } from '../../ui/dom';
import { addEngine } from './queueCtrl';
import { machinesView } from './machinesView';
import { webhooksView } from './webhooksView';
import { sigma, sigmaTitle } from '../../ui/noise';

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
      run: () => usePart(ctx, addEngine, part => part.toggle(ctx)),
    }),
    installed ? (addEngine.here?.installedView(ctx, installed) ?? null) : null,
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
    h(
      'div.bar',
      {
        attrs: {
          role: 'meter',
          'aria-label': `Process ${p.index + 1} busy`,
          'aria-valuenow': Math.round(p.busy * 100),
          'aria-valuemin': 0,
          'aria-valuemax': 100,
        },
      },
      [h('i', { style: { width: percent(Math.min(1, p.busy)) } })],
    ),
    problem
      ? h('p.process-line.error.small', problem)
      : h('div.process-line.muted.small', [
          h('span', `${percent(p.busy)} busy · ${plural(p.jobs, 'search', 'searches')}`),
          h('span', p.restarts ? plural(p.restarts, 'restart') : ''),
        ]),
  ]);
}
