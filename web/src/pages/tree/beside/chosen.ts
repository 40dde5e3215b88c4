// Which columns somebody chose beside the tree's values, remembered by analysis.
import { load, save } from '../../../data/prefs';

const secondName = (id: number): string => `second.${id}`;
// The collection is the one that the tab Repertoire compares with.
const repertoireName = (id: number): string => `repertoire.${id}`;

function wish(id: number): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(load(repertoireName(id)) ?? '{}');
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    return {}; // not ours
  }
}

// '': none.
export const collectionOf = (id: number): string => {
  const { collection } = wish(id);
  return typeof collection === 'string' ? collection : '';
};
export const setCollection = (id: number, collection: string): void =>
  save(repertoireName(id), JSON.stringify({ ...wish(id), collection }));

// As besideState.ts names an engine with its limit; '': none.
export const secondOf = (id: number): string => load(secondName(id)) ?? '';
export const setSecond = (id: number, key: string): void => save(secondName(id), key || null);
