// A form of an analysis on the page, and its plainest field.
import type { Ctx } from '../ctx';
import type { Engine } from '../data/types';
import { field, input } from '../ui/dom';
import type { VNode } from '../ui/dom';
import type { Setup, TextKey } from './setupState';

// One form on the page: whose fields, and what a change of them does.
export interface Form {
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
export function textField(
  form: Form,
  name: string,
  label: string,
  key: TextKey,
  attrs: Record<string, string | number> = {},
  hint?: string,
): VNode {
  return field({
    id: form.prefix + name,
    label,
    error: form.setup.errors[name],
    ...(hint !== undefined && { hint }),
    control: own =>
      input({ ...own, autocomplete: 'off', ...attrs }, form.setup[key], text => form.set({ [key]: text })),
  });
}
