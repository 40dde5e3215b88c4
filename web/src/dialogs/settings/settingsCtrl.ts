// Changes the settings of an analysis: only what was edited is sent.
import { run } from '../../ctx';
import type { Ctx } from '../../ctx';
import { change, needEngines } from '../../data/entities';
import { answerOf } from '../../data/latest';
import { fieldOf, toPatch } from '../../setup/setupState';
import type { Errors } from '../../setup/rules';
import type { Analysis } from '../../data/types';
import { initialSettings } from './settingsState';
import type { SettingsState } from './settingsState';

export function openSettings(ctx: Ctx, a: Analysis): void {
  run(ctx, needEngines(ctx));
  ctx.state.settings = initialSettings(a);
  ctx.state.dialog = 'settings';
  ctx.redraw();
}

export async function submit(
  ctx: Ctx,
  settings: SettingsState,
  now: Analysis,
  close: () => void,
): Promise<void> {
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
