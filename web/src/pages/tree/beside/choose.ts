// Chooses columns beside the tree's values, and keeps that.
import { save } from '../../../data/prefs';
import { chancesName, repertoireName, secondName, wish } from './chosen';

export const setChances = (id: number, on: boolean): void => save(chancesName(id), on ? '1' : null);

export const setCollection = (id: number, collection: string): void =>
  save(repertoireName(id), JSON.stringify({ ...wish(id), collection }));

export const setSecond = (id: number, key: string): void => save(secondName(id), key || null);
