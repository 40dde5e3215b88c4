// The keyboard, and what the page is made of.
import type { Ctx } from '../ctx';
import { dialog } from '../ui/dialog';
import { each, h, link, type VNode } from '../ui/dom';

const signs: Record<string, string> = { ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓' };

interface Row {
  group: string;
  keys: readonly string[];
  what: string; // "": not told
}

export function keysDialog(ctx: Ctx, rows: readonly Row[], close: () => void): VNode {
  const told = rows.filter(row => row.what);
  return dialog('.keys', 'Keyboard', close, [
    ...[...new Set(told.map(row => row.group))].map(group =>
      h('section', [
        h('h3', group),
        h(
          'dl.keys-list',
          told
            .filter(row => row.group === group)
            .flatMap(({ keys, what }) => [
              each(
                'dt',
                {},
                keys.flatMap(key => key.split(' ')),
                key => h('kbd', signs[key] ?? key),
              ),
              h('dd', what),
            ]),
        ),
      ]),
    ),
    h('p.muted', [
      `Adjourn ${ctx.state.version ?? ''}, GPL-3.0-or-later; `,
      link('', licences(), 'what it is made with', { target: '_blank' }),
      '. All scores are White’s view.',
    ]),
  ]);
}

const licences = (): string => document.querySelector<HTMLLinkElement>('link[rel=license]')?.href ?? '';
