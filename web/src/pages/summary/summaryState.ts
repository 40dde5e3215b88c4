// What changed in all analyses since a moment that one chooses.
import { Latest } from '../../data/latest';
import type { Radar } from '../../data/types';

export const choices = ['seen', 'evening', 'time'] as const;
export type Choice = (typeof choices)[number];

export const initialSummary = () => ({
  choice: 'seen' as Choice,
  seen: null as number | null, // Unix ms: what came before is seen; null: never looked
  time: '', // as its field has it: "2026-11-25T18:00", local time
  answer: null as Radar | null, // null: on its way
  problem: null as string | null,
  loading: new Latest(),
  asked: new Set<string>(), // entries whose place was given to be searched
});

export type SummaryState = ReturnType<typeof initialSummary>;

// 18:00 of the day before, where the reader is.
export function lastEvening(now: number): number {
  const evening = new Date(now);
  evening.setDate(evening.getDate() - 1);
  evening.setHours(18, 0, 0, 0);
  return evening.getTime();
}

// Unix ms. A time that cannot be read is the evening before.
export function sinceOf(
  { choice, seen, time }: Pick<SummaryState, 'choice' | 'seen' | 'time'>,
  now: number,
): number {
  const typed = choice === 'time' ? new Date(time).getTime() : NaN;
  if (typed >= 0) return Math.min(typed, now);
  return choice === 'seen' && seen !== null ? seen : lastEvening(now);
}
