// Raw evaluations of the present position, with where they come from.
import { Latest } from '../../../data/latest';
import type { Evaluations, Positions } from '../../../data/types';

export const initialFacts = () => ({
  key: '', // analysis and line
  evaluations: null as Evaluations | null,
  positions: null as Positions | null,
  problem: null as string | null,
  asking: new Latest(),
});

export type FactsState = ReturnType<typeof initialFacts>;
