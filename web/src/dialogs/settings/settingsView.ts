// Settings of one analysis: the form of a new one without its position. Saved together.
import { run } from '../../ctx';
import type { Ctx } from '../../ctx';
import { formOf } from '../../setup/form';
import { budgetFields, nameField, searchFields } from '../../setup/setupFields';
import type { Analysis } from '../../data/types';
import { dialog } from '../../ui/dialog';
import { button, h } from '../../ui/dom';
import type { VNode } from '../../ui/dom';
import { submit } from './settingsCtrl';
import type { SettingsState } from './settingsState';

export { openSettings } from './settingsCtrl';

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
        elsewhere ? h('p.error', { attrs: { role: 'alert' } }, elsewhere) : null,
        h('div.actions', [
          button('', { label: 'Cancel', run: close }),
          h('button.primary', { attrs: { type: 'submit' } }, 'Save'),
        ]),
      ],
    ),
  ]);
}
