// What the answer at the present position rests on, as the server told it. Pure.
import { nothing } from '../../../data/clock';
import { Latest } from '../../../data/latest';
import type { Analysis, Carrier, Engine, Step, Verdict } from '../../../data/types';
import type { LimitKind } from '../../../setup/setupState';
import { searchSeconds, verifySearches } from '../../../setup/speed';

export const initialVerdict = () => ({
  line: '', // of the position that all this is about, joined
  version: -1, // of the position, when it was asked about last
  due: 0, // Unix ms before which it is not asked again; 0: it was never asked
  told: null as Verdict | null, // null: not known
  asking: new Latest(),
  notSoon: nothing, // calls the next question off
  atWork: false, // searches were out when it was asked about last
  giving: false, // Verify was pressed, and is not answered
  pointed: false, // somebody points at the line: the board shows what is in it
});

export type VerdictState = ReturnType<typeof initialVerdict>;

// From the position asked about to the move in question, or to where the moves are that were not asked.
export const stepsTo = ({ line, move }: Carrier): Step[] => (move ? [...line, move] : [...line]);

// The first moves towards what carries the answer, each once.
export function firstSteps({ carries }: Verdict): Step[] {
  const steps = new Map<string, Step>();
  for (const [step] of carries.map(stepsTo)) if (step) steps.set(step.uci, step);
  return [...steps.values()];
}

// May the second engine still answer?
export const isAnswering = ({ second }: Verdict): boolean =>
  second !== null && second.answered < second.questions;

// Is there anything to verify?
export const canVerify = ({ carries }: Verdict): boolean => carries.length > 0;

// About how many seconds that takes; null where nothing was measured.
export function verifySeconds(a: Analysis, engine: Engine | null, all: readonly Analysis[]): number | null {
  const [limitKind, value] = Object.entries(a.limit)[0] as [LimitKind, number];
  const own = { strategy: a.strategy.kind, limitKind, limitValue: String(value) };
  // They are as large as the limit says, also where the strategy has longer ones.
  const each = searchSeconds({ ...own, strategy: 'uniform' }, engine, all) ?? searchSeconds(own, engine, all);
  return each === null ? null : (verifySearches * each) / Math.max(1, engine?.processes.length ?? 1);
}
