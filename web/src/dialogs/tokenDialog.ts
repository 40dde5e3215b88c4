// Asks for the token of a server that does not listen on the loopback address only.
import type { Ctx } from '../ctx';
import { load, save } from '../data/prefs';
import { dialog } from '../ui/dialog';
import { field, h, type VNode } from '../ui/dom';

export function tokenDialog(ctx: Ctx, close: () => void): VNode {
  return dialog('.token', 'Token', close, [
    h(
      'form',
      {
        on: {
          submit: event => {
            event.preventDefault();
            const data = new FormData(event.target as HTMLFormElement);
            save('token', String(data.get('token') ?? '').trim() || null);
            close();
            ctx.hurry();
          },
        },
      },
      [
        field({
          id: 'token',
          error: load('token') === null ? undefined : 'The server does not take the token that was given.',
          label: 'The token of this server',
          hint: 'It stands in the configuration of the server, and is kept in this browser only.',
          control: attrs =>
            h('input', {
              attrs: { ...attrs, name: 'token', type: 'password', autocomplete: 'off', required: true },
            }),
        }),
        h('div.actions', [h('button.primary', { attrs: { type: 'submit' } }, 'Unlock')]),
      ],
    ),
  ]);
}
