// Import: a file goes to the server part by part, and what it says of each is added up.
import { ApiError } from '../../data/api';
import { change, loadAnalyses } from '../../data/entities';
import { explain, run, toast, type Ctx } from '../../ctx';
import type { Analysis } from '../../data/types';
import { plural } from '../../ui/format';
import { formatOf, initialImport, refusal, toOrder, together, type ImportState } from './importState';
import { parts } from './parts';

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

export function set(ctx: Ctx, fields: Partial<ImportState>): void {
  const i = ctx.state.import;
  if (!i) return;
  Object.assign(i, fields, { errors: {} });
  ctx.redraw();
}

export function choose(ctx: Ctx, file: File | null): void {
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
export const target = (ctx: Ctx, { analysis }: ImportState): Analysis | null =>
  analysis === null ? null : ctx.state.store.analyses.get(analysis);

export const stop = (i: ImportState): void => i.sending?.abort();

export async function submit(ctx: Ctx, i: ImportState): Promise<void> {
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
