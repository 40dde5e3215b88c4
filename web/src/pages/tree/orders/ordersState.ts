// All that people asked for and wrote in an analysis: the list, and which kinds of it are shown.
import type { GivenDirective } from '../../../data/types';
import { Latest } from '../../../data/latest';

export type Kind = GivenDirective['action'];

export const initialOrders = () => ({
  list: null as GivenDirective[] | null, // null: on its way; newest first
  problem: null as string | null,
  loading: new Latest(),
  kind: '' as Kind | '', // only these
  shown: 200, // rows at most
  leaving: new Set<number>(), // by their moments: those that are being taken back
  due: false, // it is fetched again in a moment
});

export type OrdersState = ReturnType<typeof initialOrders>;

// The kinds that the list has, in its order of them.
export const kindNames: Record<Kind, string> = {
  include: 'Included',
  exclude: 'Excluded',
  deepen: 'Deepened',
  now: 'Searched first',
  clear: 'Left to the search',
  note: 'Notes',
};

// Kinds of a newer server are not for this list.
export const known = (list: readonly GivenDirective[]): GivenDirective[] =>
  list.filter(one => one.action in kindNames);
