// The games that people brought to the analysis: file by file, or one of them open.
import { assign, openMenu, run, type Ctx } from '../../../ctx';
import type { ListedFile } from '../../../data/types';
import { button, dropHandlers, form, h, input, moreButton, alertLine } from '../../../ui/dom';
import type { Child, VNode } from '../../../ui/dom';
import { count, moment, plural } from '../../../ui/format';
import { icon } from '../../../ui/icons';
import { placesView, toldAt } from '../../../ui/places';
import type { TreeState } from '../treeState';
import * as ctrl from './filesCtrl';
import { factsOf, playersOf, type FilesState } from './filesState';
import { gameView } from './gameView';

export { enter } from './filesCtrl';

export function view(ctx: Ctx, tree: TreeState): VNode {
  const { files } = tree;
  if (!files) return h('div.skeleton');
  if (files.open) return gameView({ ctx, tree, files, open: files.open });
  const { list } = files;
  return h(
    'div.file-list',
    {
      key: 'list',
      class: { dropping: files.dropping },
      attrs: { 'data-testid': 'files' },
      on: ctx.state.shared
        ? {}
        : dropHandlers(
            files.dropping,
            dropping => assign(ctx, files, { dropping }),
            dropped => {
              files.dropping = false;
              run(ctx, ctrl.addFiles(ctx, tree, files, dropped));
            },
          ),
    },
    [
      ctx.state.shared ? null : addView(ctx, tree, files),
      files.told ? toldView(ctx, files, files.told) : null,
      alertLine(files.problem),
      ...(list ?? []).map(file => fileView(ctx, tree, files, file)),
      list && !list.length
        ? h(
            'p.muted',
            'None yet. Games, chapters, a repertoire: they are kept as they come, with variations, comments and signs, and their moves are searched here.',
          )
        : null,
      list || files.problem ? null : h('div.skeleton'),
    ],
  );
}

function addView(ctx: Ctx, tree: TreeState, files: FilesState): VNode {
  const set = (adding: boolean): void => assign(ctx, files, { adding });
  const choose = h('label.button.file', [
    h('span', 'Choose a file…'),
    h('input.hidden', {
      attrs: {
        type: 'file',
        'aria-label': 'Choose a file…',
        accept: '.pgn,.txt',
        multiple: true,
        disabled: files.sending,
      },
      on: {
        change: event => {
          const field = event.target as HTMLInputElement;
          run(
            ctx,
            ctrl.addFiles(ctx, tree, files, field.files).then(() => (field.value = '')),
          );
        },
      },
    }),
  ]);
  const head = h('div.rep-actions', [
    choose,
    button('', { label: 'Paste a game…', pressed: files.adding, run: () => set(!files.adding) }),
    h('span.muted', { attrs: { role: 'status' } }, files.sending ? 'Reading…' : 'or drop files here'),
  ]);
  if (!files.adding) return h('div.files-add', { key: 'add' }, [head]);
  return form('.files-add', { key: 'add' }, () => run(ctx, ctrl.add(ctx, tree, files, files.pasted)), [
    head,
    h('label.hidden', { attrs: { for: 'pasted' } }, 'Games as PGN'),
    h('textarea', {
      attrs: { id: 'pasted', rows: 6, placeholder: '1. e4 e5 (1... c5 {my move}) 2. Nf3 *' },
      props: { value: files.pasted },
      hook: { insert: vnode => (vnode.elm as HTMLElement).focus() },
      on: { input: event => (files.pasted = (event.target as HTMLTextAreaElement).value) },
    }),
    h('div.actions', [
      button('', { label: 'Cancel', run: () => set(false) }),
      h('button.primary', { attrs: { type: 'submit', disabled: files.sending } }, 'Keep the games'),
    ]),
  ]);
}

// Where what came had to be mended, or something of it left out.
function toldView(
  ctx: Ctx,
  files: FilesState,
  { name, more, places }: NonNullable<FilesState['told']>,
): VNode {
  const close = (): void => assign(ctx, files, { told: null });
  return h('section', { key: 'told', attrs: { 'aria-label': 'What was read' } }, [
    h('div.section-head', [
      h('h2', `${name}: ${plural(places.length + more, 'place')} mended or left out`),
      button('.text', { label: 'Close', run: close }),
    ]),
    placesView('Places', 'told', places.map(toldAt), more),
  ]);
}

function fileView(ctx: Ctx, tree: TreeState, files: FilesState, file: ListedFile): VNode {
  const more = file.games.length - files.rows;
  return h('section', { key: file.id, attrs: { 'aria-label': file.name, 'data-testid': 'file' } }, [
    h('div.section-head', [
      files.renaming?.id === file.id
        ? renameView(ctx, tree, files, files.renaming)
        : h('h2.cut', { attrs: { title: file.name } }, file.name),
      h('span.muted.small', `${plural(file.games.length, 'game')}, ${moment(file.at)}`),
      button('.quiet.square.small', {
        label: `Actions for ${file.name}`,
        icon: icon('more'),
        attrs: { 'aria-haspopup': 'menu' },
        run: event => menu(ctx, tree, files, file, event.currentTarget as Element),
      }),
    ]),
    h('ul.review-list', [
      ...file.games.slice(0, files.rows).map(game =>
        h('li', { key: game.number }, [
          h(
            'button',
            {
              attrs: { type: 'button', 'data-testid': 'file-game' },
              on: { click: () => run(ctx, ctrl.openGame(ctx, tree, files, file, game.number)) },
            },
            [
              h('span', [
                h('b', playersOf(game.tags)),
                factsOf(game.tags) ? h('span.muted', ` ${factsOf(game.tags)}`) : null,
              ]),
              h('span.muted.small', counts(game)),
            ],
          ),
        ]),
      ),
      more > 0
        ? h('li.muted', [
            moreButton(`${count(more)} more`, () => assign(ctx, files, { rows: files.rows + 500 })),
          ])
        : null,
    ]),
  ]);
}

const counts = ({ plies, variations, comments }: ListedFile['games'][number]): string =>
  [
    plural(Math.ceil(plies / 2), 'move'),
    variations ? plural(variations, 'variation') : '',
    comments ? plural(comments, 'comment') : '',
  ]
    .filter(Boolean)
    .join(', ');

function menu(ctx: Ctx, tree: TreeState, files: FilesState, file: ListedFile, opener: Element): void {
  const download = { label: 'Download as PGN', run: () => run(ctx, ctrl.download(ctx, tree, file)) };
  const rename = {
    label: 'Rename…',
    run: () => assign(ctx, files, { renaming: { id: file.id, name: file.name } }),
  };
  const remove = { label: 'Delete', danger: true, run: () => run(ctx, ctrl.remove(ctx, tree, files, file)) };
  openMenu(ctx, opener, file.name, ctx.state.shared ? [download] : [rename, download, remove]);
}

function renameView(
  ctx: Ctx,
  tree: TreeState,
  files: FilesState,
  wish: NonNullable<FilesState['renaming']>,
): VNode {
  const close = (): void => assign(ctx, files, { renaming: null });
  const name: Child = input({ 'aria-label': 'Name of the file', maxlength: 200 }, wish.name, text => {
    wish.name = text;
  });
  return form(
    '.files-rename',
    {
      hook: { insert: vnode => (vnode.elm as HTMLElement).querySelector('input')?.select() },
      on: { keydown: event => event.key === 'Escape' && close() },
    },
    () => run(ctx, ctrl.rename(ctx, tree, files)),
    [
      name,
      h('button.primary', { attrs: { type: 'submit' } }, 'Rename'),
      button('', { label: 'Cancel', run: close }),
    ],
  );
}
