// What a position or move is probably worth, in words.
import { plural } from '../../ui/format';
import { pawns, words } from '../../chess/score';
import type { Estimate, Score } from '../../data/types';

export const estimateMeaning =
  'The engine’s own word and what was found below, weighted by the work behind each, ' +
  'with a 90 % interval by the engine’s noise. Nothing is decided by it.';

export const estimateWords = (e: Estimate): string =>
  `estimate ${pawns(e.cp)} (${pawns(e.low)} to ${pawns(e.high)}), ${plural(e.searches, 'search', 'searches')}`;

// The title of a score that has an estimate beside it.
export const withEstimate = (score: Score | null, e: Estimate): string =>
  [words(score), estimateWords(e), estimateMeaning].join('\n');
