// Places of a file that was read, and what is said of each. `more`: so many are not listed.
import type { Told } from '../data/types';
import { h, type VNode } from './dom';
import { count } from './format';

export const toldAt = ({ game, line, column, message }: Told[number]): [string, string] => [
  `game ${game}, line ${line}${column ? `, column ${column}` : ''}`,
  message,
];

export const placesView = (
  label: string,
  testid: string,
  places: readonly [where: string, message: string][],
  more: number,
): VNode =>
  h(
    'ol.import-errors',
    { attrs: { tabindex: 0, role: 'list', 'aria-label': label, 'data-testid': testid } },
    [
      ...places.map(([where, message]) => h('li', [h('strong', where), ` ${message}`])),
      more > 0 ? h('li.muted', `and ${count(more)} more`) : null,
    ],
  );
