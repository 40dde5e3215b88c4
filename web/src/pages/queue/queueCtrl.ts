// What can be done with the queue.
import { attempt, explain, openMenu, run, toast } from '../../ctx';
import type { Ctx } from '../../ctx';
import { openImport } from '../../dialogs/import/importCtrl';
import { openSettings } from '../../dialogs/settings/settingsCtrl';
import type { MenuItem } from '../../state';
import type { Analysis, AnalysisPatch } from '../../data/types';
import { dropIndex, putAnalysis, reorder, visible } from './queueState';

export const rowHeight = 84; // px, as in queue.css (one column on phones is higher, and not dragged)
const undoTime = 7000; // ms

export function enter(ctx: Ctx): void {
  run(ctx, refresh(ctx));
}

export async function refresh(ctx: Ctx): Promise<void> {
  const { queue } = ctx.state;
  const orders = queue.orders;
  try {
    const [analyses, engines] = await Promise.all([ctx.api.analyses(), ctx.api.engines()]);
    // An answer from before the latest move would put the rows back; who moves them asks again.
    if (queue.orders === orders) queue.analyses = analyses;
    queue.engines = engines;
    queue.problem = null;
  } catch (error) {
    queue.problem = explain(error);
  }
  ctx.redraw();
}

export async function patch(ctx: Ctx, id: number, body: AnalysisPatch): Promise<boolean> {
  return attempt(ctx, async () => {
    const analysis = await ctx.api.patch(id, body);
    putAnalysis(ctx.state.queue, analysis);
    if (ctx.state.tree?.id === id) ctx.state.tree.analysis = analysis;
  });
}

export const toggle = (ctx: Ctx, analysis: Analysis): Promise<boolean> =>
  patch(ctx, analysis.id, { hold: !analysis.hold });

// Deletions wait, hidden, until the time for undo has passed.
const waiting = new Map<number, ReturnType<typeof setTimeout>>();

export function remove(ctx: Ctx, analysis: Analysis): void {
  const { queue } = ctx.state;
  const { id } = analysis;
  queue.deleting.add(id);
  const close = toast(ctx, `“${analysis.name}” is deleted. Its evaluations are kept.`, {
    ms: undoTime,
    action: {
      label: 'Undo',
      run: () => {
        clearTimeout(waiting.get(id));
        waiting.delete(id);
        queue.deleting.delete(id);
        close();
      },
    },
  });
  waiting.set(
    id,
    setTimeout(() => run(ctx, finishRemoval(ctx, id, false)), undoTime),
  );
}

async function finishRemoval(ctx: Ctx, id: number, leaving: boolean): Promise<void> {
  waiting.delete(id);
  const { queue } = ctx.state;
  const gone = await attempt(ctx, () => ctx.api.remove(id, leaving));
  if (gone) queue.analyses = queue.analyses?.filter(a => a.id !== id) ?? null;
  queue.deleting.delete(id);
}

// The page is being closed: nothing stays undecided.
export function finishRemovals(ctx: Ctx): void {
  for (const [id, timer] of waiting) {
    clearTimeout(timer);
    run(ctx, finishRemoval(ctx, id, true));
  }
}

export async function move(ctx: Ctx, from: number, to: number): Promise<void> {
  const { queue } = ctx.state;
  const analysis = visible(queue)[from];
  if (!analysis || from === to || to < 0 || to >= visible(queue).length) return;
  const before = queue.analyses;
  const rank = reorder(queue, from, to);
  const order = ++queue.orders;
  ctx.redraw();
  const moved = rank !== null && (await patch(ctx, analysis.id, { rank }));
  if (queue.orders !== order) return; // moved again meanwhile: the last one asks
  if (!moved) queue.analyses = before;
  await refresh(ctx);
}

// To the neighbouring place, from wherever the analysis is by now.
function step(ctx: Ctx, id: number, by: 1 | -1): void {
  const from = visible(ctx.state.queue).findIndex(a => a.id === id);
  if (from >= 0) run(ctx, move(ctx, from, from + by));
}

export function startDrag(ctx: Ctx, analysis: Analysis, event: PointerEvent): void {
  if (event.button !== 0) return;
  const handle = event.currentTarget as HTMLElement;
  const from = visible(ctx.state.queue).findIndex(a => a.id === analysis.id);
  const startY = event.clientY + window.scrollY;
  const { queue } = ctx.state;
  queue.drag = { id: analysis.id, from, to: from, offset: 0 };
  handle.setPointerCapture(event.pointerId);
  event.preventDefault();

  const onMove = (e: PointerEvent): void => {
    if (!queue.drag) return;
    queue.drag.offset = e.clientY + window.scrollY - startY;
    queue.drag.to = dropIndex(queue.drag, rowHeight, visible(queue).length);
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
  const shown = visible(ctx.state.queue);
  const at = shown.findIndex(a => a.id === analysis.id);
  const items: MenuItem[] = [
    {
      label: analysis.hold ? 'Resume' : 'Pause',
      run: () => run(ctx, toggle(ctx, analysis)),
    },
    { label: 'Settings…', run: () => openSettings(ctx, analysis) },
    { label: 'Move up', disabled: at <= 0, run: () => step(ctx, analysis.id, -1) },
    { label: 'Move down', disabled: at >= shown.length - 1, run: () => step(ctx, analysis.id, 1) },
    {
      label: 'Raise priority',
      run: () => run(ctx, patch(ctx, analysis.id, { priority: analysis.priority + 1 }).then(() => refresh(ctx))),
    },
    {
      label: 'Lower priority',
      run: () => run(ctx, patch(ctx, analysis.id, { priority: analysis.priority - 1 }).then(() => refresh(ctx))),
    },
    { label: 'Import…', run: () => openImport(ctx, analysis.id) },
    { label: 'Duplicate…', run: () => ctx.go({ page: 'new', copy: analysis.id }) },
    { label: 'Delete', danger: true, run: () => remove(ctx, analysis) },
  ];
  openMenu(ctx, button, `Actions for ${analysis.name}`, items);
}
