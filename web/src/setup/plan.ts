// Plans ply by ply as text, as the command line has them: "40, 40, 3:20, 2:10": windows in cp, with the
// number of best moves before them where only so many are followed. Pure.
import { limits } from '../data/described';
import type { PlyPlan, Strategy } from '../data/types';

export type Plan = NonNullable<Strategy['plan']>;

const [, widest] = limits['strategy.plan.window'];
const [, mostMoves] = limits['strategy.plan.width'];
const [, longest] = limits['strategy.plan.length'];

const whole = (text: string | undefined, least: number, most: number): number | null => {
  const value = Number(text);
  return text && /^\d+$/.test(text) && value >= least && value <= most ? value : null;
};

// The plan, or what is wrong with it.
export function readPlan(text: string): PlyPlan[] | string {
  const entries = text.split(/[\s,;]+/).filter(Boolean);
  if (!entries.length) return 'A plan has a window for each ply, like 40, 40, 3:20.';
  if (entries.length > longest) return `A plan has at most ${longest} plies.`;
  const plan: PlyPlan[] = [];
  for (const [ply, entry] of entries.entries()) {
    const [, width, cp] = /^(?:(\d+):)?(\d+)$/.exec(entry) ?? [];
    const window = whole(cp, 0, widest);
    const most = width === undefined ? undefined : whole(width, 1, mostMoves);
    if (window === null || most === null)
      return `“${entry}” is no window from 0 to ${widest}, nor moves:window with 1 to ${mostMoves} moves.`;
    if (most !== undefined && ply < 2)
      return `“${entry}”: the first two plies have a window only; every move inside it is followed.`;
    plan.push({ window, ...(most !== undefined && { width: most }) });
  }
  return plan;
}

export const planText = (plan: readonly PlyPlan[]): string =>
  plan.map(({ window, width }) => (width ? `${width}:${window}` : String(window))).join(', ');

// One list, or one for each side.
export const sidesOf = (plan: Plan): [white: PlyPlan[], black: PlyPlan[]] =>
  Array.isArray(plan) ? [plan, plan] : [plan.white, plan.black];

// "within 40 cp, then the best 3 within 20 cp"; the last one goes on.
export function planWords(plan: readonly PlyPlan[]): string {
  if (!plan.length) return 'by the distance';
  const words = plan.map(({ window, width }) =>
    width ? `the best ${width} within ${window} cp` : `${window} cp`,
  );
  const steps = words.filter((word, i) => word !== words[i - 1]);
  const [first = ''] = steps;
  return [first.startsWith('the') ? first : `within ${first}`, ...steps.slice(1)].join(', then ');
}
