// Search as you type over the opening names: a combobox with a list.
import type { Ctx } from '../../ctx';
import type { OpeningLine } from '../../data/types';
import { h } from '../../ui/dom';
import type { VNode } from '../../ui/dom';
import { icon } from '../../ui/icons';
import * as ctrl from './createCtrl';
import type { CreateState } from './createState';

export function openingField(ctx: Ctx, create: CreateState): VNode {
  const { opening } = create;
  const results = opening.open ? opening.results : null;
  const active = results?.[opening.active];
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') ctrl.closeOpenings(ctx, create);
    else if (event.key === 'Enter') {
      if (!ctrl.enterOpening(ctx, create)) return;
    } else if (!results?.length) return;
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const step = event.key === 'ArrowDown' ? 1 : -1;
      opening.active = (opening.active + step + results.length) % results.length;
      ctx.redraw();
    } else return;
    event.preventDefault();
  };
  return h('div.field.combo', { key: 'opening' }, [
    h('label', { attrs: { for: 'opening' } }, 'Opening, by name or ECO'),
    h('div.combo-input', [
      icon('search'),
      h('input', {
        attrs: {
          id: 'opening',
          role: 'combobox',
          autocomplete: 'off',
          spellcheck: 'false',
          placeholder: 'Najdorf, C65, Caro…',
          'aria-expanded': String(Boolean(results)),
          'aria-controls': 'opening-list',
          'aria-autocomplete': 'list',
          ...(active && { 'aria-activedescendant': `opening-${opening.active}` }),
        },
        props: { value: opening.query },
        on: {
          input: event => ctrl.searchOpenings(ctx, create, (event.target as HTMLInputElement).value),
          keydown: onKey,
          // the list takes the pointer before the field loses the focus
          blur: () => ctrl.closeOpenings(ctx, create),
        },
      }),
    ]),
    h(
      'ul.combo-list',
      { attrs: { id: 'opening-list', role: 'listbox', 'aria-label': 'Openings', hidden: !results } },
      results?.length
        ? results.map((line, i) => option(ctx, create, line, i, i === opening.active))
        : [
            h(
              'li.muted',
              { attrs: { role: 'option', 'aria-disabled': 'true', 'aria-selected': 'false' } },
              'No opening of that name',
            ),
          ],
    ),
  ]);
}

function option(ctx: Ctx, create: CreateState, line: OpeningLine, index: number, active: boolean): VNode {
  return h(
    'li',
    {
      key: line.eco + line.pgn,
      class: { active },
      attrs: { id: `opening-${index}`, role: 'option', 'aria-selected': String(active) },
      hook: {
        postpatch: (_, vnode) => active && (vnode.elm as HTMLElement).scrollIntoView({ block: 'nearest' }),
      },
      on: {
        pointerdown: event => {
          event.preventDefault(); // keep the focus where it is
          ctrl.chooseOpening(ctx, create, line);
        },
      },
    },
    [h('b', line.eco), h('span', [line.name, h('small.muted', line.pgn)])],
  );
}
