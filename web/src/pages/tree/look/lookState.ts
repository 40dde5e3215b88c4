// The engine that is kept at a position while one looks: what the person wants, and what the server has of it.
import { ucis } from '../../../chess/chess';
import { nothing } from '../../../data/clock';
import { load, save } from '../../../data/prefs';
import type { Look } from '../../../data/types';

const number = (name: string, initial: number, most: number): number => {
  const text = load(name);
  return text !== null && /^\d+$/.test(text) ? Math.min(Number(text), most) : initial;
};

export const mostLines = 5;

export const initialLook = () => ({
  on: false, // the person has said so, and not taken it back
  look: null as Look | null, // as the server has it; null: not answered yet, or none
  since: null as Map<number, Partial<Look>> | null, // what events said of looks since our question; null: nothing is asked
  renewedAt: 0, // Unix ms
  notSoon: nothing, // calls off going along
  lines: Math.max(1, number('look.lines', 1, mostLines)), // 1 to 5
  fromQueue: number('look.fromQueue', 1, 1024), // processes
  keep: false, // until it is stopped, also when nobody looks
});

export type LookState = ReturnType<typeof initialLook>;

export function remember(state: LookState): void {
  save('look.lines', String(state.lines));
  save('look.fromQueue', String(state.fromQueue));
}

// An event: all of a look, or what has changed. Whether it is ours.
export function heard(state: LookState, data: Partial<Look> & { id: number }): boolean {
  const { since } = state;
  if (since) since.set(data.id, { ...since.get(data.id), ...data });
  if (state.look?.id !== data.id) return false;
  state.look = { ...state.look, ...data };
  return true;
}

// The answer to our question, with what came meanwhile put over it.
export function answered(state: LookState, look: Look): void {
  state.look = { ...look, ...state.since?.get(look.id) };
  state.since = null;
}

export const isOver = (look: Look): boolean => look.state === 'ended';

export const lineOf = (look: Look): string[] => ucis(look.line);
