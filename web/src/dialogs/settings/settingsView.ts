// Settings of one analysis: the form of a new one without its position. Saved together.
import { run, type Ctx } from '../../ctx';
import { formOf, budgetFields, nameField, searchFields } from '../../setup/setupFields';
import type { Analysis } from '../../data/types';
import { dialog } from '../../ui/dialog';
import { button, h, type VNode, alertLine } from '../../ui/dom';
import { type SettingsState, initialSettings } from './settingsState';
import { change, needEngines } from '../../data/entities';
import { answerOf } from '../../data/latest';
import { fieldOf, toPatch } from '../../setup/setupState';
import type { Errors } from '../../setup/rules';

// Changes the settings of an analysis: only what was edited is sent.
export function openSettings(ctx: Ctx, a: Analysis): void {
  run(ctx, needEngines(ctx));
  ctx.state.settings = initialSettings(a);
  ctx.state.dialog = 'settings';
  ctx.redraw();
}

async function submit(ctx: Ctx, settings: SettingsState, now: Analysis, close: () => void): Promise<void> {
  if (settings.busy) return;
  const { setup, before } = settings;
  const errors: Errors = {};
  const patch = toPatch(setup, before, now, errors);
  setup.errors = errors;
  if (Object.keys(errors).length) {
    ctx.redraw(() => document.querySelector<HTMLElement>('dialog.settings [aria-invalid=true]')?.focus());
    return;
  }
  if (!Object.keys(patch).length) return close();
  settings.busy = true;
  const saved = await answerOf(change(ctx, settings.id, patch));
  settings.busy = false;
  if ('problem' in saved) setup.errors = { [fieldOf(saved.problem.where)]: saved.problem.message };
  else close();
  ctx.redraw();
}

// `now`: the analysis as it is by now.
export function settingsDialog(ctx: Ctx, settings: SettingsState, now: Analysis, close: () => void): VNode {
  const form = formOf(ctx, 'settings-', settings.setup);
  const elsewhere = settings.setup.errors[''];
  return dialog('.settings', `Settings of ${settings.title}`, close, [
    h(
      'form',
      {
        attrs: { novalidate: true },
        on: {
          submit: event => {
            event.preventDefault();
            run(ctx, submit(ctx, settings, now, close));
          },
        },
      },
      [
        nameField(form, ''),
        ...searchFields(form, 'Another one goes on with all that is known.'),
        h('h3', 'How long'),
        ...budgetFields(form),
        alertLine(elsewhere),
        h('div.actions', [
          button('', { label: 'Cancel', run: close }),
          h('button.primary', { attrs: { type: 'submit' } }, 'Save'),
        ]),
      ],
    ),
  ]);
}
