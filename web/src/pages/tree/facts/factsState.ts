// Raw evaluations of the present position, with where they come from.
import { Latest } from '../../../data/latest';
import type { Evaluations, Positions } from '../../../data/types';

export interface FactsState {
  key: string; // analysis and line
  evaluations: Evaluations | null;
  positions: Positions | null;
  problem: string | null;
  asking: Latest;
}

export const initialFacts = (): FactsState => ({
  key: '',
  evaluations: null,
  positions: null,
  problem: null,
  asking: new Latest(),
});
