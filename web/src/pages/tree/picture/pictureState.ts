// The picture of the tree: which part is drawn and how it is looked at.
import type { Tree } from '../../../data/types';

export interface PictureState {
  tree: Tree | null;
  key: string; // analysis and line that `tree` belongs to
  plies: number;
  margin: number;
  problem: string | null;
  hover: string[] | null; // line (from the picture's root) under the pointer
  focus: string[]; // line chosen by keyboard, from the picture's root
}

export const initialPicture = (): PictureState => ({
  tree: null,
  key: '',
  plies: 6,
  margin: 50,
  problem: null,
  hover: null,
  focus: [],
});

export const pictureKey = (id: number, line: readonly string[]): string => `${id}/${line.join()}`;
