// Raw evaluations of the present position, with where they come from.
import type { Evaluations, Positions } from '../types';

export interface FactsState {
  key: string; // analysis and line
  evaluations: Evaluations | null;
  positions: Positions | null;
  problem: string | null;
}

export const initialFacts = (): FactsState => ({
  key: '',
  evaluations: null,
  positions: null,
  problem: null,
});
