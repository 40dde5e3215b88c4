// Fields of the new analysis for windows ply by ply, and for when it may end before its last level.
import type { Ctx } from '../ctx';
import { leadHint } from '../queue/noise';
import { checkbox, field, h, input, segments } from '../ui/dom';
import type { Child, VNode } from '../ui/dom';
import * as ctrl from './createCtrl';
import type { CreateState, PlanMode } from './createState';

const modes: [PlanMode, string][] = [
  ['none', 'By distance'],
  ['both', 'Ply by ply'],
  ['sides', 'Each side'],
];

// Only of strategies with windows.
export function planFields(ctx: Ctx, create: CreateState): Child[] {
  const { planMode } = create;
  const empty = planMode === 'sides' ? 'from the distance' : '40, 40, 3:20, 2:10';
  const plan = (id: string, label: string, key: 'plan' | 'planBlack', hint?: string): VNode =>
    field({
      id,
      label,
      error: create.errors[id],
      ...(hint !== undefined && { hint }),
      control: attrs =>
        input(
          { ...attrs, autocomplete: 'off', spellcheck: 'false', placeholder: empty },
          create[key],
          text => ctrl.set(ctx, { [key]: text }),
        ),
    });
  const hint = 'cp behind the best, ply by ply; 3:20 = the best 3 within 20. The last one goes on.';
  return [
    h('div.labelled', [
      h('span.muted.small', { attrs: { 'aria-hidden': 'true' } }, 'Windows'),
      segments('Windows', planMode, modes, mode => ctrl.set(ctx, { planMode: mode })),
    ]),
    planMode === 'both' ? plan('strategy.plan', 'Plan', 'plan', hint) : null,
    planMode === 'sides' ? plan('strategy.plan', 'Plan where White moves', 'plan', hint) : null,
    planMode === 'sides' ? plan('strategy.plan.black', 'Plan where Black moves', 'planBlack') : null,
  ];
}

export function stopFields(ctx: Ctx, create: CreateState): VNode {
  const engines = ctx.state.queue.engines ?? [];
  const engine = engines.find(e => (create.engine ? e.name === create.engine : e.default)) ?? null;
  const number = (id: string, label: string, key: 'stopLead' | 'stopLevels', more: Record<string, string>): VNode =>
    field({
      id,
      label,
      error: create.errors[id],
      control: attrs =>
        input({ ...attrs, autocomplete: 'off', ...more }, create[key], text => ctrl.set(ctx, { [key]: text })),
    });
  const hint = leadHint(engine, Number(create.stopLead));
  return h('div.stop-rules', { attrs: { role: 'group', 'aria-label': 'Ends early at' } }, [
    h('h3', 'Ends early at'),
    checkbox('stop.proven', 'Proven result, such as a mate', create.stopProven, stopProven =>
      ctrl.set(ctx, { stopProven }),
    ),
    h('div.fields', [
      number('stop.lead', 'Best move leads by (σ)', 'stopLead', {
        inputmode: 'decimal',
        placeholder: 'never',
      }),
      number('stop.levels', 'On levels in a row', 'stopLevels', { inputmode: 'numeric' }),
    ]),
    hint ? h('p.muted.small', { attrs: { 'data-testid': 'noise' } }, hint) : null,
  ]);
}
