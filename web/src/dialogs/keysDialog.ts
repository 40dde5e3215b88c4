// The keyboard, and what the page is made of.
import type { Ctx } from '../ctx';
import { dialog } from '../ui/dialog';
import { h, link } from '../ui/dom';
import type { VNode } from '../ui/dom';

const groups: [string, [string, string][]][] = [
  [
    'Walking',
    [
      ['← Backspace', 'a move back'],
      ['→', 'forward: the way you came, else the best move'],
      ['Enter', 'follow the chosen move, else the best'],
      ['↑ ↓', 'choose a move in the table'],
      ['Home End', 'to the root · to the end of the line'],
      ['f', 'turn the board'],
      ['1 2 3 4', 'moves · picture · over time · evaluations'],
    ],
  ],
  [
    'Steering the chosen move, or the position',
    [
      ['n', 'analyse now'],
      ['d', 'deepen'],
      ['i', 'include'],
      ['x', 'exclude'],
      ['c', 'leave to the search again'],
      ['m', 'write a note'],
    ],
  ],
  [
    'Everywhere',
    [
      ['p', 'pause or resume this analysis'],
      ['e', 'export'],
      ['o', 'import a file'],
      ['g q', 'go to the queue'],
      ['g n', 'new analysis'],
      ['t', 'theme'],
      ['?', 'this help'],
    ],
  ],
];

export function keysDialog(ctx: Ctx, close: () => void): VNode {
  return dialog('.keys', 'Keyboard', close, [
    ...groups.map(([title, rows]) =>
      h('section', [
        h('h3', title),
        h(
          'dl.keys-list',
          rows.flatMap(([keys, what]) => [
            h(
              'dt',
              keys.split(' ').map(k => h('kbd', k)),
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
