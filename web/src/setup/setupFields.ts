// The fields of the form of an analysis: how to search, how long, when. The same for a new one and in settings.
import { choices, limits } from '../data/described';
import type { StrategyKind, Engine } from '../data/types';
import { checkbox, h, input, segments, type Child, type VNode, inputField, choiceField } from '../ui/dom';
import type { LimitKind, PlanMode, Setup, TextKey } from './setupState';
import { strategyText } from './strategies';
import { leadHint } from '../ui/noise';
import type { Ctx } from '../ctx';

// One form on the page: whose fields, and what a change of them does.
interface Form {
  setup: Setup;
  prefix: string; // of the ids of its fields
  engines: readonly Engine[];
  zone: string | null; // of the server's hours
  set(fields: Partial<Setup>): void;
}

export const formOf = (ctx: Ctx, prefix: string, setup: Setup): Form => ({
  setup,
  prefix,
  engines: ctx.state.store.engines.all(),
  zone: ctx.state.zone,
  set: fields => {
    Object.assign(setup, fields, { errors: {} });
    ctx.redraw();
  },
});

// A field of text; `name` is where the server's errors of it stand.
function textField(
  form: Form,
  name: string,
  label: string,
  key: TextKey,
  attrs: Record<string, string | number> = {},
  hint?: string,
): VNode {
  return inputField(
    { id: form.prefix + name, label, error: form.setup.errors[name], ...(hint !== undefined && { hint }) },
    { autocomplete: 'off', ...attrs },
    form.setup[key],
    text => form.set({ [key]: text }),
  );
}

// Fields for windows ply by ply, and for when an analysis may end before its last level.
const modes: [PlanMode, string][] = [
  ['none', 'By distance'],
  ['plies', 'Ply by ply'],
];

// Only of strategies with windows.
function planFields(form: Form): Child[] {
  const { planMode } = form.setup;
  const attrs = { spellcheck: 'false', placeholder: '40, 40, 20, 10' };
  const hint = 'cp behind the best, ply by ply. The last one goes on.';
  return [
    h('div.labelled', [
      h('span.muted.small', { attrs: { 'aria-hidden': 'true' } }, 'Windows'),
      segments('Windows', planMode, modes, mode => form.set({ planMode: mode })),
    ]),
    planMode === 'plies' ? textField(form, 'strategy.plan', 'Plan', 'plan', attrs, hint) : null,
  ];
}

function stopFields(form: Form): VNode {
  const { setup, engines } = form;
  const engine = engines.find(e => (setup.engine ? e.name === setup.engine : e.default)) ?? null;
  const hint = leadHint(engine, Number(setup.stopLead));
  return h('div.stop-rules', { attrs: { role: 'group', 'aria-label': 'Ends early at' } }, [
    h('h2.minor', 'Ends early at'),
    checkbox(`${form.prefix}stop.proven`, 'Proven result, such as a mate', setup.stopProven, stopProven =>
      form.set({ stopProven }),
    ),
    h('div.fields', [
      textField(form, 'stop.lead', 'Best move leads by (σ)', 'stopLead', {
        inputmode: 'decimal',
        placeholder: 'never',
      }),
      textField(form, 'stop.levels', 'On levels in a row', 'stopLevels', { inputmode: 'numeric' }),
    ]),
    hint ? h('p.muted.small', { attrs: { 'data-testid': 'noise' } }, hint) : null,
  ]);
}

export const nameField = (form: Form, placeholder: string): VNode =>
  textField(form, 'name', 'Name', 'name', { maxlength: limits.name[1], ...(placeholder && { placeholder }) });

const limitKinds: [LimitKind, string, string, string][] = [
  ['depth', 'Depth', 'Depth', '12'],
  ['nodes', 'Nodes', 'Nodes', '500000'],
  ['movetime_ms', 'Time', 'Milliseconds', '1000'],
];

const numeric = { inputmode: 'numeric' };

export function engineField(form: Form): VNode | null {
  const { engines, setup } = form;
  if (engines.length < 2) return null;
  return choiceField(
    { id: `${form.prefix}engine`, label: 'Engine', error: setup.errors['engine'] },
    setup.engine ?? engines.find(e => e.default)?.name ?? '',
    engines.map(e => [e.name, e.identity ? `${e.name} (${e.identity.name})` : e.name] as const),
    engine => form.set({ engine }),
  );
}

// Whoever else is asked; one that the configuration has no more is shown, too.
function secondField(form: Form): VNode | null {
  const { engines, setup } = form;
  if (engines.length < 2 && !setup.secondEngine) return null;
  const own = setup.engine ?? engines.find(e => e.default)?.name;
  const names = new Set([...engines.map(e => e.name), setup.secondEngine].filter(n => n && n !== own));
  return choiceField(
    {
      id: `${form.prefix}second_engine`,
      label: 'Second engine',
      error: setup.errors['second_engine'],
      hint: 'Asked about what the answer rests on; where it disagrees is told. It changes no value.',
    },
    setup.secondEngine,
    [['', 'none'], ...[...names].map(name => [name, name] as const)],
    secondEngine => form.set({ secondEngine }),
  );
}

// `hint`: what a change of the strategy means, before what it does.
export function searchFields(form: Form, hint = ''): Child[] {
  const { setup } = form;
  const kinds = [...new Set([...choices.strategies, setup.strategy])]; // it may be of a newer server
  const text = strategyText(setup.strategy);
  const [, , unit] = limitKinds.find(([kind]) => kind === setup.limitKind)!;
  return [
    h('div.field-row', [
      segments(
        'Limit of each search',
        setup.limitKind,
        limitKinds.map(([kind, label]) => [kind, label] as const),
        limitKind => form.set({ limitKind, limitValue: limitKinds.find(([kind]) => kind === limitKind)![3] }),
      ),
      textField(form, 'limit', unit, 'limitValue', numeric),
    ]),
    choiceField(
      {
        id: `${form.prefix}strategy.kind`,
        label: 'Strategy',
        error: setup.errors['strategy.kind'],
        hint: [text.hint, hint].filter(Boolean).join(' '),
      },
      setup.strategy,
      kinds.map(kind => [kind, strategyText(kind).name] as const),
      strategy => form.set({ strategy: strategy as StrategyKind, strategyMore: {} }),
    ),
    h('div.fields', [
      textField(form, 'strategy.move_distance', 'Move distance (cp)', 'distance', numeric),
      textField(
        form,
        'strategy.refine',
        text.windowed ? 'Depth of the tree (plies)' : 'Levels',
        'refine',
        numeric,
        'empty: without end',
      ),
      text.floor && setup.planMode === 'none'
        ? textField(form, 'strategy.floor', 'Narrowest window (cp)', 'floor', numeric)
        : null,
    ]),
    ...(text.windowed ? planFields(form) : []),
    secondField(form),
    stopFields(form),
  ];
}

export function budgetFields(form: Form): Child[] {
  const { setup, prefix } = form;
  const none = { ...numeric, placeholder: 'no limit' };
  const clock = (label: string, key: 'windowFrom' | 'windowTo'): VNode =>
    input(
      { 'aria-label': label, disabled: !setup.windowOn, inputmode: 'numeric', maxlength: 5, size: 5 },
      setup[key],
      text => form.set({ [key]: text }),
    );
  const error = (name: string): VNode | null =>
    setup.errors[name]
      ? h('p.error', { attrs: { id: `${prefix}${name}-error`, role: 'alert' } }, setup.errors[name])
      : null;
  return [
    h('div.fields', [
      textField(form, 'budget.positions', 'Positions', 'positions', none),
      textField(form, 'budget.nodes', 'Engine nodes', 'totalNodes', none),
      textField(form, 'budget.engine_seconds', 'Engine minutes', 'engineMinutes', {
        ...none,
        inputmode: 'decimal',
      }),
      textField(form, 'budget.until', 'Until', 'until', { type: 'datetime-local' }),
      textField(form, 'priority', 'Priority', 'priority', {
        type: 'number',
        min: limits.priority[0],
        max: limits.priority[1],
      }),
    ]),
    h('div.window-row', { class: { wrong: Boolean(setup.errors['window']) } }, [
      checkbox(
        `${prefix}window`,
        `Only at these hours (${form.zone ?? 'of the server'})`,
        setup.windowOn,
        windowOn => form.set({ windowOn }),
      ),
      clock('From', 'windowFrom'),
      h('span', 'to'),
      clock('To', 'windowTo'),
    ]),
    error('window'),
    checkbox(
      `${prefix}fifty-moves`,
      'Draws by the fifty-move rule (correspondence players may play without it)',
      setup.fiftyMoves,
      fiftyMoves => form.set({ fiftyMoves }),
    ),
  ];
}
