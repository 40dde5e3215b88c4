// One field that takes anything: an opening by name, moves, a FEN, EPD or PGN. Names are completed in a list.
import type { Ctx } from '../../ctx';
import type { OpeningLine } from '../../data/types';
import { each, field, h, type VNode } from '../../ui/dom';
import { icon } from '../../ui/icons';
import * as ctrl from './createCtrl';
import type { CreateState } from './createState';

// `begin`: what Enter does, where there is nothing to take from a list.
export function positionField(ctx: Ctx, create: CreateState, begin: () => void): VNode {
  const { opening } = create;
  const results = opening.open && opening.results?.length ? opening.results : null;
  const active = results?.[opening.active];
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Tab') return ctrl.closeOpenings(ctx, create);
    if (event.key === 'Escape' && results) ctrl.closeOpenings(ctx, create);
    else if (event.key === 'Enter' && !event.shiftKey) {
      if (!ctrl.enterOpening(ctx, create)) begin();
    } else if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    else if (!ctrl.nextOpening(ctx, create, event.key === 'ArrowDown' ? 1 : -1)) return;
    event.preventDefault();
  };
  const rows = Math.min(6, create.input.split('\n').length);
  return h('div.combo', { key: 'position' }, [
    field({
      id: 'position',
      label: 'Opening, moves, FEN or PGN',
      error: (create.inputKept ? null : create.inputProblem) ?? create.errors['position'],
      hint: 'Type or paste, in any usual spelling or language. Or play on the board, or drop a PGN file here.',
      control: attrs =>
        h('div.combo-input', [
          icon('search'),
          h('textarea', {
            attrs: {
              ...attrs,
              rows,
              spellcheck: 'false',
              autocomplete: 'off',
              autocapitalize: 'off',
              placeholder: 'Najdorf · 1. e4 c5 2. Sf3 · C65',
              'aria-autocomplete': 'list',
              'aria-haspopup': 'listbox',
              ...(results && { 'aria-controls': 'opening-list' }),
              ...(active && { 'aria-activedescendant': `opening-${opening.active}` }),
            },
            props: { value: create.input },
            on: {
              input: event => ctrl.typed(ctx, create, (event.target as HTMLTextAreaElement).value),
              keydown: onKey,
              // the list takes the pointer before the field loses the focus
              blur: () => afterPress(() => ctrl.closeOpenings(ctx, create)),
            },
          }),
        ]),
    }),
    create.inputKept && create.inputProblem
      ? h('p.input-note', { attrs: { role: 'status', 'data-testid': 'input-note' } }, create.inputProblem)
      : null,
    results
      ? each(
          'ul.combo-list',
          { attrs: { id: 'opening-list', role: 'listbox', 'aria-label': 'Openings' } },
          results,
          (line, i) => option(ctx, create, line, i, i === opening.active),
        )
      : null,
  ]);
}

// What stands below the list moves up when it closes: not under a pointer that is pressed there, or its click is lost.
function afterPress(work: () => void): void {
  if (document.querySelector(':active')) window.addEventListener('mouseup', work, { once: true });
  else work();
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
