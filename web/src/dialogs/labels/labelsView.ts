// The dialogs of tags, games and the deletion of several analyses.
import { assign, run, type Ctx, attempt, toast } from '../../ctx';
import { limits } from '../../data/described';
import { dialog } from '../../ui/dialog';
import { button, each, form, h, type Child, type VNode, inputField } from '../../ui/dom';
import { plural } from '../../ui/format';
import { tagsOf, toggled, oneOf, patchOf, retagged } from './labelsState';
import type { DeleteState, GameKey, LabelsState, OneState, TagState } from './labelsState';
import { change } from '../../data/entities';
import { answerOf } from '../../data/latest';
import type { Analysis } from '../../data/types';

// Changes tags and games; deletes several analyses after one question.
function open(ctx: Ctx, labels: LabelsState): void {
  ctx.state.labels = labels;
  ctx.state.dialog = 'labels';
  ctx.redraw();
}

export const openLabels = (ctx: Ctx, a: Analysis): void => open(ctx, oneOf(a));

export const openTags = (ctx: Ctx, ids: number[]): void =>
  open(ctx, { kind: 'tag', ids, add: '', drop: new Set(), busy: false, problem: null });

export const openDelete = (ctx: Ctx, ids: number[]): void =>
  open(ctx, { kind: 'delete', ids, busy: false, problem: null });

async function saveOne(ctx: Ctx, labels: OneState, close: () => void): Promise<void> {
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

async function saveTags(ctx: Ctx, labels: TagState, close: () => void): Promise<void> {
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

async function deleteAll(ctx: Ctx, labels: DeleteState, close: () => void): Promise<void> {
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

export function labelsDialog(ctx: Ctx, labels: LabelsState, close: () => void): VNode {
  if (labels.kind === 'one') return oneDialog(ctx, labels, close);
  return labels.kind === 'tag' ? tagDialog(ctx, labels, close) : deleteDialog(ctx, labels, close);
}

const actions = (label: string, busy: boolean, close: () => void, danger = false): VNode =>
  h('div.actions', [
    button('', { label: 'Cancel', run: close }),
    h(`button.${danger ? 'danger' : 'primary'}`, { attrs: { type: 'submit', disabled: busy } }, label),
  ]);

// Tags that others have: one click gives or takes one.
const known = (tags: readonly string[], on: readonly string[], flip: (tag: string) => void): Child =>
  tags.length
    ? each('div.tag-choice', { attrs: { role: 'group', 'aria-label': 'Tags in use' } }, tags, tag =>
        button('.tag', { key: tag, label: tag, pressed: on.includes(tag), run: () => flip(tag) }),
      )
    : null;

const used = (ctx: Ctx): string[] =>
  [...new Set(ctx.state.store.analyses.all().flatMap(a => a.tags))].sort().slice(0, 40);

const names: Record<GameKey, string> = {
  opponent: 'Opponent',
  move_by: 'Move by',
  white: 'White',
  black: 'Black',
  event: 'Event',
  site: 'Site',
  round: 'Round',
  date: 'Played on',
  clock: 'Clocks (White – Black)',
};

function oneDialog(ctx: Ctx, labels: OneState, close: () => void): VNode {
  const set = (): void => assign(ctx, labels, { problem: null });
  const text = (key: GameKey, attrs: Record<string, string | number> = {}): VNode =>
    inputField(
      {
        id: `labels-${key}`,
        label: names[key],
        error: labels.problem?.where === `game.${key}` ? labels.problem.message : undefined,
      },
      { autocomplete: 'off', maxlength: 200, ...attrs },
      labels.game[key],
      value => {
        labels.game[key] = value;
        set();
      },
    );
  const elsewhere = labels.problem && !/^(tags|game\.)/.test(labels.problem.where);
  return dialog('.labels', `Tags and game of ${labels.title}`, close, [
    form('', { attrs: { novalidate: true } }, () => run(ctx, saveOne(ctx, labels, close)), [
      inputField(
        {
          id: 'labels-tags',
          label: 'Tags',
          hint: 'With commas between them: najdorf, for the club',
          error: labels.problem?.where.startsWith('tags') ? labels.problem.message : undefined,
        },
        { autocomplete: 'off' },
        labels.tags,
        tags => {
          labels.tags = tags;
          set();
        },
      ),
      known(used(ctx), tagsOf(labels.tags), tag => {
        labels.tags = toggled(labels.tags, tag);
        set();
      }),
      h('h3', 'Correspondence game'),
      h('div.fields', [text('opponent'), text('move_by', { type: 'date' })]),
      h('h3', 'Game'),
      h('div.fields', [text('white'), text('black'), text('clock')]),
      h('div.fields', [text('event'), text('site'), text('date'), text('round')]),
      elsewhere ? h('p.error', { attrs: { role: 'alert' } }, labels.problem!.message) : null,
      actions('Save', labels.busy, close),
    ]),
  ]);
}

function tagDialog(ctx: Ctx, labels: TagState, close: () => void): VNode {
  const chosen = labels.ids.map(id => ctx.state.store.analyses.get(id)).filter(a => a !== null);
  const there = [...new Set(chosen.flatMap(a => a.tags))].sort();
  const set = (add: string): void => assign(ctx, labels, { add, problem: null });
  return dialog('.labels', `Tag ${plural(labels.ids.length, 'analysis', 'analyses')}`, close, [
    form('', { attrs: { novalidate: true } }, () => run(ctx, saveTags(ctx, labels, close)), [
      inputField(
        {
          id: 'labels-add',
          label: 'All of them get',
          hint: 'With commas between them',
          error: labels.problem?.message,
        },
        { autocomplete: 'off', maxlength: limits.name[1] },
        labels.add,
        set,
      ),
      known(used(ctx), tagsOf(labels.add), tag => set(toggled(labels.add, tag))),
      there.length
        ? h('div.labelled', [
            h('span.muted.small', 'Taken from all that have it'),
            each(
              'div.tag-choice',
              { attrs: { role: 'group', 'aria-label': 'Taken from all that have it' } },
              there,
              tag =>
                button('.tag', {
                  key: tag,
                  label: tag,
                  pressed: labels.drop.has(tag),
                  run: () => {
                    if (!labels.drop.delete(tag)) labels.drop.add(tag);
                    ctx.redraw();
                  },
                }),
            ),
          ])
        : null,
      actions('Save', labels.busy, close),
    ]),
  ]);
}

function deleteDialog(ctx: Ctx, labels: DeleteState, close: () => void): VNode {
  const all = labels.ids.map(id => ctx.state.store.analyses.get(id)?.name ?? `Analysis ${id}`);
  const few = all.slice(0, 8);
  const what = plural(all.length, 'analysis', 'analyses');
  return dialog('.labels', `Delete ${what}?`, close, [
    form('', { attrs: { novalidate: true } }, () => run(ctx, deleteAll(ctx, labels, close)), [
      each('ul.ask-list', {}, few, name => h('li.cut', name)),
      all.length > few.length ? h('p.muted', `and ${all.length - few.length} more`) : null,
      h(
        'p',
        'Notes, orders and progress go. The engines’ evaluations are kept: made again, an analysis is soon where it was.',
      ),
      actions(labels.busy ? 'Deleting…' : `Delete ${what}`, labels.busy, close, true),
    ]),
  ]);
}
