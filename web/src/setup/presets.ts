// Settings for a time that one has: how much each search gets, and until when. Pure.
import type { Engine } from '../data/types';
import { toLocalInput } from '../ui/format';
import { roundNumber } from './speed';
import type { Setup } from './setupState';
import { speedOf } from './speed';

export type PresetKey = 'short' | 'night' | 'week';

export interface Preset {
  key: PresetKey;
  label: string;
  search: number; // seconds of one search
  depth: string; // of each search, where no speed is known yet
  distance: string;
}

export const presets: readonly Preset[] = [
  { key: 'short', label: '10 minutes', search: 0.5, depth: '14', distance: '20' },
  { key: 'night', label: 'Overnight', search: 3, depth: '18', distance: '30' },
  { key: 'week', label: 'A week', search: 15, depth: '22', distance: '40' },
];

const hour = 3_600_000;

// When it ends, Unix ms: a night at the next 07:00 that is at least four hours away.
export function endOf(key: PresetKey, now: number): number {
  if (key === 'short') return now + hour / 6;
  if (key === 'week') return now + 7 * 24 * hour;
  const morning = new Date(now);
  morning.setHours(7, 0, 0, 0);
  while (morning.getTime() < now + 4 * hour) morning.setDate(morning.getDate() + 1);
  return morning.getTime();
}

export function presetFields(preset: Preset, engine: Engine | null, now: number): Partial<Setup> {
  const speed = speedOf(engine);
  return {
    ...(speed
      ? { limitKind: 'nodes', limitValue: String(roundNumber(speed * preset.search)) }
      : { limitKind: 'depth', limitValue: preset.depth }),
    strategy: 'anchored',
    strategyMore: {},
    planMode: 'none',
    distance: preset.distance,
    refine: '',
    positions: '',
    totalNodes: '',
    engineMinutes: '',
    until: toLocalInput(Math.ceil(endOf(preset.key, now) / 60_000) * 60_000),
    windowOn: false,
  };
}
