// The import dialog: a file, what to take of it, and the report.
import { run, type Ctx, explain, toast } from '../../ctx';
import { bytes, count, percent, plural } from '../../ui/format';
import { inOrder } from '../../data/store';
import type { Analysis, ImportFormat, ImportReport } from '../../data/types';
import { dialog } from '../../ui/dialog';
import {
  button,
  checkbox,
  dropHandlers,
  field,
  form,
  h,
  segments,
  type Child,
  type VNode,
  choiceField,
  inputField,
  alertLine,
} from '../../ui/dom';
import { placesView, toldAt } from '../../ui/places';
import { type ImportState, formatOf, initialImport, refusal, toOrder, together } from './importState';
import { ApiError } from '../../data/api';
import { change, loadAnalyses } from '../../data/entities';

// A file goes to the server in parts of whole games or lines, so that no request is too large and progress can be shown.
// What the server says of each is added up.
export interface Part {
  text: string;
  bytes: number; // of the file up to the end of this part
  linesBefore: number; // in the file before this part
}

const newline = 10;
const event = [...'[Event "'].map(letter => letter.charCodeAt(0));

// Where the last whole game or line ends; 0 if none does.
function lastEnd(bytes: Uint8Array, format: ImportFormat): number {
  for (let at = bytes.lastIndexOf(newline); at >= 0; at = at ? bytes.lastIndexOf(newline, at - 1) : -1) {
    if (format !== 'pgn') return at + 1;
    if (event.every((letter, i) => bytes[at + 1 + i] === letter)) return at + 1;
  }
  return 0;
}

// UTF-8; lines that are not are taken for Windows-1252, as old databases are.
export function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // line by line below
  }
  const cut = bytes.indexOf(newline) + 1;
  if (!cut || cut === bytes.length) return new TextDecoder('windows-1252').decode(bytes);
  const lines: string[] = [];
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(newline, from) + 1 || bytes.length;
    lines.push(decode(bytes.subarray(from, end)));
    from = end;
  }
  return lines.join('');
}

function linesOf(bytes: Uint8Array): number {
  let lines = 0;
  for (const byte of bytes) if (byte === newline) lines++;
  return lines;
}

// `size`: bytes read at once; a part may be larger by a game that does not fit.
export async function* parts(file: Blob, format: ImportFormat, size: number): AsyncGenerator<Part> {
  let held = new Uint8Array(0);
  let linesBefore = 0;
  for (let from = 0; from < file.size; from += size) {
    const more = new Uint8Array(await file.slice(from, from + size).arrayBuffer());
    const bytes = new Uint8Array(held.length + more.length);
    bytes.set(held);
    bytes.set(more, held.length);
    const last = from + size >= file.size;
    const end = last ? bytes.length : lastEnd(bytes, format);
    held = bytes.slice(end);
    if (!end) continue;
    const whole = bytes.subarray(0, end);
    yield { text: decode(whole), bytes: Math.min(file.size, from + size) - held.length, linesBefore };
    linesBefore += linesOf(whole);
  }
}

const partSize = 1 << 20; // bytes; the server takes eight times as much
const mostKept = 4 << 20; // of a file that becomes one of the analysis: it is sent as a whole

// `analysis`: whose seeds are proposed; null = none.
export function openImport(ctx: Ctx, analysis: number | null): void {
  const { state } = ctx;
  if (!state.import || state.import.sent === null) state.import = initialImport(analysis);
  state.dialog = 'import';
  if (!state.store.analyses.complete) run(ctx, loadAnalyses(ctx)); // else the one that is open is there to choose
  ctx.redraw();
}

function set(ctx: Ctx, fields: Partial<ImportState>): void {
  const i = ctx.state.import;
  if (!i) return;
  Object.assign(i, fields, { errors: {} });
  ctx.redraw();
}

function choose(ctx: Ctx, file: File | null): void {
  const i = ctx.state.import;
  if (!i || i.sent !== null) return;
  i.file = file;
  i.dropping = false;
  i.format = (file && formatOf(file.name)) ?? i.format;
  const why = file && refusal(file);
  i.errors = why ? { file: why } : {};
  ctx.redraw();
}

// The analysis that was chosen, as far as it is known here.
const target = (ctx: Ctx, { analysis }: ImportState): Analysis | null =>
  analysis === null ? null : ctx.state.store.analyses.get(analysis);

const stop = (i: ImportState): void => i.sending?.abort();

async function submit(ctx: Ctx, i: ImportState): Promise<void> {
  const read = toOrder(i);
  if (i.sent !== null) return;
  i.errors = 'errors' in read ? read.errors : {};
  if ('errors' in read) {
    ctx.redraw(() => document.querySelector<HTMLElement>('dialog.import [aria-invalid=true]')?.focus());
    return;
  }
  const { order, file } = read;
  const own = new AbortController();
  Object.assign(i, { sending: own, sent: 0, report: null, accepted: false });
  const seeded = order.analysis !== undefined;
  const keep = seeded && order.format === 'pgn' && file.size <= mostKept;
  i.reported = { name: file.name, format: order.format, seeded, tooLarge: file.size > mostKept };
  ctx.redraw();
  try {
    for await (const part of parts(file, order.format, keep ? mostKept : partSize)) {
      const before = { records_before: i.report?.records ?? 0, lines_before: part.linesBefore };
      i.report = together(
        i.report,
        await ctx.api.import(part.text, { ...order, keep, ...before }, own.signal),
      );
      i.sent = part.bytes;
      ctx.redraw();
    }
    await accept(ctx, i);
  } catch (error) {
    i.errors = own.signal.aborted
      ? { '': 'Stopped. What was read before is kept.' }
      : problem(error, i.report !== null);
  } finally {
    Object.assign(i, { sent: null, sending: null });
    if (ctx.state.dialog !== 'import') tell(ctx, i, file.name);
    ctx.redraw(() => document.querySelector('.import-report')?.scrollIntoView({ block: 'nearest' }));
  }
}

// Where the dialog was closed meanwhile.
function tell(ctx: Ctx, i: ImportState, name: string): void {
  const { report: r, errors } = i;
  const bad = errors[''] ?? errors['file'];
  const added = r && `${plural(r.seeds.added, 'seed')}, ${plural(r.evaluations.added, 'evaluation')} added`;
  toast(ctx, `${name}: ${bad ?? added ?? ''}`, bad ? { tone: 'bad' } : {});
}

function problem(error: unknown, begun: boolean): ImportState['errors'] {
  if (error instanceof DOMException)
    return { file: 'The file cannot be read. Has it changed since it was chosen?' };
  const text = explain(error);
  if (error instanceof ApiError && error.where === 'query.plies') return { plies: text };
  return { '': begun ? `${text} What was read before is kept; the whole file can be sent again.` : text };
}

// Lets the file's evaluations count in the analysis, if that is wanted and there are any.
async function accept(ctx: Ctx, i: ImportState): Promise<void> {
  const { sources } = i.report ?? {};
  if (i.analysis === null || !i.accept || !sources?.length) return;
  const now = (await ctx.api.analysis(i.analysis)).accept ?? [];
  const missing = sources.filter(name => !now.includes(name));
  if (missing.length && !now.includes('any')) await change(ctx, i.analysis, { accept: [...now, ...missing] });
  i.accepted = true;
}

const formats: [ImportFormat, string][] = [
  ['pgn', 'PGN'],
  ['epd', 'EPD'],
  ['jsonl', 'Lichess JSONL'],
];

export function importDialog(ctx: Ctx, i: ImportState, close: () => void): VNode {
  const busy = i.sent !== null;
  return dialog('.import', 'Import', close, [
    h('div.export-grid', { class: { dropping: i.dropping }, on: onDrop(ctx, i) }, [
      form('.export-form', { attrs: { novalidate: true } }, () => run(ctx, submit(ctx, i)), [
        h('fieldset.bare', { attrs: { disabled: busy } }, [fileField(ctx, i), ...options(ctx, i)]),
        alertLine(i.errors['']),
        h('div.actions.left', [
          h('button.primary', { attrs: { type: 'submit', disabled: busy } }, 'Import'),
          busy ? button('', { label: 'Stop', run: () => stop(i) }) : null,
          busy ? h('span.muted', { attrs: { role: 'status' } }, percent(share(i))) : null,
        ]),
      ]),
      h('div.import-report', { attrs: { 'aria-busy': String(busy), 'data-testid': 'report' } }, [
        h('div', { attrs: { role: 'status' } }, i.report ? reportView(ctx, i, i.report) : explanation(i)),
        i.report && errorsView(i, i.report),
        i.report?.file ? toldView(i.report, i.report.file) : null,
      ]),
    ]),
  ]);
}

const share = (i: ImportState): number => (i.file?.size ? (i.sent ?? 0) / i.file.size : 0);

const onDrop = (ctx: Ctx, i: ImportState): ReturnType<typeof dropHandlers> =>
  dropHandlers(
    i.dropping || i.sent !== null,
    dropping => set(ctx, { dropping }),
    files => {
      const own = document.querySelector<HTMLInputElement>('#import-file');
      if (own && files?.length && i.sent === null) own.files = files; // the field tells its name
      choose(ctx, files?.[0] ?? null);
    },
  );

const fileField = (ctx: Ctx, i: ImportState): VNode =>
  field({
    id: 'import-file',
    label: 'File',
    error: i.errors['file'],
    hint: i.file
      ? bytes(i.file.size)
      : 'Games, EPD records or lichess’ evaluations. It can be dropped here, too.',
    control: attrs =>
      h('input', {
        attrs: { ...attrs, type: 'file', accept: '.pgn,.epd,.fen,.jsonl,.ndjson,.txt', autofocus: true },
        on: { change: event => choose(ctx, (event.target as HTMLInputElement).files?.[0] ?? null) },
      }),
  });

function options(ctx: Ctx, i: ImportState): Child[] {
  const seeding = i.analysis !== null;
  return [
    segments('Format', i.format, formats, format => set(ctx, { format })),
    choiceField(
      {
        id: 'import-analysis',
        label: 'Moves become seeds of',
        hint: seeding ? 'Scored by its engine where its search comes by.' : 'Only evaluations are kept.',
      },
      String(i.analysis ?? ''),
      targets(ctx, i),
      id => set(ctx, { analysis: id ? Number(id) : null }),
    ),
    seeding && i.format === 'pgn'
      ? segments('Which moves', i.moves, { all: 'With variations', main: 'Main lines' }, moves =>
          set(ctx, { moves }),
        )
      : null,
    seeding
      ? segments('Whose moves', i.side, { both: 'Both sides', white: 'White', black: 'Black' }, side =>
          set(ctx, { side }),
        )
      : null,
    seeding
      ? inputField(
          { id: 'import-plies', label: 'Plies from the root', error: i.errors['plies'] },
          { inputmode: 'numeric', autocomplete: 'off', placeholder: 'all' },
          i.plies,
          plies => set(ctx, { plies }),
        )
      : null,
    seeding
      ? checkbox('import-accept', 'Its evaluations count in this analysis', i.accept, accept =>
          set(ctx, { accept }),
        )
      : null,
  ];
}

function targets(ctx: Ctx, i: ImportState): [string, string][] {
  const own = target(ctx, i);
  const known: Analysis[] = inOrder(ctx.state.store.analyses.all());
  const all = own && !known.some(a => a.id === own.id) ? [own, ...known] : known;
  return [['', 'No analysis'], ...all.map(a => [String(a.id), a.name] as [string, string])];
}

const explanations: Record<ImportFormat, string> = {
  pgn: 'Moves of games become seeds, [%eval] comments and scores of engine matches evaluations.',
  epd: 'bm and pv become seeds, ce and dm evaluations.',
  jsonl: 'Lines of lichess’ evaluation export become evaluations.',
};

const explanation = (i: ImportState): Child[] => [
  h('p.muted', explanations[i.format]),
  h(
    'p.muted',
    'Evaluations are kept with where they come from. They count in an analysis that accepts them, and nowhere else.',
  ),
  h('p.muted', 'A game that cannot be read is named here with its line; up to there it counts.'),
];

const units: Record<ImportFormat, [string, string]> = {
  pgn: ['game', 'games'],
  epd: ['record', 'records'],
  jsonl: ['line', 'lines'],
};

function reportView(ctx: Ctx, i: ImportState, r: ImportReport): Child[] {
  const { name, format, seeded } = i.reported!;
  const taken = ({ added, known }: ImportReport['seeds']): string =>
    `${count(added)} added${known ? `, ${count(known)} known before` : ''}`;
  const row = (label: string, value: string): VNode[] => [h('dt', label), h('dd', value)];
  const one = target(ctx, i)?.name ?? '';
  const missed = seeded && r.moves > 0 && r.seeds.added + r.seeds.known === 0;
  return [
    h('h3.cut', { attrs: { title: name } }, i.sent === null ? name : `${name}, so far`),
    h('dl.report', [
      ...row('Read', `${plural(r.records, ...units[format])}, ${plural(r.moves, 'move')}`),
      ...(seeded ? row('Seeds', taken(r.seeds)) : []),
      ...row(
        'Evaluations',
        taken(r.evaluations) +
          (r.evaluations.unread ? `, ${count(r.evaluations.unread)} not understood` : ''),
      ),
      ...(r.notes.added ? row('Notes', `${plural(r.notes.added, 'comment')} kept as notes`) : []),
      ...(seeded && format === 'pgn' ? row('File', keptText(i, r)) : []),
      ...(r.skipped ? row('Skipped', `${plural(r.skipped, ...units[format])} with nothing to take`) : []),
      ...(r.broken ? row('Broken', plural(r.broken, 'place')) : []),
    ]),
    missed ? h('p.muted', `No line of the file leads through the root of ${one || 'the analysis'}.`) : null,
    i.accepted ? h('p.muted', `Its evaluations count in ${one || 'the analysis'}.`) : null,
  ];
}

// What became of the file itself.
function keptText(i: ImportState, { file }: ImportReport): string {
  if (!file) return i.reported?.tooLarge ? 'not kept: it has more than 4 MiB' : 'not kept';
  const { mended, refused } = file;
  return [
    `${plural(file.games, 'game')} kept as they are${file.known ? ', known before' : ''}`,
    mended ? `${plural(mended, 'place')} mended` : '',
    refused ? `${plural(refused, 'place')} left out` : '',
  ]
    .filter(Boolean)
    .join(', ');
}

// Where it had to be mended, or something of it left out; without the places that are named already.
function toldView(r: ImportReport, file: NonNullable<ImportReport['file']>): VNode | null {
  const named = new Set([...r.errors, ...(r.warnings ?? [])].map(e => e.line));
  const places = file.told.filter(t => !named.has(t.line));
  const more = file.mended + file.refused - file.told.length;
  return places.length ? placesView('Mended or left out', 'told', places.map(toldAt), more) : null;
}

function errorsView(i: ImportState, r: ImportReport): VNode | null {
  const places = [...r.errors, ...(r.warnings ?? [])];
  const more = r.broken + (r.warned ?? 0) - places.length;
  if (!places.length) return null;
  const { format } = i.reported!;
  const where = (e: ImportReport['errors'][number]): string =>
    format === 'jsonl' ? `line ${e.line}` : `${units[format][0]} ${e.record}, line ${e.line}`;
  const said = places.map((e): [string, string] => [where(e), e.message]);
  return placesView('What could not be read', 'errors', said, more);
}
