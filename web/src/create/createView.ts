// The page for a new analysis: board left, three short steps right.
import { boardView } from '../board/boardView';
import { promotionView } from '../board/promotionView';
import { follow, moveNumber, plyOf, sanLine, startFen } from '../chess';
import { run } from '../ctx';
import type { Ctx } from '../ctx';
import { pageView } from '../frame/frameView';
import { button, checkbox, choice, field, h, input, segments } from '../ui/dom';
import type { Child, VNode } from '../ui/dom';
import { icon } from '../ui/icons';
import * as ctrl from './createCtrl';
import type { CreateState, LimitKind } from './createState';
import { openingField } from './openingField';
import { planFields, stopFields } from './ruleFields';
import { strategyText } from './strategies';
import { summary } from './summary';

export function createView(ctx: Ctx): VNode {
  const { create } = ctx.state;
  return h(
    'div.drop-zone',
    {
      key: 'create',
      class: { dropping: create.dropping },
      on: {
        dragover: event => {
          event.preventDefault();
          if (!create.dropping) ctrl.set(ctx, { dropping: true });
        },
        dragleave: event => {
          if (event.target === event.currentTarget) ctrl.set(ctx, { dropping: false });
        },
        drop: event => {
          event.preventDefault();
          const file = event.dataTransfer?.files[0];
          if (file) run(ctx, ctrl.dropFile(ctx, file));
          else ctrl.set(ctx, { dropping: false });
        },
      },
    },
    [
      pageView('.create', 'New analysis', [
        h('div.page-head', [h('h1', 'New analysis')]),
        h('div.create-grid', [boardSide(ctx, create), form(ctx, create)]),
      ]),
    ],
  );
}

function boardSide(ctx: Ctx, create: CreateState): VNode {
  const place = follow(create.fen, create.moves.slice(0, create.cursor));
  const square = '.quiet.square.big';
  const go = (to: number) => (): void => ctrl.walk(ctx, to);
  return h('div.board-pane', [
    h('div.board-box', [
      boardView({
        place,
        orientation: 'white',
        shapes: [],
        label: `Board, ${place?.turn === 'black' ? 'Black' : 'White'} to move`,
        onMove: (from, to) => ctrl.onBoardMove(ctx, from, to),
        serial: create.promotion ? 1 : 0,
      }),
      create.promotion
        ? promotionView(place?.turn ?? 'white', create.promotion.to, 'white', role => {
            const asked = create.promotion;
            create.promotion = null;
            if (role && asked) ctrl.onBoardMove(ctx, asked.from, asked.to, role);
            ctx.redraw();
          })
        : null,
    ]),
    h('div.controls', { attrs: { role: 'toolbar', 'aria-label': 'Walk' } }, [
      button(square, { label: 'To the start', icon: icon('first'), disabled: !create.cursor, run: go(0) }),
      button(square, {
        label: 'Back',
        icon: icon('back'),
        disabled: !create.cursor,
        run: go(create.cursor - 1),
      }),
      button(square, {
        label: 'Forward',
        icon: icon('forward'),
        disabled: create.cursor >= create.moves.length,
        run: go(create.cursor + 1),
      }),
      button(square, {
        label: 'To the end',
        icon: icon('last'),
        disabled: create.cursor >= create.moves.length,
        run: go(create.moves.length),
      }),
      h('span.controls-gap'),
      button('.quiet', { label: 'Start position', run: () => ctrl.reset(ctx) }),
    ]),
    movesLine(ctx, create),
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
  return h(
    'ol.crumbs.create-line',
    { attrs: { 'aria-label': 'Moves to the root' } },
    steps.map((s, i) => {
      const number = moveNumber(ply + i, i === 0);
      return h('li', { key: i, class: { later: i >= create.cursor } }, [
        number ? h('span.number', number) : null,
        h(
          'button.crumb',
          {
            attrs: { type: 'button', ...(i === create.cursor - 1 && { 'aria-current': 'step' }) },
            on: { click: () => ctrl.walk(ctx, i + 1) },
          },
          s.san,
        ),
      ]);
    }),
  );
}

function form(ctx: Ctx, create: CreateState): VNode {
  return h(
    'form.create-form',
    {
      attrs: { novalidate: true },
      on: {
        submit: event => {
          event.preventDefault();
          run(ctx, ctrl.submit(ctx));
        },
      },
    },
    [
      step('1', 'Position', positionFields(ctx, create)),
      step('2', 'How to search', searchFields(ctx, create)),
      step('3', 'How long', budgetFields(ctx, create)),
      h(
        'div.summary',
        { attrs: { 'data-testid': 'summary' } },
        summary(create, new Date(ctx.state.now))
          .filter(Boolean)
          .map(text => h('p', text)),
      ),
      create.errors[''] ? h('p.error', { attrs: { role: 'alert' } }, create.errors['']) : null,
      h('div.actions', [
        checkbox('hold', 'Start paused', create.hold, hold => ctrl.set(ctx, { hold })),
        h(
          'button.primary',
          { attrs: { type: 'submit', 'data-testid': 'create', disabled: create.busy } },
          create.busy ? 'Creating…' : 'Start the analysis',
        ),
      ]),
    ],
  );
}

const step = (number: string, title: string, children: Child[]): VNode =>
  h('fieldset', [
    h('legend', [h('span.step', { attrs: { 'aria-hidden': 'true' } }, number), title]),
    ...children.filter((c): c is VNode | string => Boolean(c)),
  ]);

function positionFields(ctx: Ctx, create: CreateState): Child[] {
  return [
    openingField(ctx, create),
    field({
      id: 'position',
      label: 'Or FEN, moves, PGN',
      error: create.inputProblem ?? create.errors['position'],
      hint: 'Type or paste; a PGN file can be dropped anywhere on this page.',
      control: attrs =>
        h('textarea', {
          attrs: {
            ...attrs,
            rows: 2,
            spellcheck: 'false',
            autocomplete: 'off',
            placeholder: '1. e4 c5 2. Nf3',
          },
          props: { value: create.input },
          on: { input: event => ctrl.typed(ctx, (event.target as HTMLTextAreaElement).value) },
        }),
    }),
    create.games.length
      ? field({
          id: 'game',
          label: `Game (${create.games.length} in this PGN)`,
          control: attrs =>
            choice(
              attrs,
              String(
                Math.max(
                  0,
                  create.games.findIndex(g => g.moves === create.moves && g.fen === create.fen),
                ),
              ),
              create.games.map((g, i) => [String(i), g.label] as const),
              value => ctrl.chooseGame(ctx, Number(value)),
            ),
        })
      : null,
    field({
      id: 'name',
      label: 'Name',
      error: create.errors['name'],
      control: attrs =>
        input(
          { ...attrs, autocomplete: 'off', maxlength: 200, placeholder: 'as the opening' },
          create.name,
          name => ctrl.set(ctx, { name }),
        ),
    }),
  ];
}

const limits: [LimitKind, string, string][] = [
  ['depth', 'Depth', '12'],
  ['nodes', 'Nodes', '500000'],
  ['movetime_ms', 'Time', '1000'],
];

function searchFields(ctx: Ctx, create: CreateState): Child[] {
  const engines = ctx.state.queue.engines ?? [];
  const { strategies } = ctx.state.offers;
  const kinds = strategies.includes(create.strategy) ? strategies : [...strategies, create.strategy];
  const text = strategyText(create.strategy);
  const number = (id: string, label: string, value: string, key: keyof CreateState, hint?: string): VNode =>
    field({
      id,
      label,
      error: create.errors[id],
      ...(hint !== undefined && { hint }),
      control: attrs =>
        input({ ...attrs, inputmode: 'numeric', autocomplete: 'off' }, value, text =>
          ctrl.set(ctx, { [key]: text }),
        ),
    });
  return [
    engines.length > 1
      ? field({
          id: 'engine',
          label: 'Engine',
          error: create.errors['engine'],
          control: attrs =>
            choice(
              attrs,
              create.engine ?? engines.find(e => e.default)?.name ?? '',
              engines.map(e => [e.name, e.identity ? `${e.name} (${e.identity.name})` : e.name] as const),
              engine => ctrl.set(ctx, { engine }),
            ),
        })
      : null,
    h('div.field-row', [
      segments(
        'Limit of each search',
        create.limitKind,
        limits.map(([key, label]) => [key, label] as const),
        limitKind => ctrl.set(ctx, { limitKind, limitValue: limits.find(([key]) => key === limitKind)![2] }),
      ),
      number(
        'limit',
        create.limitKind === 'movetime_ms'
          ? 'Milliseconds'
          : create.limitKind === 'nodes'
            ? 'Nodes'
            : 'Depth',
        create.limitValue,
        'limitValue',
      ),
    ]),
    field({
      id: 'strategy.kind',
      label: 'Strategy',
      error: create.errors['strategy.kind'],
      hint: text.hint,
      control: attrs =>
        choice(
          attrs,
          create.strategy,
          kinds.map(kind => [kind, strategyText(kind).name] as const),
          strategy => ctrl.set(ctx, { strategy, strategyMore: {} }),
        ),
    }),
    h('div.fields', [
      number('strategy.move_distance', 'Move distance (cp)', create.distance, 'distance'),
      number(
        'strategy.refine',
        text.windowed ? 'Depth of the tree (plies)' : 'Levels',
        create.refine,
        'refine',
        'empty: without end',
      ),
      text.floor && create.planMode === 'none'
        ? number('strategy.floor', 'Narrowest window (cp)', create.floor, 'floor')
        : null,
    ]),
    ...(text.windowed ? planFields(ctx, create) : []),
    stopFields(ctx, create),
  ];
}

function budgetFields(ctx: Ctx, create: CreateState): Child[] {
  const text = (
    id: string,
    label: string,
    key: keyof CreateState,
    attrs: Record<string, string> = {},
  ): VNode =>
    field({
      id,
      label,
      error: create.errors[id],
      control: own =>
        input(
          { ...own, inputmode: 'numeric', autocomplete: 'off', placeholder: 'no limit', ...attrs },
          create[key] as string,
          value => ctrl.set(ctx, { [key]: value }),
        ),
    });
  const clock = (label: string, value: string, key: 'windowFrom' | 'windowTo'): VNode =>
    input(
      { 'aria-label': label, disabled: !create.windowOn, inputmode: 'numeric', maxlength: 5, size: 5 },
      value,
      v => ctrl.set(ctx, { [key]: v }),
    );
  return [
    h('div.fields', [
      text('budget.positions', 'Positions', 'positions'),
      text('budget.nodes', 'Engine nodes', 'totalNodes'),
      text('budget.engine_seconds', 'Engine minutes', 'engineMinutes'),
      text('budget.until', 'Until', 'until', { type: 'datetime-local' }),
    ]),
    h('div.window-row', { class: { wrong: Boolean(create.errors['window']) } }, [
      checkbox('window', 'Only at these hours', create.windowOn, windowOn => ctrl.set(ctx, { windowOn })),
      clock('From', create.windowFrom, 'windowFrom'),
      h('span', 'to'),
      clock('To', create.windowTo, 'windowTo'),
      h('label.priority', { attrs: { for: 'priority' } }, 'Priority'),
      input({ id: 'priority', type: 'number', min: -100, max: 100 }, create.priority, priority =>
        ctrl.set(ctx, { priority }),
      ),
    ]),
    create.errors['window'] ? h('p.error', { attrs: { role: 'alert' } }, create.errors['window']) : null,
    create.errors['priority'] ? h('p.error', { attrs: { role: 'alert' } }, create.errors['priority']) : null,
  ];
}
