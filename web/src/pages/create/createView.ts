// The page for a new analysis: board left, three short steps right.
import { boardView } from '../../ui/board/boardView';
import { promotionView } from '../../ui/board/promotionView';
import { follow, moveNumber, plyOf, sanLine, startFen } from '../../chess/chess';
import { run, type Ctx } from '../../ctx';
import { pageView } from '../../ui/frameView';
import { formOf, budgetFields, engineField, nameField, searchFields } from '../../setup/setupFields';
import {
  button,
  checkbox,
  dropHandlers,
  each,
  form,
  h,
  segments,
  choiceField,
  alertLine,
} from '../../ui/dom';
import type { Child, VNode } from '../../ui/dom';
import { flipButton, walkButtons } from '../../ui/walkButtons';
import * as ctrl from './createCtrl';
import type { CreateState } from './createState';
import { presets } from '../../setup/presets';
import { editorBoard, editorView } from './editorView';
import { submit } from './makeCtrl';
import { positionField } from './positionField';
import { summary } from './summary';

export function createView(ctx: Ctx, create: CreateState): VNode {
  return dropZone(ctx, create, [
    pageView('.create', 'New analysis', [
      h('div.page-head', [h('h1', 'New analysis')]),
      h('div.create-grid', [boardSide(ctx, create), createForm(ctx, create)]),
    ]),
  ]);
}

export const dropZone = (ctx: Ctx, create: CreateState, children: Child[]): VNode =>
  h(
    'div.drop-zone',
    {
      key: 'create',
      class: { dropping: create.dropping },
      on: dropHandlers(
        create.dropping,
        dropping => ctrl.set(ctx, create, { dropping }),
        files => {
          if (files?.[0]) run(ctx, ctrl.dropFile(ctx, create, files[0]));
          else ctrl.set(ctx, create, { dropping: false });
        },
      ),
    },
    children,
  );

export function boardSide(ctx: Ctx, create: CreateState): VNode {
  const place = follow(create.fen, create.moves.slice(0, create.cursor));
  const { editor } = create;
  return h('div.board-pane', [
    h('div.board-box', [
      editor
        ? editorBoard({
            board: editor.board,
            orientation: create.orientation,
            hasBrush: () => Boolean(create.editor?.brush),
            onClick: square => ctrl.editClick(ctx, create, square),
            onChange: board => ctrl.editSome(ctx, create, { board }),
          })
        : boardView({
            place,
            orientation: create.orientation,
            shapes: [],
            label: `Board, ${place?.turn === 'black' ? 'Black' : 'White'} to move`,
            onMove: (from, to) => ctrl.onBoardMove(ctx, create, from, to),
            serial: create.promotion ? 1 : 0,
          }),
      create.promotion
        ? promotionView(place?.turn ?? 'white', create.promotion.to, create.orientation, role =>
            ctrl.promote(ctx, create, role),
          )
        : null,
    ]),
    h('div.controls', { attrs: { role: 'toolbar', 'aria-label': 'Walk' } }, [
      ...walkButtons(create.cursor, create.moves.length, to => ctrl.walk(ctx, create, to)),
      flipButton(() => ctrl.flip(ctx, create)),
      h('span.controls-gap'),
      button('.quiet', {
        label: editor ? 'Done' : 'Set up',
        title: editor ? 'Back to playing moves' : 'Put pieces on the board; Chess960 by number',
        run: () =>
          editor ? ctrl.endEditing(ctx, create) : ctrl.editFrom(ctx, create, place?.fen ?? startFen),
      }),
      editor ? null : button('.quiet', { label: 'Start position', run: () => ctrl.reset(ctx, create) }),
    ]),
    editor ? editorView(ctx, create, editor) : movesLine(ctx, create),
  ]);
}

function movesLine(ctx: Ctx, create: CreateState): VNode {
  const ply = plyOf(create.fen);
  const steps = sanLine(create.fen, create.moves);
  if (!steps.length)
    return h(
      'p.muted.create-line',
      create.fen === startFen
        ? 'The start position. Play moves on the board, or use the fields.'
        : create.fen,
    );
  return each('ol.crumbs.create-line', { attrs: { 'aria-label': 'Moves to the root' } }, steps, (s, i) => {
    const number = moveNumber(ply + i, i === 0);
    return h('li', { key: i, class: { later: i >= create.cursor } }, [
      number ? h('span.number', number) : null,
      h(
        'button.crumb',
        {
          attrs: { type: 'button', ...(i === create.cursor - 1 && { 'aria-current': 'step' }) },
          on: { click: () => ctrl.walk(ctx, create, i + 1) },
        },
        s.san,
      ),
    ]);
  });
}

function createForm(ctx: Ctx, create: CreateState): VNode {
  const setup = formOf(ctx, '', create);
  return form('.create-form', { attrs: { novalidate: true } }, () => run(ctx, submit(ctx, create)), [
    step('1', 'Position', [
      ...positionFields(ctx, create, () => run(ctx, submit(ctx, create))),
      nameField(setup, create.each && create.games.length ? 'as the game' : 'as the opening'),
    ]),
    step('2', 'How long', [presetFields(ctx, create), ...(create.unfolded ? budgetFields(setup) : [])]),
    create.unfolded ? step('3', 'How to search', [engineField(setup), ...searchFields(setup)]) : null,
    h(
      'div.summary',
      { attrs: { 'data-testid': 'summary' } },
      summary(create, ctx.state.store, ctx.clock.now())
        .filter(Boolean)
        .map(text => h('p', text)),
    ),
    alertLine(create.errors['']),
    h('div.actions', [
      checkbox('hold', 'Start paused', create.hold, hold => ctrl.set(ctx, create, { hold })),
      h(
        'button.primary',
        { attrs: { type: 'submit', 'data-testid': 'create', disabled: create.busy } },
        create.each && create.games.length
          ? create.busy
            ? `Creating… ${create.made} of ${create.games.length}`
            : `Start ${create.games.length - create.made} analyses`
          : create.busy
            ? 'Creating…'
            : 'Start the analysis',
      ),
    ]),
  ]);
}

const step = (number: string, title: string, children: Child[]): VNode =>
  h('fieldset', [
    h('legend', [h('span.step', { attrs: { 'aria-hidden': 'true' } }, number), title]),
    ...children,
  ]);

export function positionFields(ctx: Ctx, create: CreateState, begin: () => void): Child[] {
  const chosen = create.games.findIndex(g => g.moves === create.moves && g.fen === create.fen);
  return [
    positionField(ctx, create, begin),
    ...(create.games.length ? eachFields(ctx, create) : []),
    create.games.length && !create.each
      ? choiceField(
          { id: 'game', label: `Game (${create.games.length} in this PGN)` },
          String(Math.max(0, chosen)),
          create.games.map((g, i) => [String(i), g.label] as const),
          value => ctrl.chooseGame(ctx, create, Number(value)),
        )
      : null,
    create.file && !create.each
      ? h(
          'p.muted.small',
          { key: 'kept' },
          'What the file says is kept with the analysis: comments, variations, signs.',
        )
      : null,
  ];
}

// A file of several games or chapters.
function eachFields(ctx: Ctx, create: CreateState): Child[] {
  const number = create.games.length;
  return [
    segments(
      'Analyses',
      create.each ? 'each' : 'one',
      { one: 'One analysis', each: `One for each of ${number} games` },
      which => ctrl.set(ctx, create, { each: which === 'each' }),
    ),
    create.each
      ? segments(
          'They begin',
          create.rootAt,
          { end: 'where each game ends', start: 'where it begins' },
          rootAt => ctrl.set(ctx, create, { rootAt }),
        )
      : null,
    create.each
      ? h(
          'p.muted.small',
          { key: 'each' },
          'A chapter begins at the position that it is set up with. Each game is kept with its analysis.',
        )
      : null,
  ];
}

function presetFields(ctx: Ctx, create: CreateState): VNode {
  return h('div.presets', [
    segments(
      'Time',
      create.preset ?? 'own',
      [...presets.map(p => [p.key, p.label] as const), ['own', 'Own settings']],
      key => {
        const preset = presets.find(p => p.key === key);
        if (preset) ctrl.usePreset(ctx, create, preset);
        else ctrl.set(ctx, create, { preset: null, unfolded: true });
      },
    ),
    button('.text', {
      label: create.unfolded ? 'Fewer settings' : 'All settings',
      attrs: { 'aria-expanded': String(create.unfolded) },
      run: () => ctrl.set(ctx, create, { unfolded: !create.unfolded }),
    }),
  ]);
}
