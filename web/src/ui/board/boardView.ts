// Chessground inside the virtual DOM: made once, then told what changed. Its code comes after the first view is drawn;
// until then the squares are there, without pieces.
import type { Api } from '@lichess-org/chessground/api';
import type { Config } from '@lichess-org/chessground/config';
import type { DrawShape } from '@lichess-org/chessground/draw';
import type { Key } from '@lichess-org/chessground/types';
import type { Place } from '../../chess/chess';
import type { Side } from '../../chess/score';
import { h, hasReducedMotion, type VNode } from '../dom';
import { Part } from '../part';

export interface BoardOptions {
  small?: boolean; // only to look at
  place: Place | null;
  orientation: Side;
  shapes: DrawShape[];
  label: string;
  onMove: ((from: Key, to: Key) => void) | null; // null: only to look at
  onDraw?: ((shape: DrawShape) => void) | null; // takes what is drawn; else it is gone with the next click
  serial?: number; // a change puts the pieces back where they belong
}

interface Mounted {
  api: Api | null; // null: its code is not here yet
  shown: string;
  shapes: string;
  options: BoardOptions;
}

const ground = new Part(() => import('./ground'));
const mounted = new WeakMap<Node, Mounted>();

const shownKey = (o: BoardOptions): string =>
  `${o.place?.fen}|${o.place?.lastMove.join('')}|${o.orientation}|${o.onMove !== null}|${o.serial ?? 0}`;

function config(o: BoardOptions, after: (from: Key, to: Key) => void): Config {
  return {
    fen: o.place?.fen ?? '8/8/8/8/8/8/8/8',
    orientation: o.orientation,
    turnColor: o.place?.turn ?? 'white',
    check: o.place?.check ?? false,
    // chessground reads an absent field as "unchanged"
    lastMove: o.place?.lastMove.length ? o.place.lastMove : (undefined as unknown as Key[]),
    viewOnly: o.small ?? false,
    coordinates: !o.small,
    animation: { enabled: !hasReducedMotion(), duration: 160 },
    highlight: { lastMove: true, check: true },
    movable: {
      free: false,
      ...(o.place && o.onMove && { color: o.place.turn }),
      dests: o.place && o.onMove ? o.place.dests : new Map(),
      showDests: true,
      events: { after },
    },
    premovable: { enabled: false },
    draggable: { showGhost: true },
    drawable: { enabled: true, eraseOnMovablePieceClick: true },
  };
}

function insert(vnode: VNode, options: BoardOptions): void {
  const element = vnode.elm as HTMLElement;
  const entry: Mounted = { api: null, shown: '', shapes: '', options };
  mounted.set(element, entry);
  fetchAndMount(element, entry);
}

function fetchAndMount(element: HTMLElement, entry: Mounted): void {
  if (ground.here) return mount(element, entry, ground.here.Chessground);
  ground
    .load()
    .then(({ Chessground }) => mounted.get(element) === entry && mount(element, entry, Chessground))
    .catch(() => {
      // A browser may remember a module that failed: only a new page asks for it again.
      const told = document.createElement('p');
      told.textContent = "The board's code cannot be loaded. ";
      const reload = document.createElement('button');
      reload.textContent = 'Reload the page';
      reload.onclick = () => location.reload();
      told.append(reload);
      element.replaceChildren(told);
    });
}

function mount(
  element: HTMLElement,
  entry: Mounted,
  make: (element: HTMLElement, config: Config) => Api,
): void {
  const { options } = entry;
  entry.shown = shownKey(options);
  entry.shapes = JSON.stringify(options.shapes);
  const api = make(element, {
    ...config(options, (from, to) => entry.options.onMove?.(from, to)),
    drawable: {
      enabled: true,
      autoShapes: options.shapes,
      onChange: shapes => {
        const { onDraw } = entry.options;
        const shape = shapes.at(-1);
        if (!onDraw || !shape) return;
        api.setShapes([]); // it comes back among the board's own
        onDraw(shape);
      },
    },
  });
  entry.api = api;
  // chessground remembers where the board is until one scrolls; what stands above it may have grown since.
  const lookAgain = (): void => api.state.dom.bounds.clear();
  for (const kind of ['mousedown', 'touchstart'] as const)
    element.addEventListener(kind, lookAgain, { capture: true, passive: true });
}

function update(vnode: VNode, options: BoardOptions): void {
  const entry = mounted.get(vnode.elm!);
  if (!entry) return;
  entry.options = options;
  if (!entry.api) return;
  const shown = shownKey(options);
  if (shown !== entry.shown) {
    entry.shown = shown;
    entry.api.set(config(options, (from, to) => entry.options.onMove?.(from, to)));
  }
  const shapes = JSON.stringify(options.shapes);
  if (shapes !== entry.shapes) {
    entry.shapes = shapes;
    entry.api.setAutoShapes(options.shapes);
  }
}

function remove(element: Node): void {
  mounted.get(element)?.api?.destroy();
  mounted.delete(element);
}

export function boardView(options: BoardOptions): VNode {
  const name = options.small ? 'small-board' : 'board';
  return h(
    'div.board',
    {
      key: name,
      attrs: {
        role: 'img',
        'aria-label': options.label,
        'data-testid': name,
        'data-fen': options.place?.fen ?? '',
      },
    },
    [
      h('div.cg-wrap', {
        key: 'cg',
        hook: {
          insert: vnode => insert(vnode, options),
          postpatch: (_, vnode) => update(vnode, options),
          destroy: vnode => remove(vnode.elm!),
        },
      }),
    ],
  );
}
