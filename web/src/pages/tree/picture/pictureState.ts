// The picture of the tree: which part is drawn and how it is looked at.
import { Latest } from '../../../data/latest';
import type { Tree } from '../../../data/types';

// What is drawn; kept from one analysis to the next.
export interface PictureWish {
  plies: number;
  margin: number; // cp
}

// The canvas that shows it, where one is there.
export interface Canvas {
  zoomBy(factor: number): void;
  fit(): void;
  save(kind: 'svg' | 'png'): Promise<void>;
}

export const initialWish = (): PictureWish => ({ plies: 6, margin: 50 });

export const initialPicture = (wish: PictureWish) => ({
  wish,
  tree: null as Tree | null,
  key: '', // analysis and line that `tree` belongs to
  problem: null as string | null,
  hover: null as string[] | null, // line (from the picture's root) under the pointer
  focus: [] as string[], // line chosen by keyboard, from the picture's root
  loading: new Latest(),
  askedAt: 0, // Unix ms
  canvas: null as Canvas | null,
});

export type PictureState = ReturnType<typeof initialPicture>;

export const pictureKey = (id: number, line: readonly string[]): string => `${id}/${line.join()}`;
