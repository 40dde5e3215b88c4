// Before there is any analysis: what one looks like, and the way to the first.
import { h, link } from '../../ui/dom';
import type { VNode } from '../../ui/dom';
import { icon } from '../../ui/icons';
import { scoreView } from '../../ui/scoreView';
import { sparkline } from '../../ui/sparkline';
import { thumbnail } from '../../ui/thumbnail';

const fen = 'r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3';
const overTime = [40, 36, 47, 42, 35, 34];
const moves: readonly [string, number, string][] = [
  ['a6', 34, '4. Ba4 Nf6 5. O-O Be7 6. Re1 b5'],
  ['Nf6', 36, '4. O-O Nxe4 5. d4 Nd6 6. Bxc6 dxc6'],
  ['Be7', 48, '4. Nc3 Nf6 5. O-O d6 6. d4 exd4'],
];

export const exampleView = (): VNode =>
  h('div.first-look', { attrs: { 'data-testid': 'first-look' } }, [
    h('p', [
      'Give Adjourn a position and let engines work on it for an hour, a night or a week. It grows a tree of the moves that matter, keeps every search, and shows what is best so far:',
    ]),
    h('figure', [
      h('div.first-look-board', [thumbnail(fen)]),
      h('div', [
        h('p.muted', [h('b', 'C60'), ' Ruy Lopez']),
        h('p.answer', [
          h('strong.answer-move', '3… a6'),
          scoreView('.large', { cp: 34 }),
          sparkline(overTime),
        ]),
        h('table.plain', { attrs: { 'aria-label': 'Moves of the example' } }, [
          h(
            'tbody',
            moves.map(([san, cp, line]) =>
              h('tr', [
                h('th', { attrs: { scope: 'row' } }, san),
                h('td', [scoreView('', { cp })]),
                h('td.muted.cut', line),
              ]),
            ),
          ),
        ]),
      ]),
      h('figcaption.muted.small', 'An example: the Ruy Lopez after a night.'),
    ]),
    link('.button.primary', '#/new', [icon('plus'), 'New analysis']),
  ]);
