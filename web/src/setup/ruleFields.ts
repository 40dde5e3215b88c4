// Fields for windows ply by ply, and for when an analysis may end before its last level.
import { checkbox, h, segments } from '../ui/dom';
import type { Child, VNode } from '../ui/dom';
import { leadHint } from '../ui/noise';
import { textField } from './form';
import type { Form } from './form';
import type { PlanMode } from './setupState';

const modes: [PlanMode, string][] = [
  ['none', 'By distance'],
  ['plies', 'Ply by ply'],
];

// Only of strategies with windows.
export function planFields(form: Form): Child[] {
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

export function stopFields(form: Form): VNode {
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
