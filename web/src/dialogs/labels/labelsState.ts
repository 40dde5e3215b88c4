// Tags and the game of one analysis, open in a dialog; or what is to happen to several. Pure.
import type { Analysis, AnalysisPatch, Game } from '../../data/types';

export type GameKey = keyof Game;

interface Common {
  busy: boolean;
  problem: { where: string; message: string } | null;
}

// One analysis: the fields as they are typed.
export interface OneState extends Common {
  kind: 'one';
  id: number;
  title: string;
  tags: string; // with commas between them
  game: Record<GameKey, string>;
  before: { tags: readonly string[]; game: Record<GameKey, string> };
}

// Several: tags that all of them get, or lose.
export interface TagState extends Common {
  kind: 'tag';
  ids: number[];
  add: string;
  drop: Set<string>;
}

export interface DeleteState extends Common {
  kind: 'delete';
  ids: number[];
}

export type LabelsState = OneState | TagState | DeleteState;

export const gameKeys: readonly GameKey[] = [
  'opponent',
  'move_by',
  'white',
  'black',
  'event',
  'site',
  'date',
  'round',
  'clock',
];

const gameOf = (a: Analysis): Record<GameKey, string> =>
  Object.fromEntries(gameKeys.map(key => [key, a.game[key] ?? ''])) as Record<GameKey, string>;

export const oneOf = (a: Analysis): OneState => ({
  kind: 'one',
  id: a.id,
  title: a.name,
  tags: a.tags.join(', '),
  game: gameOf(a),
  before: { tags: a.tags, game: gameOf(a) },
  busy: false,
  problem: null,
});

export const tagsOf = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map(tag => tag.trim())
      .filter(Boolean),
  ),
];

// With the tag where it was missing, without it where it was there.
export const toggled = (text: string, tag: string): string => {
  const tags = tagsOf(text);
  return (tags.includes(tag) ? tags.filter(t => t !== tag) : [...tags, tag]).join(', ');
};

// What was edited, and nothing else.
export function patchOf({ tags, game, before }: OneState): AnalysisPatch {
  const now = tagsOf(tags);
  const changed = gameKeys.filter(key => game[key].trim() !== before.game[key]);
  return {
    ...(now.join() !== before.tags.join() && { tags: now }),
    ...(changed.length && { game: Object.fromEntries(changed.map(key => [key, game[key].trim()])) }),
  };
}

// The tags of one of several, after that.
export function retagged(a: Analysis, state: TagState): string[] {
  const kept = a.tags.filter(tag => !state.drop.has(tag));
  return [...new Set([...kept, ...tagsOf(state.add)])];
}
