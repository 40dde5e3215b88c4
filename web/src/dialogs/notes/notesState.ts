// The notes of an analysis, open in a dialog.
import type { Note } from '../../data/types';

export interface NotesState {
  id: number;
  title: string;
  ply: number; // of the root
  words: string; // only those that have them
  list: Note[] | null; // null: on their way
  problem: string | null;
}
