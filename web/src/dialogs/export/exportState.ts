// The export dialog: what is asked for and a look at what comes.
import type { Place } from '../../chess/chess';
import type { Side } from '../../chess/score';
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
}

export interface ExportState extends Subject {
  format: ExportFormat;
  whole: boolean; // from the root instead of from here
  margin: string;
  plies: string;
  preview: { text: string; size: number } | null; // text: the beginning
  problem: string | null;
  loading: Latest; // the preview
  notSoon: () => void; // calls off the preview that waits for more typing
}

export const initialExport = (subject: Subject): ExportState => ({
  ...subject,
  format: 'pgn',
  whole: subject.line.length === 0,
  margin: '30',
  plies: '20',
  preview: null,
  problem: null,
  loading: new Latest(),
  notSoon: () => undefined,
});

export const extension: Record<ExportFormat, string> = {
  pgn: 'pgn',
  epd: 'epd',
  polyglot: 'bin',
  json: 'json',
};
