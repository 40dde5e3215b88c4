// What can be done with several analyses at once. Its code comes when rows are first selected.
import { assign, openMenu, run, toast, type Ctx } from '../../ctx';
import { tryChange } from '../../data/entities';
import type { Analysis, AnalysisPatch } from '../../data/types';
import { openDelete, openTags } from '../../dialogs/parts';
import { button, h, type VNode } from '../../ui/dom';
import { plural } from '../../ui/format';
import { chosen } from './queueRows';

const analyses = (n: number): string => plural(n, 'analysis', 'analyses');

export function bulkBar(ctx: Ctx, shown: readonly Analysis[]): VNode {
  const { queue } = ctx.state;
  const rows = chosen(queue, shown);
  const none = !rows.length;
  const act = (label: string, work: (event: Event) => unknown, selector = ''): VNode =>
    button(selector, { key: label, label, disabled: none, run: work });
  const choose = (ids: Iterable<number>): void => assign(ctx, queue, { selected: new Set(ids) });
  return h('div.bulk', { key: 'bulk', attrs: { role: 'toolbar', 'aria-label': 'Selected analyses' } }, [
    h(
      'span.muted',
      { attrs: { role: 'status', 'data-testid': 'selected' } },
      `${rows.length} of ${shown.length} selected`,
    ),
    button('.text', {
      key: 'all',
      label: `All ${shown.length} shown`,
      disabled: rows.length === shown.length,
      run: () => choose(shown.map(a => a.id)),
    }),
    button('.text', { key: 'none', label: 'None', disabled: none, run: () => choose([]) }),
    act('Pause', () => run(ctx, hold(ctx, rows, true))),
    act('Resume', () => run(ctx, hold(ctx, rows, false))),
    act('Priority…', event => openPriority(ctx, rows, event.currentTarget as Element)),
    act('Tags…', () =>
      openTags(
        ctx,
        rows.map(a => a.id),
      ),
    ),
    act(
      'Delete…',
      () =>
        openDelete(
          ctx,
          rows.map(a => a.id),
        ),
      '.danger',
    ),
  ]);
}

// One after the other; the first that is refused ends it.
async function changeAll(
  ctx: Ctx,
  rows: readonly Analysis[],
  patch: (a: Analysis) => AnalysisPatch,
  done: string,
): Promise<void> {
  for (const a of rows) if (!(await tryChange(ctx, a.id, patch(a)))) return;
  toast(ctx, `${analyses(rows.length)} ${done}.`);
}

export function hold(ctx: Ctx, rows: readonly Analysis[], held: boolean): Promise<void> {
  const changing = rows.filter(
    a => a.hold !== held && (!held || a.state === 'running' || a.state === 'queued'),
  );
  return changeAll(ctx, changing, () => ({ hold: held }), held ? 'paused' : 'resumed');
}

function openPriority(ctx: Ctx, rows: readonly Analysis[], opener: Element): void {
  const to = (label: string, priority: (a: Analysis) => number) => ({
    label,
    run: () => {
      const within = (a: Analysis): number => Math.max(-100, Math.min(100, priority(a)));
      run(
        ctx,
        changeAll(ctx, rows, a => ({ priority: within(a) }), 'have another priority'),
      );
    },
  });
  openMenu(ctx, opener, `Priority of ${analyses(rows.length)}`, [
    to('Raise by 1', a => a.priority + 1),
    to('Lower by 1', a => a.priority - 1),
    to('Before all others', () => 1 + Math.max(0, ...ctx.state.store.analyses.all().map(b => b.priority))),
    to(
      'When nothing else is to do',
      () => Math.min(0, ...ctx.state.store.analyses.all().map(b => b.priority)) - 1,
    ),
    to('Set to 0', () => 0),
  ]);
}
