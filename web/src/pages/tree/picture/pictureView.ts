// The tab with the picture: canvas, legend, what is drawn.
import { sanLine, sans } from '../../../chess/chess';
import { run, type Ctx } from '../../../ctx';
import { count } from '../../../ui/format';
import { text } from '../../../chess/score';
import { outOfDate, rootFen, type TreeState } from '../treeState';
import { button, choice, empty, h, type Child, type VNode } from '../../../ui/dom';
import { what } from '../../../dialogs/parts';
import { icon } from '../../../ui/icons';
import { colour, darkPalette, isDark, lightPalette } from './palette';
import { PictureCanvas } from './pictureCanvas';
import { pictureKey, type PictureWish } from './pictureState';
import { tint } from './layout';
import type { Branch } from '../../../data/types';

// Fetches the picture of the tree.
export const mostCells = 4000;

export async function enter(ctx: Ctx, tree: TreeState): Promise<void> {
  const { picture } = tree;
  const key = pictureKey(tree.id, tree.line);
  const query = { moves: tree.line, ...picture.wish, limit: mostCells };
  picture.askedAt = ctx.clock.now();
  const answer = await picture.loading.ask(
    signal => ctx.api.tree(tree.id, query, signal),
    JSON.stringify(query),
  );
  if (!answer) return;
  if ('problem' in answer) picture.problem = answer.problem.message;
  else {
    if (picture.key !== key) Object.assign(picture, { focus: [], hover: null });
    Object.assign(picture, { tree: answer.value, key, problem: null });
  }
  ctx.redraw();
}

export function loadIfOld(ctx: Ctx, tree: TreeState): void {
  if (outOfDate(tree, tree.picture.askedAt, ctx.clock.now(), 4000)) run(ctx, enter(ctx, tree));
}

export function change(ctx: Ctx, tree: TreeState, fields: Partial<PictureWish>): void {
  Object.assign(tree.picture.wish, fields);
  run(ctx, enter(ctx, tree));
}

const canvases = new WeakMap<Node, PictureCanvas>();

export function view(ctx: Ctx, tree: TreeState): VNode {
  const { picture } = tree;
  const ready = picture.tree !== null && picture.key === pictureKey(tree.id, tree.line);
  if (picture.problem && !picture.tree) return empty(picture.problem);
  return h('div.picture', [
    h('div.picture-bar', [
      h('label', ['Plies ', plies(ctx, tree)]),
      h('label', ['Within ', margin(ctx, tree)]),
      what(ctx, 'picture', 'Picture'),
      h('span.controls-gap'),
      button('.quiet.square', {
        label: 'Zoom in',
        icon: icon('plusZoom'),
        run: () => picture.canvas?.zoomBy(1.6),
      }),
      button('.quiet.square', {
        label: 'Zoom out',
        icon: icon('minusZoom'),
        run: () => picture.canvas?.zoomBy(1 / 1.6),
      }),
      button('.quiet.square', { label: 'Show all', icon: icon('fit'), run: () => picture.canvas?.fit() }),
      button('.quiet', {
        label: 'SVG',
        title: 'Save the picture as SVG',
        run: () => picture.canvas && run(ctx, picture.canvas.save('svg')),
      }),
      button('.quiet', {
        label: 'PNG',
        title: 'Save the picture as PNG',
        run: () => picture.canvas && run(ctx, picture.canvas.save('png')),
      }),
    ]),
    h('canvas', {
      key: 'canvas',
      attrs: {
        'aria-busy': String(!ready),
        tabindex: 0,
        role: 'application',
        'data-testid': 'picture',
        'aria-label':
          'Picture of the tree. Arrow keys walk through it, Enter goes there, plus and minus zoom.',
      },
      hook: {
        insert: vnode => {
          const canvas = new PictureCanvas(vnode.elm as HTMLCanvasElement, ctx, tree);
          canvases.set(vnode.elm!, canvas);
          picture.canvas = canvas;
          canvas.update(ctx, tree);
        },
        postpatch: (_, vnode) => {
          picture.canvas = canvases.get(vnode.elm!) ?? null; // perhaps of the analysis before
          canvases.get(vnode.elm!)?.update(ctx, tree);
        },
        destroy: vnode => {
          canvases.get(vnode.elm!)?.destroy();
          picture.canvas = null;
        },
      },
    }),
    h('p.picture-info', { attrs: { 'aria-live': 'polite' } }, [
      ready ? pointed(tree) : onItsWay(ctx, picture.problem),
    ]),
    legend(tree),
  ]);
}

const onItsWay = (ctx: Ctx, problem: string | null): string =>
  ctx.state.link.status === 'offline'
    ? 'The picture of this position comes as soon as the server answers.'
    : (problem ?? 'The picture of this position is being loaded.');

function plies(ctx: Ctx, tree: TreeState): VNode {
  const options = [3, 4, 6, 8, 10, 14, 20].map(n => [String(n), String(n)] as const);
  return choice({ 'aria-label': 'Plies' }, String(tree.picture.wish.plies), options, v =>
    change(ctx, tree, { plies: Number(v) }),
  );
}

function margin(ctx: Ctx, tree: TreeState): VNode {
  const options = [10, 20, 50, 100, 300, 1000].map(n => [String(n), (n / 100).toFixed(2)] as const);
  return choice({ 'aria-label': 'Within pawns of the best' }, String(tree.picture.wish.margin), options, v =>
    change(ctx, tree, { margin: Number(v) }),
  );
}

function find(root: Branch, line: readonly string[]): Branch | null {
  let at: Branch | undefined = root;
  for (const uci of line) at = at?.children.find(c => c.uci === uci);
  return at ?? null;
}

function pointed(tree: TreeState): Child {
  const { picture } = tree;
  const line = picture.hover ?? picture.focus;
  const fen = rootFen(tree);
  if (picture.tree && line.length && fen) {
    const branch = find(picture.tree.root, line);
    const steps = sanLine(fen, [...tree.line, ...line]).slice(tree.line.length);
    if (branch)
      return `${sans(steps).join(' ')}: tree ${text(branch.alpha)}, without repetition ${text(branch.idea)}, ${count(branch.positions)} positions${branch.repeat ? ', drawn elsewhere' : ''}`;
  }
  return picture.tree?.truncated
    ? `Only the first ${mostCells} moves are drawn; go into a branch, or draw fewer plies.`
    : h('span', [
        h('span.by-hand', 'Point at a cell to see its position, click to go there; the wheel zooms.'),
        h('span.by-touch', 'Tap a cell to go there; two fingers zoom.'),
      ]);
}

function legend(tree: TreeState): VNode {
  const palette = isDark() ? darkPalette : lightPalette;
  const stops = [-200, -100, -40, 0, 40, 100, 200];
  return h('div.legend', { attrs: { 'aria-hidden': 'true' } }, [
    h('span', 'Black better'),
    ...stops.map(cp =>
      h('i', { style: { background: colour(palette, tint({ cp })) }, attrs: { title: text({ cp }) } }),
    ),
    h('span', 'White better'),
    h('span.legend-best', 'best line'),
    h('span.legend-best.carrier', 'the answer rests on it'),
    h('span.muted', 'height: positions below'),
    tree.news ? h('span.muted', '● changed since your last visit') : null,
  ]);
}
