// The export dialog: what is asked for and a look at what comes.
import { nothing } from '../../data/clock';
import type { Place } from '../../chess/chess';
import type { Side } from '../../chess/score';
import type { ExportQuery } from '../../data/queries';
import { Latest } from '../../data/latest';
import type { ExportFormat } from '../../data/types';

// What is exported: a position of an analysis.
export interface Subject {
  id: number;
  name: string;
  line: string[];
  place: Place | null;
  fen: string | null;
  orientation: Side;
  side?: Side; // whose repertoire; absent: as last time
  ownOnly?: boolean; // of it
  margin?: string;
}

export const initialExport = (subject: Subject) => ({
  ...subject,
  format: 'pgn' as ExportFormat,
  whole: subject.line.length === 0, // from the root instead of from here
  margin: subject.margin ?? '30',
  plies: '20',
  fromGame: true, // a PGN file begins with the moves that lead to the position
  comments: 'all' as 'all' | 'branches' | 'leaves' | 'none',
  side: (subject.side ?? 'both') as 'both' | 'white' | 'black', // whose repertoire
  ownOnly: subject.ownOnly ?? false, // no move where I have no answer
  mine: 'all' as 'all' | 'annotated' | 'none',
  engine: 'all' as 'all' | 'best' | 'none',
  marks: false, // glyphs and arrows
  study: false, // for a chapter of a lichess study
  preview: null as { text: string; size: number } | null, // text: the beginning
  problem: null as string | null,
  making: false, // an HTML file
  loading: new Latest(), // the preview
  notSoon: nothing, // calls off the preview that waits for more typing
});

export type ExportState = ReturnType<typeof initialExport>;

export const sideQuery = (e: ExportState): Partial<ExportQuery> =>
  e.side === 'both' ? {} : { side: e.side, ...(e.ownOnly && { own_only: 'true' as const }) };

// What the PGN fields ask for; what the server does anyway is left out.
export const pgnQuery = (e: ExportState): Partial<ExportQuery> =>
  e.format !== 'pgn'
    ? {}
    : {
        ...(e.comments !== 'all' && { comments: e.comments }),
        ...(e.mine !== 'all' && { mine: e.mine }),
        ...(e.engine !== 'all' && { engine: e.engine }),
        ...(e.study
          ? { study: 'true' as const }
          : {
              ...(e.fromGame && { from: 'game' as const }),
              ...(e.marks && { nags: 'true' as const, arrows: 'true' as const }),
            }),
      };
