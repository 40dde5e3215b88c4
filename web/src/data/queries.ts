// What a call may be asked for beside its place.
import type { ExportFormat, ImportFormat } from './types';

export interface TreeQuery {
  moves: readonly string[];
  plies: number;
  margin: number;
  limit: number;
}

export interface ExportQuery {
  format: ExportFormat;
  moves: readonly string[];
  margin: number;
  plies: number;
  side?: 'white' | 'black'; // whose repertoire
  own_only?: 'true'; // of a repertoire: no move where I have none
  mine?: 'annotated' | 'none'; // what I brought and wrote
  engine?: 'best' | 'none';
  // of PGN:
  from?: 'game';
  comments?: 'branches' | 'leaves' | 'none';
  nags?: 'true';
  arrows?: 'true';
  study?: 'true';
}

export interface ImportQuery {
  format: ImportFormat;
  name: string;
  analysis?: number;
  moves: 'all' | 'main';
  side: 'both' | 'white' | 'black';
  plies?: number;
  keep: boolean; // games as a file of the analysis
  records_before: number;
  lines_before: number;
}

export interface GapsQuery {
  side: 'white' | 'black';
  within: number; // cp
  collection: string; // '': none
  games: number;
  ownOnly: boolean;
}
