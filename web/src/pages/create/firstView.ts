// The form of a new analysis where there is none yet: a position, and one press for a time that one has. What is typed here
// is there on the page for a new analysis, too, which has all settings.
import { run, type Ctx } from '../../ctx';
import { presets, type Preset } from '../../setup/presets';
import { button, each, h, link, type VNode } from '../../ui/dom';
import { takeTyped } from '../../data/typed';
import { typed, usePreset } from './createCtrl';
import type { CreateState } from './createState';
import { boardSide, dropZone, positionFields } from './createView';
import { submit } from './makeCtrl';

export function firstView(ctx: Ctx, create: CreateState): VNode {
  const begin = (preset: Preset): void => {
    usePreset(ctx, create, preset);
    run(ctx, submit(ctx, create));
  };
  const wrong = Object.entries(create.errors).find(([name]) => name !== 'position');
  return dropZone(ctx, create, [
    h('div.first-form', { hook: { insert: vnode => receive(ctx, create, vnode.elm as HTMLElement) } }, [
      h('div.create-form', [
        ...positionFields(ctx, create, () => begin(presets[0]!)),
        h('div.labelled', [
          h('span.muted.small', { attrs: { 'aria-hidden': 'true' } }, 'Start, and let it work for'),
          each(
            'div.first-times',
            { attrs: { role: 'group', 'aria-label': 'Start, and let it work for' } },
            presets,
            (preset, i) =>
              button(i ? '' : '.primary', {
                label: preset.label,
                disabled: create.busy,
                testid: `begin-${preset.key}`,
                run: () => begin(preset),
              }),
          ),
        ]),
        wrong ? h('p.error', { attrs: { role: 'alert' } }, wrong[1]) : null,
        link('', '#/new', 'All settings'),
      ]),
      boardSide(ctx, create),
    ]),
  ]);
}

// Who types at once types here.
function receive(ctx: Ctx, create: CreateState, form: HTMLElement): void {
  const field = form.querySelector('textarea');
  if (document.activeElement === document.body) field?.focus({ preventScroll: true });
  const early = takeTyped();
  if (!early || !field) return;
  field.value = create.input + early; // at once: the next letter may come before the next redraw
  typed(ctx, create, field.value);
}
