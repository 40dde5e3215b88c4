// What changed since the last visit, as marks on moves.
import type { Changes } from '../../data/types';

export interface NewsMark {
  kind: 'new' | 'best' | 'white' | 'black'; // not there before; the new best; better for one side now
  title: string;
}

export interface News {
  since: number; // Unix ms
  changes: Changes;
  marks: Map<string, NewsMark>; // by the line to the move, joined
}
