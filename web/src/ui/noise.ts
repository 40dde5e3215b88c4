// The noise of an engine in words: how far apart two of its searches of one move are.
import { count } from './format';
import type { Engine } from '../data/types';

export const sigma = (engine: Engine | null | undefined): string =>
  engine?.noise ? `σ ${engine.noise.sigma_cp.toFixed(1)} cp` : '';

export const sigmaTitle = (engine: Engine): string =>
  engine.noise
    ? `Noise: two searches of one move differ by this much, measured from ${count(engine.noise.pairs)} pairs.`
    : '';

// What a lead of so many σ is, for the hint at its field.
export function leadHint(engine: Engine | null, lead: number): string {
  if (!engine) return '';
  if (!engine.noise) return `The noise σ of ${engine.name} is not measured yet; the rule waits for it.`;
  const cp = Math.round(lead * engine.noise.sigma_cp * 10) / 10;
  const of = `${sigma(engine)} of ${engine.name}`;
  return Number.isFinite(cp) && lead > 0 ? `${lead} σ = ${cp} cp, with ${of}.` : `${of}; empty: never.`;
}
