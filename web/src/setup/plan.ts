// Plans ply by ply as text, as the command line has them: "40, 40, 20, 10": windows in cp. Pure.
import { limits } from '../data/described';
import type { Strategy } from '../data/types';

export type Plan = NonNullable<Strategy['plan']>;

const [, widest] = limits['strategy.plan.window'];
const [, longest] = limits['strategy.plan.length'];

// The plan, or what is wrong with it.
export function readPlan(text: string): Plan | string {
  const entries = text.split(/[\s,;]+/).filter(Boolean);
  if (!entries.length) return 'A plan has a window for each ply, like 40, 40, 20.';
  if (entries.length > longest) return `A plan has at most ${longest} plies.`;
  const wrong = entries.find(entry => !/^\d+$/.test(entry) || Number(entry) > widest);
  if (wrong !== undefined) return `“${wrong}” is no window from 0 to ${widest}.`;
  return entries.map(entry => ({ window: Number(entry) }));
}

export const planText = (plan: Plan): string => plan.map(({ window }) => String(window)).join(', ');

// "within 40 cp, then 20 cp"; the last one goes on.
export function planWords(plan: Plan): string {
  const words = plan.map(({ window }) => `${window} cp`);
  return `within ${words.filter((word, i) => word !== words[i - 1]).join(', then ')}`;
}
