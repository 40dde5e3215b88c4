// Which columns somebody chose beside the tree's values, remembered by analysis; choose.ts writes it.
import { load, loadJson } from '../../../data/prefs';

export const chancesName = (id: number): string => `chances.${id}`;
export const secondName = (id: number): string => `second.${id}`;
// The collection is the one that the tab Repertoire compares with.
export const repertoireName = (id: number): string => `repertoire.${id}`;

export const wish = (id: number): Record<string, unknown> => loadJson(repertoireName(id), {});

// Of the side to move; '': not chosen.
export const chancesOf = (id: number): string => load(chancesName(id)) ?? '';

// '': none.
export const collectionOf = (id: number): string => {
  const { collection } = wish(id);
  return typeof collection === 'string' ? collection : '';
};

// As besideState.ts names an engine with its limit; '': none.
export const secondOf = (id: number): string => load(secondName(id)) ?? '';

const columns = { chances: chancesOf, second: secondOf, games: collectionOf }; // in the order in which they stand
export type Column = keyof typeof columns;

export const columnsOf = (id: number): Column[] =>
  (Object.keys(columns) as Column[]).filter(column => columns[column](id));
