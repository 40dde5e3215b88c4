// All that people asked for and wrote in an analysis: the list, and which kinds of it are shown.
import type { GivenDirective } from '../../../data/types';
import { Latest } from '../../../data/latest';

export type Kind = GivenDirective['action'];

export interface OrdersState {
  list: GivenDirective[] | null; // null: on its way; newest first
  problem: string | null;
  loading: Latest;
  kind: Kind | ''; // only these
  shown: number; // rows at most
  leaving: Set<number>; // by their moments: those that are being taken back
  due: boolean; // it is fetched again in a moment
}

export const initialOrders = (): OrdersState => ({
  list: null,
  problem: null,
  loading: new Latest(),
  kind: '',
  shown: 200,
  leaving: new Set(),
  due: false,
});

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
