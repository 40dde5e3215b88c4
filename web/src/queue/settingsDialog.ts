// Settings of one analysis: name, goal, budget, window, priority. Saved together.
import { ApiError } from '../api';
import { run } from '../ctx';
import type { Ctx } from '../ctx';
import { toLocalInput } from '../format';
import { planText, sidesOf } from '../plan';
import type { Plan } from '../plan';
import { readNumber, readPlanFields, readStop, readUntil, readWindow } from '../rules';
import type { Errors } from '../rules';
import type { Analysis, AnalysisPatch, Limit } from '../types';
import { strategyText } from '../create/strategies';
import { dialog } from '../ui/dialog';
import { button, field, h } from '../ui/dom';
import type { VNode } from '../ui/dom';
import { leadHint } from './noise';
import { engineOf, putAnalysis } from './queueState';
import { settingsTarget } from './queueCtrl';

function limitOf(limit: Limit): [keyof Limit, number] {
  if (limit.nodes !== undefined) return ['nodes', limit.nodes];
  if (limit.movetime_ms !== undefined) return ['movetime_ms', limit.movetime_ms];
  return ['depth', limit.depth ?? 12];
}

const limitNames: Record<keyof Limit, string> = {
  depth: 'Engine depth',
  nodes: 'Nodes a search',
  movetime_ms: 'Milliseconds a search',
};

// The fields' texts: the plan of both sides, or White's and Black's.
function plansOf({ strategy: { plan } }: Analysis): [white: string, black: string] {
  if (!plan) return ['', ''];
  const [white, black] = sidesOf(plan).map(planText) as [string, string];
  return [white, Array.isArray(plan) ? '' : black];
}

// Nothing where it stays as it is, or where the strategy has no windows.
function readPlans(errors: Errors, a: Analysis, kind: string, white: string, black: string): { plan?: Plan } {
  const [whiteBefore, blackBefore] = plansOf(a);
  const same = kind === a.strategy.kind && white === whiteBefore && black === blackBefore;
  if (same || !strategyText(kind).windowed) return {};
  const mode = black ? 'sides' : white ? 'both' : 'none';
  return { plan: readPlanFields(errors, mode, white, black) ?? [] };
}

// Reads the form; an empty field of the budget means "none". What is wrong goes to `errors`.
function read(form: HTMLFormElement, a: Analysis, errors: Errors): AnalysisPatch {
  const data = new FormData(form);
  const text = (name: string): string => String(data.get(name) ?? '').trim();
  const [limitKind] = limitOf(a.limit);
  const positions = readNumber(errors, 'budget.positions', text('positions'), null);
  const nodes = readNumber(errors, 'budget.nodes', text('nodes'), null);
  const minutes = readNumber(errors, 'budget.engine_seconds', text('minutes'), null);
  const until = readUntil(errors, text('until'));
  if (!text('name')) errors['name'] = 'A name is needed.';
  const [from = '', to = ''] = text('window').split(/\s*[-–]\s*/);
  return {
    name: text('name'),
    limit: { [limitKind]: readNumber(errors, `limit.${limitKind}`, text('limit'))! },
    strategy: {
      kind: text('kind') || a.strategy.kind,
      ...readPlans(errors, a, text('kind') || a.strategy.kind, text('plan'), text('plan-black')),
      move_distance: readNumber(errors, 'strategy.move_distance', text('distance'))!,
      refine: readNumber(errors, 'strategy.refine', text('refine'), 0),
      floor: readNumber(errors, 'strategy.floor', text('floor'), 0),
    },
    budget: {
      ...(positions !== null && { positions }),
      ...(nodes !== null && { nodes }),
      ...(minutes !== null && { engine_seconds: minutes * 60 }),
      ...(until !== null && { until }),
    },
    stop: readStop(errors, data.has('proven'), text('lead'), text('levels')),
    window: text('window') ? readWindow(errors, from, to) : null,
    priority: readNumber(errors, 'priority', text('priority'), 0),
  };
}

async function submit(ctx: Ctx, a: Analysis, form: HTMLFormElement, close: () => void): Promise<void> {
  const { queue } = ctx.state;
  queue.settingsErrors = {};
  const patch = read(form, a, queue.settingsErrors);
  if (Object.keys(queue.settingsErrors).length) {
    ctx.redraw();
    return;
  }
  try {
    const saved = await ctx.api.patch(a.id, patch);
    putAnalysis(queue, saved);
    if (ctx.state.tree?.id === a.id) ctx.state.tree.analysis = saved;
    close();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    queue.settingsErrors = { [error.where]: error.message };
  }
  ctx.redraw();
}

export function settingsDialog(ctx: Ctx, closeDialog: () => void): VNode | null {
  const a = settingsTarget(ctx);
  if (!a) return null;
  const errors = ctx.state.queue.settingsErrors;
  const close = (): void => {
    ctx.state.queue.settingsErrors = {};
    ctx.state.queue.settings = null;
    closeDialog();
  };
  const [kind, amount] = limitOf(a.limit);
  // The fields keep what was typed: they get their value once, when the dialog opens.
  const text = (
    name: string,
    label: string,
    value: string | number,
    where: string,
    attrs: Record<string, string | number | boolean> = {},
    hint?: string,
  ): VNode =>
    field({
      id: `settings-${name}`,
      label,
      error: errors[where],
      ...(hint !== undefined && { hint }),
      control: own =>
        h('input', {
          attrs: { ...own, name, autocomplete: 'off', ...attrs },
          hook: { insert: vnode => ((vnode.elm as HTMLInputElement).value = String(value)) },
        }),
    });
  const number = { type: 'number', min: 0, inputmode: 'numeric' };
  const plan = { spellcheck: 'false', placeholder: '40, 40, 3:20' };
  const [white, black] = plansOf(a);
  const noise = leadHint(engineOf(ctx.state.queue, a.engine), a.stop?.lead ?? 0);
  const unplaced = Object.entries(errors).find(([where]) => !known.has(where));
  return dialog('.settings', `Settings of ${a.name}`, close, [
    h(
      'form',
      {
        attrs: { novalidate: true },
        on: {
          submit: event => {
            event.preventDefault();
            run(ctx, submit(ctx, a, event.target as HTMLFormElement, close));
          },
        },
      },
      [
        text('name', 'Name', a.name, 'name', { required: true, maxlength: 200 }),
        field({
          id: 'settings-kind',
          label: 'Strategy',
          error: errors['strategy.kind'],
          hint: 'Another one goes on with all that is known.',
          control: own =>
            h(
              'select',
              { attrs: { ...own, name: 'kind' } },
              [...new Set([...ctx.state.offers.strategies, a.strategy.kind])].map(kind =>
                h(
                  'option',
                  {
                    key: kind,
                    attrs: { value: kind },
                    hook: {
                      insert: vnode => ((vnode.elm as HTMLOptionElement).selected = kind === a.strategy.kind),
                    },
                  },
                  strategyText(kind).name,
                ),
              ),
            ),
        }),
        h('div.fields', [
          text('limit', limitNames[kind], amount, `limit.${kind}`, { ...number, min: 1 }),
          text('distance', 'Move distance (cp)', a.strategy.move_distance, 'strategy.move_distance', number),
          text(
            'refine',
            'Depth of the tree',
            a.strategy.refine,
            'strategy.refine',
            number,
            '0: goes on without end',
          ),
          text('floor', 'Narrowest window (cp)', a.strategy.floor ?? '', 'strategy.floor', number),
        ]),
        strategyText(a.strategy.kind).windowed
          ? h('div.fields', [
              text('plan', 'Windows ply by ply', white, 'strategy.plan', plan, 'empty: from the distance'),
              text('plan-black', 'Where Black moves', black, 'strategy.plan.black', plan, 'empty: the same'),
            ])
          : null,
        h('div.fields', [
          text(
            'lead',
            'Ends when the lead is (σ)',
            a.stop?.lead || '',
            'stop.lead',
            { inputmode: 'decimal', placeholder: 'never' },
            noise,
          ),
          text('levels', 'On levels in a row', a.stop?.levels ?? 2, 'stop.levels', { ...number, min: 1 }),
        ]),
        proven(a),
        h('div.fields', [
          text('positions', 'At most positions', a.budget.positions ?? '', 'budget.positions', number),
          text('nodes', 'Engine nodes', a.budget.nodes ?? '', 'budget.nodes', number),
          text(
            'minutes',
            'Engine minutes',
            a.budget.engine_seconds ? Math.round(a.budget.engine_seconds / 60) : '',
            'budget.engine_seconds',
            number,
          ),
          text('until', 'Until', a.budget.until ? toLocalInput(a.budget.until) : '', 'budget.until', {
            type: 'datetime-local',
          }),
          text('window', 'Hours of the day', a.window ?? '', 'window', { placeholder: '22:00-07:00' }),
          text('priority', 'Priority', a.priority, 'priority', { type: 'number', inputmode: 'numeric' }),
        ]),
        unplaced ? h('p.error', { attrs: { role: 'alert' } }, unplaced[1]) : null,
        h('div.actions', [
          button('', { label: 'Cancel', run: close }),
          h('button.primary', { attrs: { type: 'submit' } }, 'Save'),
        ]),
      ],
    ),
  ]);
}

const proven = (a: Analysis): VNode =>
  h('label.check', { attrs: { for: 'settings-proven' } }, [
    h('input', {
      attrs: { id: 'settings-proven', type: 'checkbox', name: 'proven' },
      hook: { insert: vnode => ((vnode.elm as HTMLInputElement).checked = a.stop?.proven ?? true) },
    }),
    h('span', 'Ends when the result is proven'),
  ]);

const known = new Set([
  'name',
  'limit.depth',
  'limit.nodes',
  'limit.movetime_ms',
  'strategy.kind',
  'strategy.move_distance',
  'strategy.refine',
  'strategy.floor',
  'strategy.plan',
  'strategy.plan.black',
  'stop.lead',
  'stop.levels',
  'budget.positions',
  'budget.nodes',
  'budget.engine_seconds',
  'budget.until',
  'window',
  'priority',
]);
