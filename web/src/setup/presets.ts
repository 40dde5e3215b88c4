// Settings for a time that one has: how much each search gets, and until when. Pure.
import { limits } from '../data/described';
import type { Engine } from '../data/types';
import { morningAfter } from '../ui/day';
import { toLocalInput } from '../ui/format';
import { minutesText } from './rules';
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

const [, mostNodes] = limits['limit.nodes']; // engines tell any speed
const hour = 3_600_000;
const tenMinutes = 600; // s

// When it ends if it begins now and has the engine for itself, Unix ms.
export function endOf(key: PresetKey, now: number): number {
  if (key === 'short') return now + tenMinutes * 1000;
  if (key === 'week') return now + 7 * 24 * hour;
  return morningAfter(now);
}

// A night and a week end at a moment. Minutes are minutes of work: those of all processes of the engine, however long
// it has to wait for them.
export function presetFields(preset: Preset, engine: Engine | null, now: number): Partial<Setup> {
  const speed = speedOf(engine);
  const processes = Math.max(1, engine?.processes.length ?? 1);
  const short = preset.key === 'short';
  return {
    ...(speed
      ? { limitKind: 'nodes', limitValue: String(Math.min(roundNumber(speed * preset.search), mostNodes)) }
      : { limitKind: 'depth', limitValue: preset.depth }),
    strategy: 'anchored',
    strategyMore: {},
    planMode: 'none',
    distance: preset.distance,
    refine: '',
    positions: '',
    totalNodes: '',
    engineMinutes: short ? minutesText(tenMinutes * processes) : '',
    until: short ? '' : toLocalInput(Math.ceil(endOf(preset.key, now) / 60_000) * 60_000),
    windowOn: false,
  };
}
