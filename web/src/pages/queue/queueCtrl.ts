// What can be done with the queue.
import { assign, attempt, offerUndo, openMenu, run, type Ctx } from '../../ctx';
import { loadAnalyses, loadEngines, toggle, tryChange } from '../../data/entities';
import { answerOf } from '../../data/latest';
import type { Analysis, Machine } from '../../data/types';
import { firstVisit, load, save } from '../../data/prefs';
import { meaning, openImport, openLabels, openSettings } from '../../dialogs/parts';
import type { MenuItem } from '../../state';
import { Part, usePart } from '../../ui/part';
import { dropIndex, placeAt, select, sortKeys, visible, wanted } from './queueRows';
import type { Moved, QueueState, SortKey } from './queueState';

export const rowHeight = 84; // px, as in queue.css (one column on phones is higher, and not dragged)
const undoTime = 7000; // ms

export const bulk = new Part(() => import('./bulk'));
export const addEngine = new Part(() => import('./addEngine'));

export function enter(ctx: Ctx): void {
  ctx.state.queue.sort = sortKeys.find(key => key === load('queue.sort')) ?? 'order';
  run(ctx, refreshMachines(ctx));
  run(ctx, refreshWebhooks(ctx));
  run(ctx, arrive(ctx));
}

// Who comes for the first time, where one analysis is to be seen, is shown it with marks that say what is what.
async function arrive(ctx: Ctx): Promise<void> {
  const { state } = ctx;
  const { route } = state;
  const begins = !state.store.analyses.loaded;
  await refresh(ctx);
  const [shown, ...others] = begins ? state.store.analyses.all() : [];
  if (!shown?.best || others.length || state.route !== route || !firstVisit()) return;
  await meaning.load();
  if (state.route !== route) return;
  state.tour = 0;
  ctx.go({ page: 'tree', id: shown.id, line: [], tab: 'moves' }, 'replace');
}

export async function refresh(ctx: Ctx): Promise<void> {
  const [analyses, engines] = await Promise.all([loadAnalyses(ctx), loadEngines(ctx)]);
  const failed = [analyses, engines].find(answer => 'problem' in answer);
  ctx.state.queue.problem = failed && 'problem' in failed ? failed.problem.message : null;
  ctx.redraw();
}

// Machines that help come and go by themselves: asked for every few seconds, and not missed if it fails.
const machinesEvery = 3; // s

export function tick(ctx: Ctx): void {
  if (Math.floor(ctx.state.now / 1000) % machinesEvery === 0) run(ctx, refreshMachines(ctx));
}

export async function refreshMachines(ctx: Ctx): Promise<void> {
  const answer = await answerOf(ctx.api.machines());
  if (!('value' in answer)) return;
  ctx.state.queue.machines = answer.value;
  ctx.redraw();
}

// Servers without any may refuse to talk of them.
async function refreshWebhooks(ctx: Ctx): Promise<void> {
  const answer = await answerOf(ctx.api.webhooks());
  if (!('value' in answer)) return;
  ctx.state.queue.webhooks = answer.value.webhooks;
  ctx.redraw();
}

export async function testWebhooks(ctx: Ctx): Promise<void> {
  const { queue } = ctx.state;
  if (queue.tests === 'testing') return;
  queue.tests = 'testing';
  ctx.redraw();
  let results: QueueState['tests'] = null;
  await attempt(ctx, async () => {
    results = (await ctx.api.testWebhooks()).webhooks;
  });
  queue.tests = results;
  await refreshWebhooks(ctx);
}

export async function drain(ctx: Ctx, machine: Machine, on: boolean): Promise<void> {
  if (await attempt(ctx, () => ctx.api.drain(machine.id, on))) await refreshMachines(ctx);
}

// Deletions wait, hidden, until the time for undo has passed.
export function remove(ctx: Ctx, analysis: Analysis): void {
  const { queue } = ctx.state;
  const { id } = analysis;
  const undo = (): void => {
    queue.deleting.get(id)?.();
    queue.deleting.delete(id);
  };
  offerUndo(ctx, `“${analysis.name}” is deleted. Its evaluations are kept.`, undo, undoTime);
  queue.deleting.set(
    id,
    ctx.clock.after(undoTime, () => run(ctx, finishRemoval(ctx, id, false))),
  );
}

async function finishRemoval(ctx: Ctx, id: number, leaving: boolean): Promise<void> {
  const { queue, store } = ctx.state;
  const gone = await attempt(ctx, () => ctx.api.remove(id, leaving));
  if (gone) store.analyses.drop(id, store.now());
  queue.deleting.delete(id);
}

// The page is being closed: nothing stays undecided.
export function finishRemovals(ctx: Ctx): void {
  for (const [id, callOff] of ctx.state.queue.deleting) {
    callOff();
    run(ctx, finishRemoval(ctx, id, true));
  }
}

export async function move(ctx: Ctx, from: number, to: number): Promise<void> {
  const { queue, store } = ctx.state;
  const rows = visible(queue, store);
  const id = rows[from]?.id;
  if (id === undefined || from === to || to < 0 || to >= rows.length) return;
  const { rank, priority } = placeAt(rows, from, to)!;
  const moved: Moved = { rank, priority, until: null };
  queue.moved.set(id, moved);
  ctx.redraw();
  const asked = store.analyses.at(id);
  const done = await tryChange(ctx, id, priority === rows[from]!.priority ? { rank } : { rank, priority });
  if (queue.moved.get(id) !== moved) return; // moved again meanwhile
  const answered = store.analyses.get(id)?.rank === rank && store.analyses.at(id) > asked;
  if (!done || answered) queue.moved.delete(id);
  else moved.until = store.analyses.at(id); // an event of before overtook the answer; its own is on the way
  ctx.redraw();
}

export function filter(ctx: Ctx, fields: Partial<Pick<QueueState, 'words' | 'only' | 'tag'>>): void {
  assign(ctx, ctx.state.queue, fields);
}

export function sortBy(ctx: Ctx, sort: SortKey): void {
  ctx.state.queue.sort = sort;
  save('queue.sort', sort === 'order' ? null : sort);
  ctx.redraw();
}

// Rows get boxes, or lose them.
export function startSelecting(ctx: Ctx, on: boolean): void {
  Object.assign(ctx.state.queue, { selecting: on, selected: new Set(), anchor: null });
  if (on) usePart(ctx, bulk, () => ctx.redraw());
  ctx.redraw();
}

export function pick(ctx: Ctx, id: number, range: boolean): void {
  const { queue, store } = ctx.state;
  select(queue, wanted(queue, visible(queue, store)), id, range);
  ctx.redraw();
}

// To the neighbouring place, from wherever the analysis is by now.
function step(ctx: Ctx, id: number, by: 1 | -1): void {
  const from = visible(ctx.state.queue, ctx.state.store).findIndex(a => a.id === id);
  if (from >= 0) run(ctx, move(ctx, from, from + by));
}

export function startDrag(ctx: Ctx, analysis: Analysis, event: PointerEvent): void {
  if (event.button !== 0) return;
  const handle = event.currentTarget as HTMLElement;
  const from = visible(ctx.state.queue, ctx.state.store).findIndex(a => a.id === analysis.id);
  const startY = event.clientY + window.scrollY;
  const { queue } = ctx.state;
  queue.drag = { id: analysis.id, from, to: from, offset: 0 };
  handle.setPointerCapture(event.pointerId);
  event.preventDefault();

  const onMove = (e: PointerEvent): void => {
    if (!queue.drag) return;
    queue.drag.offset = e.clientY + window.scrollY - startY;
    queue.drag.to = dropIndex(queue.drag, rowHeight, visible(queue, ctx.state.store).length);
    ctx.redraw();
  };
  const finish = (drop: boolean): void => {
    handle.removeEventListener('pointermove', onMove);
    handle.removeEventListener('pointerup', onUp);
    handle.removeEventListener('pointercancel', onCancel);
    const drag = queue.drag;
    queue.drag = null;
    ctx.redraw();
    if (drop && drag) run(ctx, move(ctx, drag.from, drag.to));
  };
  const onUp = (): void => finish(true);
  const onCancel = (): void => finish(false);
  handle.addEventListener('pointermove', onMove);
  handle.addEventListener('pointerup', onUp);
  handle.addEventListener('pointercancel', onCancel);
  ctx.redraw();
}

export function openRowMenu(ctx: Ctx, analysis: Analysis, button: Element): void {
  const shown = visible(ctx.state.queue, ctx.state.store);
  const at = shown.findIndex(a => a.id === analysis.id);
  const items: MenuItem[] = [
    { label: analysis.hold ? 'Resume' : 'Pause', run: () => run(ctx, toggle(ctx, analysis)) },
    { label: 'Settings…', run: () => openSettings(ctx, analysis) },
    { label: 'Tags and game…', run: () => openLabels(ctx, analysis) },
    { label: 'Move up', disabled: at <= 0, run: () => step(ctx, analysis.id, -1) },
    { label: 'Move down', disabled: at >= shown.length - 1, run: () => step(ctx, analysis.id, 1) },
    {
      label: 'Raise priority',
      run: () => run(ctx, tryChange(ctx, analysis.id, { priority: analysis.priority + 1 })),
    },
    {
      label: 'Lower priority',
      run: () => run(ctx, tryChange(ctx, analysis.id, { priority: analysis.priority - 1 })),
    },
    { label: 'Import…', run: () => openImport(ctx, analysis.id) },
    { label: 'Duplicate…', run: () => ctx.go({ page: 'new', copy: analysis.id }) },
    { label: 'Delete', danger: true, run: () => remove(ctx, analysis) },
  ];
  openMenu(ctx, button, `Actions for ${analysis.name}`, items);
}
