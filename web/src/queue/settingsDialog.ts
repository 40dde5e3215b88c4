// Settings of one analysis: name, goal, budget, window, priority. Saved together.
import { ApiError } from '../api';
import type { Ctx } from '../ctx';
import { toLocalInput } from '../format';
import type { Analysis, AnalysisPatch, Limit } from '../types';
import { dialog } from '../ui/dialog';
import { button, field, h } from '../ui/dom';
import type { VNode } from '../ui/dom';
import { putAnalysis } from './queueState';
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

// Reads the form; an empty field of the budget means "none".
function read(form: HTMLFormElement, a: Analysis): AnalysisPatch {
  const data = new FormData(form);
  const text = (name: string): string => String(data.get(name) ?? '').trim();
  const whole = (name: string): number | undefined => (text(name) === '' ? undefined : Number(text(name)));
  const [kind] = limitOf(a.limit);
  const positions = whole('positions');
  const minutes = whole('minutes');
  const until = text('until') ? new Date(text('until')).getTime() : undefined;
  return {
    name: text('name'),
    limit: { [kind]: whole('limit') ?? 0 },
    strategy: {
      ...a.strategy,
      move_distance: whole('distance') ?? 0,
      refine: whole('refine') ?? 0,
      floor: whole('floor') ?? 0,
    },
    budget: {
      ...(positions !== undefined && { positions }),
      ...(minutes !== undefined && { engine_seconds: minutes * 60 }),
      ...(until !== undefined && { until }),
    },
    window: text('window') || null,
    priority: whole('priority') ?? 0,
  };
}

async function submit(ctx: Ctx, a: Analysis, form: HTMLFormElement, close: () => void): Promise<void> {
  const { queue } = ctx.state;
  queue.settingsErrors = {};
  try {
    const saved = await ctx.api.patch(a.id, read(form, a));
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
  const unplaced = Object.entries(errors).find(([where]) => !known.has(where));
  return dialog('.settings', `Settings of ${a.name}`, close, [
    h(
      'form',
      {
        on: {
          submit: event => {
            event.preventDefault();
            void submit(ctx, a, event.target as HTMLFormElement, close);
          },
        },
      },
      [
        text('name', 'Name', a.name, 'name', { required: true, maxlength: 200 }),
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
        h('div.fields', [
          text('positions', 'At most positions', a.budget.positions ?? '', 'budget.positions', number),
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

const known = new Set([
  'name',
  'limit.depth',
  'limit.nodes',
  'limit.movetime_ms',
  'strategy.move_distance',
  'strategy.refine',
  'strategy.floor',
  'budget.positions',
  'budget.engine_seconds',
  'budget.until',
  'window',
  'priority',
]);
