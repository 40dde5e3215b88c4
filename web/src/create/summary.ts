// What an analysis will do, in plain words. Pure.
import { count, span } from '../format';
import type { CreateState } from './createState';

const pawnsOf = (cp: number): string => `${Number.isInteger(cp) ? cp : cp.toFixed(1)} cp`;

// The windows of `halving`: D at plies 0 and 1, then half each ply, never below the floor.
export function windows(distance: number, floor: number, plies: number): number[] {
  return Array.from({ length: plies }, (_, p) =>
    Math.max(Math.min(floor, distance), p < 2 ? distance : distance / 2 ** (p - 1)),
  );
}

export function summary(create: CreateState): string[] {
  const distance = Number(create.distance) || 0;
  const floor = Number(create.floor) || 0;
  const refine = Number(create.refine) || 0;
  const shown = windows(distance, floor, Math.min(refine || 5, 5)).slice(1);
  const steps = shown.filter((w, i) => i === 0 || w !== shown[i - 1]);
  const follow = `Follow moves within ${steps.map(pawnsOf).join(', then ')} of the best`;
  const depth = refine ? `, to ply ${refine}.` : ', deeper and deeper until stopped.';
  return [follow + depth, each(create), when(create)];
}

function each(create: CreateState): string {
  const value = Number(create.limitValue);
  if (!Number.isFinite(value) || value <= 0) return '';
  if (create.limitKind === 'depth') return `Each search goes to depth ${value}.`;
  if (create.limitKind === 'nodes') return `Each search looks at ${count(value)} nodes.`;
  return `Each search takes ${value < 10_000 ? `${value} ms` : span(value / 1000)}.`;
}

function when(create: CreateState): string {
  const parts: string[] = [];
  if (create.positions) parts.push(`at most ${count(Number(create.positions))} positions`);
  if (create.engineMinutes) parts.push(`at most ${span(Number(create.engineMinutes) * 60)} of engine time`);
  if (create.until) parts.push(`until ${create.until.replace('T', ' ')}`);
  if (create.windowOn) parts.push(`only from ${create.windowFrom} to ${create.windowTo}`);
  const budget = parts.length ? sentence(parts.join(', ')) : 'No limit on positions or time.';
  return create.hold ? `${budget} It waits, paused, until you resume it.` : budget;
}

const sentence = (text: string): string => `${text[0]!.toUpperCase()}${text.slice(1)}.`;
