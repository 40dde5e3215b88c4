// The export dialog: what is asked for and a look at what comes.
import type { ExportFormat } from '../../data/types';

export interface ExportState {
  id: number;
  line: string[];
  format: ExportFormat;
  whole: boolean; // from the root instead of from here
  margin: string;
  plies: string;
  preview: { text: string; size: number } | null; // text: the beginning
  problem: string | null;
  busy: boolean;
}

export const initialExport = (id: number, line: string[]): ExportState => ({
  id,
  line,
  format: 'pgn',
  whole: line.length === 0,
  margin: '30',
  plies: '20',
  preview: null,
  problem: null,
  busy: false,
});

export const extension: Record<ExportFormat, string> = {
  pgn: 'pgn',
  epd: 'epd',
  polyglot: 'bin',
  json: 'json',
};
