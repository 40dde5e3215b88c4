// "Repertoire": one side's answers in an analysis, where they are missing, and how well they are known.
import { ucis } from '../../../chess/chess';
import { Latest } from '../../../data/latest';
import { loadJson, save } from '../../../data/prefs';
import type { Side } from '../../../chess/score';
import type { Collections, Gaps, Played, RepertoireAnswer } from '../../../data/types';

export interface RepertoireWish {
  side: Side; // mine
  within: number; // cp
  collection: string; // '': none
  games: number; // of a move of theirs
  ownOnly: boolean;
}

// A question of the training: what do I play here?
export interface Question {
  answer: RepertoireAnswer;
  tried: string[]; // UCI, wrong ones
  shown: boolean; // the answer was told
  done: boolean;
}

export interface Training {
  from: string[]; // where it began, moves from the root
  pool: RepertoireAnswer[];
  evenly: boolean; // else by how likely they play so
  question: Question | null; // null: nothing to ask
  right: number; // at the first try
  asked: number;
}

const name = (id: number): string => `repertoire.${id}`;

export function initialRepertoire(id: number, side: Side) {
  return {
    id,
    wish: {
      side,
      within: 30,
      collection: '',
      games: 5,
      ownOnly: false,
      ...loadJson<Partial<RepertoireWish>>(name(id), {}),
    } as RepertoireWish,
    collections: null as Collections['collections'] | null,
    gaps: null as { line: string; found: Gaps } | null, // from the position of `line`
    played: null as { fen: string; collection: string; found: Played } | null,
    problem: null as string | null,
    asked: null as string | null, // what came of "queue all"
    adding: null as string | null, // the file that is being added to a collection
    loadedAt: 0, // Unix ms, the gaps
    left: [] as NonNullable<Gaps['left']>, // games that left my files
    leftAt: 0, // when it was loaded
    searching: new Latest(),
    looking: new Latest(),
    training: null as Training | null,
  };
}

export type RepertoireState = ReturnType<typeof initialRepertoire>;

export function setWish(state: RepertoireState, change: Partial<RepertoireWish>): void {
  Object.assign(state.wish, change);
  save(name(state.id), JSON.stringify(state.wish));
  state.asked = null;
}

// ---- spaced repetition: after n right answers in a row a position rests for 2^(n−1) days; a wrong one is due ----

export interface Known {
  row: number; // right answers in a row
  due: number; // Unix ms
}
export type Memory = Record<string, Known>;

const day = 86_400_000;
const most = 2000; // positions that are remembered
const longest = 6; // 2^6 days

export const learned = (known: Known | undefined, right: boolean, now: number): Known => {
  const row = right ? Math.min((known?.row ?? 0) + 1, longest + 1) : 0;
  return { row, due: right ? now + day * 2 ** (row - 1) : now };
};

export const isDue = (known: Known | undefined, now: number): boolean => !known || known.due <= now;

export const loadMemory = (): Memory => loadJson('training', {});

// Those that are due the latest are forgotten first: they are known best.
export function saveMemory(memory: Memory): void {
  const kept = Object.entries(memory)
    .sort(([, a], [, b]) => a.due - b.due)
    .slice(0, most);
  save('training', JSON.stringify(Object.fromEntries(kept)));
}

// The position and the answer: another answer is another thing to know.
export const memoryKey = (id: number, answer: RepertoireAnswer): string =>
  `${id}:${ucis(answer.line).join('')}:${answer.move.uci}`;

// Which answer to ask for: on in the same line if it goes on, else any that is due, else any. `chance`: from 0 to 1.
export function nextAnswer(
  training: Pick<Training, 'pool' | 'evenly' | 'question'>,
  due: (answer: RepertoireAnswer) => boolean,
  chance: number,
): RepertoireAnswer | null {
  const before = training.question?.answer ?? null;
  const played = before && [...ucis(before.line), before.move.uci].join();
  const onward = training.pool.filter(
    a => played && a.line.length === before.line.length + 2 && ucis(a.line).join().startsWith(`${played},`),
  );
  const others = training.pool.filter(a => a !== before);
  const first =
    [onward.filter(due), others.filter(due), onward, others, training.pool].find(l => l.length) ?? [];
  const weight = (a: RepertoireAnswer): number => (training.evenly ? 1 : Math.max(a.likelihood, 1e-9));
  let rest = chance * first.reduce((sum, a) => sum + weight(a), 0);
  return first.find(a => (rest -= weight(a)) <= 0) ?? first.at(-1) ?? null;
}
