// Notes that were begun and not saved, by analysis and position: they outlive the page. The newest 100.
import { loadJson, save } from './prefs';

export interface Draft {
  text: string;
  replacing: number | null; // moment of the note that it takes the place of
}

const most = 100;
const name = 'drafts';

const all = (): Map<string, Draft> => new Map(loadJson<[string, Draft][]>(name, []));

const keyOf = (id: number, position: string): string => `${id} ${position}`;

// `position`: what tells it from others, as chess.ts has it.
export const draftOf = (id: number, position: string): Draft | null => all().get(keyOf(id, position)) ?? null;

// null: it is saved, or not wanted any more.
export function keepDraft(id: number, position: string, draft: Draft | null): void {
  const drafts = all();
  const key = keyOf(id, position);
  drafts.delete(key);
  if (draft) drafts.set(key, draft);
  save(name, drafts.size ? JSON.stringify([...drafts].slice(-most)) : null);
}
