// "Over time": how the root scores came about, and what changed since some moment.
import { Latest } from '../../../data/latest';
import type { Site } from '../../../data/source';
import type { Changes, Disagreements, History } from '../../../data/types';

export type Since = 'visit' | 'site' | 'hour' | 'day' | 'week' | 'chosen'; // site: its writing before

export interface TimeState {
  id: number;
  history: History | null;
  changes: Changes | null;
  since: Since;
  chosen: number; // Unix ms, for `chosen`
  visit: number | null; // when this analysis was last left
  axis: 'engine' | 'depth';
  problem: string | null;
  comparing: boolean; // `changes` is on its way
  changesProblem: string | null;
  compared: boolean; // an answer of it was shown: what stands below may come
  loadedAt: number; // Unix ms
  searching: Latest; // disagreements
  // What stands side by side: UCI of two moves, or places of two snapshots; null: the page's own choice.
  compare: { kind: 'moves' | 'moments'; left: string | null; right: string | null };
  disagreements: { line: string; found: Disagreements } | null; // below the position of `line`
}

export const initialTime = (id: number, visit: number | null, now: number): TimeState => ({
  id,
  history: null,
  changes: null,
  since: visit === null ? 'day' : 'visit',
  chosen: now - 86_400_000,
  visit,
  axis: 'engine',
  problem: null,
  comparing: false,
  changesProblem: null,
  compared: false,
  loadedAt: 0,
  searching: new Latest(),
  compare: { kind: 'moves', left: null, right: null },
  disagreements: null,
});

export function sinceMoment(time: TimeState, now: number, site: Site | null = null): number {
  const told = site?.changes.find(one => one.name === time.since);
  if (told) return told.since;
  switch (time.since) {
    case 'visit':
    case 'site':
      return time.visit ?? now - 86_400_000;
    case 'hour':
      return now - 3_600_000;
    case 'day':
      return now - 86_400_000;
    case 'week':
      return now - 7 * 86_400_000;
    case 'chosen':
      return time.chosen;
  }
}
