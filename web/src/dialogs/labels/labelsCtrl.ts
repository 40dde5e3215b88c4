// Changes tags and games; deletes several analyses after one question.
import { assign, attempt, toast, type Ctx } from '../../ctx';
import { change } from '../../data/entities';
import { answerOf } from '../../data/latest';
import type { Analysis } from '../../data/types';
import { plural } from '../../ui/format';
import { oneOf, patchOf, retagged } from './labelsState';
import type { DeleteState, LabelsState, OneState, TagState } from './labelsState';

export function open(ctx: Ctx, labels: LabelsState): void {
  ctx.state.labels = labels;
  ctx.state.dialog = 'labels';
  ctx.redraw();
}

export const openLabels = (ctx: Ctx, a: Analysis): void => open(ctx, oneOf(a));

export const openTags = (ctx: Ctx, ids: number[]): void =>
  open(ctx, { kind: 'tag', ids, add: '', drop: new Set(), busy: false, problem: null });

export const openDelete = (ctx: Ctx, ids: number[]): void =>
  open(ctx, { kind: 'delete', ids, busy: false, problem: null });

export async function saveOne(ctx: Ctx, labels: OneState, close: () => void): Promise<void> {
  if (labels.busy) return;
  const patch = patchOf(labels);
  if (!Object.keys(patch).length) return close();
  labels.busy = true;
  const saved = await answerOf(change(ctx, labels.id, patch));
  labels.busy = false;
  if ('problem' in saved) labels.problem = saved.problem;
  else close();
  ctx.redraw();
}

export async function saveTags(ctx: Ctx, labels: TagState, close: () => void): Promise<void> {
  if (labels.busy) return;
  labels.busy = true;
  ctx.redraw();
  for (const id of labels.ids) {
    const a = ctx.state.store.analyses.get(id);
    const tags = a && retagged(a, labels);
    if (!tags || tags.join() === a.tags.join()) continue;
    const saved = await answerOf(change(ctx, id, { tags }));
    if ('problem' in saved) {
      assign(ctx, labels, { busy: false, problem: saved.problem });
      return;
    }
  }
  labels.busy = false;
  close();
}

export async function deleteAll(ctx: Ctx, labels: DeleteState, close: () => void): Promise<void> {
  if (labels.busy) return;
  labels.busy = true;
  ctx.redraw();
  const { store, queue } = ctx.state;
  let gone = 0;
  for (const id of labels.ids) {
    const done = await attempt(ctx, () => ctx.api.remove(id));
    if (!done) break;
    store.analyses.drop(id, store.now());
    queue.selected.delete(id);
    gone += 1;
  }
  labels.busy = false;
  close();
  if (gone) toast(ctx, `${plural(gone, 'analysis', 'analyses')} deleted. Their evaluations are kept.`);
}
