// A game that is open: its moves with variations, comments and signs as in print, and below them what can be changed.
import { moveNumber } from '../../../chess/chess';
import { glyphText, hasBefore, hasVariation, moveGlyphs, positionGlyphs } from '../../../chess/gameTree';
import { assign, run } from '../../../ctx';
import { button, each, h, type Child, type VNode, moreButton } from '../../../ui/dom';
import { count, plural } from '../../../ui/format';
import { icon } from '../../../ui/icons';
import * as ctrl from './filesCtrl';
import type { Here } from './filesCtrl';
import { factsOf, playersOf, type OpenGame } from './filesState';

export function gameView({ ctx, tree, files, open }: Here): VNode {
  const { game, editing } = open;
  const tags = Object.fromEntries([...(game.kept.tags ?? [])].reverse().map(t => [t.name, t.value]));
  return h('div.file-list.game', { key: 'game', attrs: { 'data-testid': 'game' } }, [
    h('div.section-head', [
      button('.quiet.square', {
        label: 'All files',
        icon: icon('back'),
        run: () => run(ctx, ctrl.closeGame(ctx, tree, files)),
      }),
      h('h2.cut', { attrs: { title: open.name } }, [
        playersOf(tags),
        h('span.muted', ` ${[factsOf(tags), open.name].filter(Boolean).join(' · ')}`),
      ]),
      ...(ctx.state.shared
        ? []
        : [
            button('.quiet.square', {
              label: 'Undo',
              title: 'Take back the last change of this game',
              icon: icon('repeat'),
              disabled: !game.kept.undo,
              run: () => ctrl.undo({ ctx, tree, files, open }),
            }),
            button(editing ? '' : '.primary', {
              label: editing ? 'Done' : 'Edit',
              title: editing
                ? 'Moves on the board leave the game as it is'
                : 'Moves on the board go into the game',
              run: () => ctrl.setEditing({ ctx, tree, files, open }, !editing),
            }),
          ]),
    ]),
    movesView({ ctx, tree, files, open }),
    editing ? editor({ ctx, tree, files, open }) : null,
  ]);
}

// The list is drawn anew only where something of it has changed.
let drawn: { open: OpenGame; of: readonly unknown[]; list: VNode } | null = null;

function movesView({ ctx, tree, files, open }: Here): VNode {
  const of = [open.game, open.at, open.shown];
  if (drawn?.open !== open || of.some((value, i) => drawn!.of[i] !== value))
    drawn = { open, of, list: listView({ ctx, tree, files, open }) };
  return drawn.list;
}

function listView({ ctx, tree, files, open }: Here): VNode {
  const { game } = open;
  const { kept, nodes } = game;
  // A move further down is drawn where it is chosen.
  const most = Math.max(open.shown, (open.at ?? 0) + 50);
  let left = most;
  const keep = (vnode: VNode): void => keepInSight(vnode.elm as HTMLElement);

  const moveView = (at: number, begins: boolean): Child[] => {
    const { move, ply, root } = nodes[at]!;
    const { san, nags = [], before, comment, marks = [], clock } = move!;
    const number = moveNumber(ply, begins);
    const drawings = marks.length ? plural(marks.length, 'mark on the board', 'marks on the board') : '';
    return [
      before ? h('span.said', before) : null,
      number ? h('span.number', number) : null,
      h(
        'button.game-move',
        {
          key: at,
          class: { outside: root < 0 },
          attrs: {
            type: 'button',
            ...(at === open.at && { 'aria-current': 'true' }),
            ...(root < 0 && { title: 'Not below the root of the analysis' }),
          },
          on: { click: event => ctrl.goTo({ ctx, tree, files, open }, at, event.currentTarget as Element) },
        },
        san + glyphText(nags),
      ),
      drawings
        ? h('span.drawings', { attrs: { title: drawings, role: 'img', 'aria-label': drawings } }, '◎')
        : null,
      clock ? h('span.muted.small', ` ${clock} `) : null,
      comment ? h('span.said', comment) : null,
    ];
  };
  // A line from its first move on; behind a move what could have been played instead.
  const lineView = (first: number, alone: boolean): Child[] => {
    const out: Child[] = [];
    let begins = true;
    for (let at: number | undefined = first; at !== undefined && left > 0; at = nodes[at]!.children[0]) {
      left -= 1;
      out.push(...moveView(at, begins || Boolean(nodes[at]!.move!.before)));
      begins = Boolean(nodes[at]!.move!.comment);
      const { children } = nodes[nodes[at]!.parent]!;
      if ((alone && at === first) || children.length < 2) continue;
      begins = true;
      for (const other of children.slice(1))
        if (left > 0) out.push(h('div.variation', { key: `v${other}` }, lineView(other, true)));
    }
    return out;
  };
  const first = nodes[0]!.children[0];
  const list = first === undefined ? [h('span.muted', 'No moves yet.')] : lineView(first, false);
  const more = nodes.length - 1 - most;
  return h(
    'div.game-moves',
    {
      attrs: { role: 'group', 'aria-label': 'Moves of the game', 'data-testid': 'game-moves', tabindex: 0 },
      hook: { insert: keep, postpatch: (_, vnode) => keep(vnode) },
    },
    [
      h(
        'button.game-move',
        {
          class: { outside: nodes[0]!.root < 0 },
          attrs: { type: 'button', ...(open.at === 0 && { 'aria-current': 'true' }) },
          on: { click: event => ctrl.goTo({ ctx, tree, files, open }, 0, event.currentTarget as Element) },
        },
        'Start',
      ),
      kept.comment ? h('span.said', kept.comment) : null,
      ...list,
      kept.result ? h('b.result', kept.result) : null,
      more > 0
        ? moreButton(`${count(more)} more moves`, () => assign(ctx, open, { shown: open.shown + 2000 }))
        : null,
    ],
  );
}

const kept = new WeakMap<HTMLElement, Element>();

function keepInSight(list: HTMLElement): void {
  requestAnimationFrame(() => {
    const current = list.querySelector<HTMLElement>('[aria-current]');
    if (!current || kept.get(list) === current) return;
    kept.set(list, current);
    const box = list.getBoundingClientRect();
    const own = current.getBoundingClientRect();
    if (own.top < box.top || own.bottom > box.bottom) list.scrollTop += own.top - box.top - box.height / 2;
  });
}

function editor({ ctx, tree, files, open }: Here): VNode {
  const { game, at } = open;
  const box = (children: Child[]): VNode =>
    h('section.game-editor', { key: 'editor', attrs: { 'aria-label': 'Change the move' } }, children);
  if (at === null)
    return box([
      h('p.muted', 'The board shows a position that is not in this game. Choose a move of it to go on.'),
    ]);
  const { move } = game.nodes[at]!;
  const nags = (move ? move.nags : game.kept.nags) ?? [];
  const change = (c: Parameters<typeof ctrl.edit>[2]): void => ctrl.edit({ ctx, tree, files, open }, at, c);
  const glyphs = (label: string, row: typeof moveGlyphs): VNode =>
    each('div.segments.glyphs', { attrs: { role: 'group', 'aria-label': label } }, row, ([nag, sign, name]) =>
      button('', {
        label: sign,
        title: name,
        attrs: { 'aria-label': `${sign} ${name}` },
        pressed: nags.includes(nag),
        run: () => change({ action: nags.includes(nag) ? 'clear_nag' : 'nag', nag }),
      }),
    );
  const moves: Child[] = move
    ? [
        button('', {
          label: 'Promote',
          disabled: !hasVariation(game, at),
          title: 'One variation up',
          run: () => change({ action: 'promote' }),
        }),
        button('', {
          label: 'Make main line',
          disabled: isMain(open, at),
          run: () => change({ action: 'main' }),
        }),
        button('.danger', {
          label: 'Delete from here',
          title: 'The move and what follows it',
          run: () => change({ action: 'delete' }),
        }),
      ]
    : [];
  return box([
    h('div.rep-actions', [
      move ? glyphs('Of the move', moveGlyphs) : null,
      glyphs('Of the position', positionGlyphs),
    ]),
    h('div.game-texts', [
      move && hasBefore(game, at)
        ? text({ ctx, tree, files, open }, at, 'comment_before', `Before ${move.san}`)
        : null,
      text({ ctx, tree, files, open }, at, 'comment', move ? `After ${move.san}` : 'Before the first move'),
    ]),
    h('div.rep-actions', moves),
    h(
      'p.muted.small',
      'A move on the board becomes a variation here; arrows and circles that you draw go into the game.',
    ),
  ]);
}

// Does it stand on the main line already?
function isMain({ game }: OpenGame, at: number): boolean {
  for (let n = at; n !== 0; n = game.nodes[n]!.parent) if (hasVariation(game, n)) return false;
  return true;
}

function text(
  { ctx, tree, files, open }: Here,
  at: number,
  kind: 'comment' | 'comment_before',
  label: string,
): VNode {
  const { draft } = open;
  const written = draft?.at === at && draft.kind === kind ? draft.text : ctrl.commentOf(open.game, at, kind);
  const send = (): void => ctrl.sendDraft({ ctx, tree, files, open });
  return h('div.field', { key: kind }, [
    h('label', { attrs: { for: kind } }, label),
    h('textarea', {
      attrs: { id: kind, rows: 2, maxlength: 100_000 },
      props: { value: written },
      on: {
        input: event => ctrl.write(open, at, kind, (event.target as HTMLTextAreaElement).value),
        blur: send,
        keydown: event => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          send();
        },
      },
    }),
  ]);
}
