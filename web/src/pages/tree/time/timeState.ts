// "Over time": how the root scores came about, and what changed since some moment.
import { Latest } from '../../../data/latest';
import type { Site } from '../../../data/source';
import type { Changes, Disagreements, History } from '../../../data/types';

export type Since = 'visit' | 'site' | 'hour' | 'day' | 'week' | 'chosen'; // site: its writing before

export const initialTime = (id: number, visit: number | null, now: number) => ({
  id,
  history: null as History | null,
  changes: null as Changes | null,
  since: (visit === null ? 'day' : 'visit') as Since,
  chosen: now - 86_400_000, // Unix ms, for `chosen`
  visit, // when this analysis was last left
  axis: 'engine' as 'engine' | 'depth',
  problem: null as string | null,
  comparing: false, // `changes` is on its way
  changesProblem: null as string | null,
  compared: false, // an answer of it was shown: what stands below may come
  loadedAt: 0, // Unix ms
  searching: new Latest(), // disagreements
  // What stands side by side: UCI of two moves, or places of two snapshots; null: the page's own choice.
  compare: { kind: 'moves', left: null, right: null } as {
    kind: 'moves' | 'moments';
    left: string | null;
    right: string | null;
  },
  disagreements: null as { line: string; found: Disagreements } | null, // below the position of `line`
});

export type TimeState = ReturnType<typeof initialTime>;

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
