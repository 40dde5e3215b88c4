// The export dialog: what is asked for and a look at what comes.
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

export interface ExportState extends Omit<Subject, 'side' | 'ownOnly' | 'margin'> {
  format: ExportFormat;
  whole: boolean; // from the root instead of from here
  margin: string;
  plies: string;
  fromGame: boolean; // a PGN file begins with the moves that lead to the position
  comments: 'all' | 'branches' | 'leaves' | 'none';
  side: 'both' | 'white' | 'black'; // whose repertoire
  ownOnly: boolean; // no move where I have no answer
  mine: 'all' | 'annotated' | 'none';
  engine: 'all' | 'best' | 'none';
  marks: boolean; // glyphs and arrows
  study: boolean; // for a chapter of a lichess study
  preview: { text: string; size: number; chapters: number } | null; // text: the beginning; chapters: of a study, else 0
  problem: string | null;
  making: boolean; // an HTML file
  loading: Latest; // the preview
  notSoon: () => void; // calls off the preview that waits for more typing
}

export const initialExport = (subject: Subject): ExportState => ({
  ...subject,
  format: 'pgn',
  whole: subject.line.length === 0,
  margin: subject.margin ?? '30',
  plies: '20',
  fromGame: true,
  comments: 'all',
  side: subject.side ?? 'both',
  ownOnly: subject.ownOnly ?? false,
  mine: 'all',
  engine: 'all',
  marks: false,
  study: false,
  preview: null,
  problem: null,
  making: false,
  loading: new Latest(),
  notSoon: () => undefined,
});

// Games of a file that are chapters of a study.
export const chaptersIn = (pgn: string): number => pgn.match(/^\[ChapterName "/gm)?.length ?? 0;

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
