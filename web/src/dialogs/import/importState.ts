// The import dialog: a file, whose seeds its moves become, and what became of it. Pure; the calls are in importCtrl.
import type { ImportQuery } from '../../data/queries';
import { readNumber, type Errors } from '../../setup/rules';
import type { ImportFormat, ImportReport } from '../../data/types';

export const initialImport = (analysis: number | null) => ({
  analysis, // moves become its seeds; null: they are not kept
  file: null as File | null,
  format: 'pgn' as ImportFormat,
  moves: 'all' as 'all' | 'main',
  side: 'both' as 'both' | 'white' | 'black',
  plies: '', // "" = all
  accept: false, // the analysis lets the file's evaluations count
  dropping: false, // a file is being dragged over the dialog
  sending: null as AbortController | null, // stops it
  sent: null as number | null, // bytes that are read, while it goes on
  report: null as ImportReport | null, // of all that was sent so far
  reported: null as { name: string; format: ImportFormat; seeded: boolean; tooLarge: boolean } | null, // what the report is of
  accepted: false, // the analysis was told to let them count
  errors: {} as Errors, // file, plies, "" for the rest
});

export type ImportState = ReturnType<typeof initialImport>;

const endings: Record<string, ImportFormat> = {
  pgn: 'pgn',
  epd: 'epd',
  fen: 'epd',
  jsonl: 'jsonl',
  ndjson: 'jsonl',
};

// By the ending of the name; null where it says nothing.
export const formatOf = (name: string): ImportFormat | null =>
  endings[/\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? ''] ?? null;

const packed = /\.(zst|gz|bz2|zip|7z|xz)$/i;

// Why this file cannot be sent from here; null if it can.
export function refusal(file: { name: string; size: number }): string | null {
  if (!file.size) return 'The file is empty.';
  if (/\.zst$/i.test(file.name)) return 'Packed files are read by the command “adjourn import”.';
  if (packed.test(file.name)) return 'Unpack this file first.';
  return null;
}

export type Order = Omit<ImportQuery, 'keep' | 'records_before' | 'lines_before'>;

// The call, or what is wrong with the fields.
export function toOrder(i: ImportState): { order: Order; file: File } | { errors: Errors } {
  const errors: Errors = {};
  const { file, analysis } = i;
  const why = file ? refusal(file) : 'Choose a file.';
  if (why) errors['file'] = why;
  const plies = analysis === null ? null : readNumber(errors, 'plies', i.plies, null);
  if (!file || Object.keys(errors).length) return { errors };
  return {
    file,
    order: {
      format: i.format,
      name: shortName(file.name),
      moves: i.format === 'pgn' ? i.moves : 'all',
      side: analysis === null ? 'both' : i.side,
      ...(analysis !== null && { analysis }),
      ...(plies !== null && { plies }),
    },
  };
}

// At most 200 bytes, as the server wants it; the end of a name says more than its beginning.
function shortName(name: string): string {
  let short = name;
  while (new TextEncoder().encode(short).length > 200) short = [...short].slice(1).join('');
  return short;
}

const mostErrors = 100;

const sum = (a: { added: number; known: number }, b: typeof a): typeof a => ({
  added: a.added + b.added,
  known: a.known + b.known,
});

// The reports of two parts of one file.
export const together = (a: ImportReport | null, b: ImportReport): ImportReport =>
  a === null
    ? b
    : {
        file: b.file ?? a.file ?? null,
        records: a.records + b.records,
        moves: a.moves + b.moves,
        seeds: sum(a.seeds, b.seeds),
        evaluations: {
          ...sum(a.evaluations, b.evaluations),
          unread: (a.evaluations.unread ?? 0) + (b.evaluations.unread ?? 0),
        },
        sources: [...new Set([...(a.sources ?? []), ...(b.sources ?? [])])],
        notes: { added: a.notes.added + b.notes.added },
        skipped: a.skipped + b.skipped,
        broken: a.broken + b.broken,
        errors: [...a.errors, ...b.errors].slice(0, mostErrors),
        warned: (a.warned ?? 0) + (b.warned ?? 0),
        warnings: [...(a.warnings ?? []), ...(b.warnings ?? [])].slice(0, mostErrors),
      };
