// The table of moves: the answer first, then by alpha; all numbers in tabular figures in columns of fixed width.
import { run, type Ctx } from '../../ctx';
import { count, moment, plural, ago } from '../../ui/format';
import { what } from '../../dialogs/parts';
import type { Topic } from '../../dialogs/meaning/topics';
import { treeLink } from '../../router';
import { chances, lossFor, pawns, result, same, text, words } from '../../chess/score';
import { direct, openMoveMenu } from './steer/steerCtrl';
import type { MoveStatus, NodeMove, Score, TreeNode } from '../../data/types';
import { button, each, h, link, type VNode, type Child } from '../../ui/dom';
import { icon, mark, type IconName } from '../../ui/icons';
import { scoreView } from '../../ui/scoreView';
import { beside, openColumns } from './beside/beside';
import { columnsOf } from './beside/chosen';
import { withEstimate } from './estimate';
import { markOf, seen } from './news';
import { searchedHere } from './liveView';
import { walkTo, showTab } from './treeCtrl';
import { lineText } from '../../chess/chess';
import { bestMove, here, leafMove, offTheTree, rootPly, rows, setHovering, stoodBefore } from './treeState';
import type { TreeState, NewsMark } from './treeState';

// What clouds say of the moves: a column where they say something, and below the table the moves that nobody has
// searched here. Nothing rests on it.
type Words = NonNullable<NodeMove['cloud']>;
type CloudMove = NonNullable<TreeNode['cloud_moves']>[number];

const names: Record<Words[number]['source'], string> = { chessdb: 'chessdb.cn', lichess: 'lichess' };
const ranks = ['bad', 'good', 'best'];

const told = ({ source, score, depth, rank, at }: Words[number]): string =>
  [
    `${names[source]}: ${words(score)}`,
    depth === undefined ? '' : `depth ${depth}`,
    rank === undefined ? '' : (ranks[rank] ?? ''),
    moment(at),
  ]
    .filter(Boolean)
    .join(', ');

const value = (cloud: Words): VNode | null =>
  cloud[0] ? scoreView('', cloud[0].score, { title: cloud.map(told).join('\n') }) : null;

const title = 'Of a cloud: what chessdb.cn or lichess says. It counts nowhere';

const cloudHead = (): VNode => h('th.c-cloud', { attrs: { scope: 'col', title } }, 'cloud');

const cloudCell = ({ cloud }: NodeMove): VNode =>
  h('td.c-cloud', [(cloud && value(cloud)) ?? h('span.muted', '–')]);

function cloudMoves(
  tree: TreeState,
  moves: readonly CloudMove[],
  include: (move: CloudMove) => void,
): VNode | null {
  if (!moves.length) return null;
  const says = 'Known to a cloud, not searched';
  return h('section.only-played', { key: 'cloud-moves', attrs: { 'aria-label': says } }, [
    h('h2', { attrs: { title } }, says),
    each('ul', {}, moves, move =>
      h('li', { key: move.uci, attrs: { 'data-testid': 'cloud-move' } }, [
        link('.san', treeLink(tree.id, [...tree.line, move.uci], tree.tab), move.san),
        value(move.cloud),
        button('.text', {
          label: 'Include',
          attrs: { 'aria-label': `Include ${move.san}` },
          run: () => include(move),
        }),
      ]),
    ),
  ]);
}

// "Since your last visit", in one line above the table.
function newsView(ctx: Ctx, tree: TreeState): VNode | null {
  const { news } = tree;
  if (!news) return null;
  const { best } = news.changes;
  const turned = best.before !== best.after && best.before && best.after;
  return h('p.news', { key: 'news', attrs: { 'data-testid': 'news' } }, [
    h('span', `Since your last visit (${ago(news.since, ctx.state.now)}): `),
    turned ? h('strong', `best move ${best.before} → ${best.after}, `) : null,
    `${plural(news.marks.size, 'change')} marked. `,
    button('.text', { label: 'All of them', run: () => showTab(ctx, 'time') }),
    button('.text', { label: 'Seen', title: 'Take the marks away', run: () => seen(ctx, tree) }),
  ]);
}

const signs: Record<NewsMark['kind'], string> = { new: 'new', best: '★', white: '▲', black: '▼' };

const newsMark = (mark: NewsMark | null): Child =>
  mark &&
  h(
    'span.news-mark',
    { attrs: { role: 'img', 'aria-label': mark.title, title: mark.title, 'data-kind': mark.kind } },
    signs[mark.kind],
  );

type Head = [string, string, string, Topic?];
const columns: Head[] = [
  ['move', 'Move', ''],
  ['alpha', 'tree', 'Worth on this line: repetitions count as draws', 'alpha'],
  ['idea', 'no rep.', 'Worth without repetitions, where that differs', 'idea'],
  ['engine', 'search', 'The engine’s own search of the move', 'engine'],
  ['delta', 'Δ', 'Behind the best move, for the side to move', 'delta'],
  ['depth', 'depth', 'Depth of the engine’s search'],
  ['below', 'below', 'Positions expanded below'],
  ['by', 'By', 'Who proposed the move'],
  ['status', '', 'Status'],
  ['line', 'The engine’s line', 'What the engine expects after the move'],
  ['act', '', 'Columns'],
];
const besideAt = columns.findIndex(([key]) => key === 'delta'); // what was chosen stands behind the engine's value

const columnsButton = (ctx: Ctx, tree: TreeState): VNode =>
  button('.quiet.square.small', {
    label: 'Columns: winning chances, games, a second engine',
    icon: icon('plus'),
    testid: 'columns',
    attrs: { 'aria-haspopup': 'menu' },
    run: event => openColumns(ctx, tree, event.currentTarget as Element),
  });

export function movesView(ctx: Ctx, tree: TreeState): VNode {
  const node = here(tree);
  if (!node) return waitingView(ctx, tree);
  const besides = ctx.state.shared ? [] : columnsOf(tree.id);
  const include = ({ uci, san }: { uci: string; san: string }): void =>
    run(ctx, direct(ctx, 'include', [...tree.line, uci], san));
  const more = besides.length ? beside.here?.besideOf(ctx, tree, include) : null;
  const cloud = node.moves.some(move => move.cloud);
  const below = [...(more?.below ?? []), cloudMoves(tree, node.cloud_moves ?? [], include)];
  if (!node.moves.length)
    return h('div.moves-box', [
      includeView(ctx, tree, node),
      clockNote(node),
      nothingYet(ctx, tree, node),
      ...below,
    ]);
  const list = rows(tree);
  const best = bestMove(tree);
  const headOf = ([key, name, title, topic]: Head): VNode =>
    h(
      `th.c-${key}`,
      { attrs: { scope: 'col', ...(title && { title }) } },
      key === 'act' && !ctx.state.shared
        ? columnsButton(ctx, tree)
        : topic
          ? what(ctx, topic, name)
          : name || h('span.hidden', title),
    );
  return h('div.moves-box', [
    includeView(ctx, tree, node),
    newsView(ctx, tree),
    h(
      'table.moves',
      {
        class: {
          'with-lines': tree.lines !== null,
          'with-many': besides.length > 1,
          ...Object.fromEntries(besides.map(key => [`with-${key}`, true])),
        },
        attrs: { 'aria-label': 'Moves', 'data-testid': 'moves', tabindex: -1, 'data-keep-focus': 'moves' },
      },
      [
        h('thead', [
          h('tr', [
            ...columns.slice(0, besideAt).map(headOf),
            ...(more?.heads ?? besides.map(key => h(`th.c-${key}`))),
            cloud ? cloudHead() : null,
            ...columns.slice(besideAt).map(headOf),
          ]),
        ]),
        each(
          'tbody',
          {
            on: {
              mouseenter: () => setHovering(tree, true),
              mouseleave: () => setHovering(tree, false) && ctx.redraw(),
            },
          },
          list,
          move =>
            row(ctx, tree, node, move, best, [
              ...(more?.cells(move) ?? besides.map(key => h(`td.c-${key}`))),
              ...(cloud ? [cloudCell(move)] : []),
            ]),
        ),
      ],
    ),
    clockNote(node),
    node.left_out ? h('p.muted', 'The store does not answer: what only it knows is not shown.') : null,
    rest(ctx, node),
    ...below,
  ]);
}

// What is known of the position is on its way: nothing of another one stands here meanwhile. It keeps the room of the
// rows that there were, so that little moves when it comes, and the focus that they had.
function waitingView(ctx: Ctx, tree: TreeState): VNode {
  const text =
    tree.problem?.message ??
    (ctx.state.link.status === 'offline'
      ? 'What the server knows of this position is not known here. It comes as soon as the server answers.'
      : 'Loading what is known of this position.');
  return h(
    'div.moves-box.waiting',
    {
      key: 'waiting',
      attrs: { 'aria-busy': 'true', 'data-testid': 'waiting', tabindex: -1, 'data-keep-focus': 'moves' },
      style: { '--rows': String(Math.max(4, tree.rowOrder.length)) },
    },
    [h('p.muted', { attrs: { role: 'status' } }, text)],
  );
}

function row(
  ctx: Ctx,
  tree: TreeState,
  node: TreeNode,
  move: NodeMove,
  best: NodeMove | null,
  besides: VNode[],
): VNode {
  const line = [...tree.line, move.uci];
  const chosen = tree.selected === move.uci;
  const loss = best && move !== best ? lossFor(node.turn, best.alpha, move.alpha) : null;
  const trend = tree.trend.get(move.uci);
  const { engine } = move;
  return h(
    'tr',
    {
      key: tree.nodeLine + move.uci,
      class: { chosen, best: move === best, excluded: move.status === 'excluded' },
      attrs: { 'data-testid': 'move', 'data-uci': move.uci, ...(chosen && { 'aria-current': 'true' }) },
      hook: { postpatch: (old, vnode) => chosen && !old.data?.class?.['chosen'] && scrollTo(vnode) },
      on: {
        click: event => {
          if ((event.target as Element).closest('a, button')) return;
          walkTo(ctx, line);
        },
      },
    },
    [
      h('th.c-move', { attrs: { scope: 'row' } }, [
        link('.san', treeLink(tree.id, line, tree.tab), move.san),
        move.transposition ? mark('merge', 'also reached another way') : null,
        newsMark(markOf(tree, line)),
      ]),
      h('td.c-alpha', [
        scoreView('', move.alpha, {
          trend,
          ...(move.estimate && { title: withEstimate(move.alpha, move.estimate) }),
        }),
        move.provisional ? mark('search', 'provisional: a smaller search than this analysis asks for') : null,
        move.outvoted ? mark('chip', outvoted(move.outvoted)) : null,
      ]),
      h('td.c-idea', [same(move.idea, move.alpha) ? null : scoreView('', move.idea)]),
      h('td.c-engine', [
        engine ? scoreView('', engine.score, { title: provenance(engine) }) : h('span.muted', '–'),
      ]),
      ...besides,
      h('td.c-delta', loss === null ? '' : loss === 0 ? '0.00' : pawns(-loss)),
      h('td.c-depth', engine?.depth ? String(engine.depth) : ''),
      h('td.c-below', move.positions ? `${count(move.positions)}${move.positions >= 10_000 ? '+' : ''}` : ''),
      h('td.c-by', [proposer(move.source)]),
      h('td.c-status', [statusView(tree, line, move)]),
      lineCell(lineAfter(tree, line, move) || rareStatus(move)),
      h('td.c-act', [
        ctx.state.shared
          ? null
          : button('.quiet.square.small', {
              label: `Steer ${move.san}`,
              icon: icon('more'),
              attrs: { 'aria-haspopup': 'menu' },
              run: event => openMoveMenu(ctx, move, event.currentTarget as Element),
            }),
      ]),
    ],
  );
}

const lineCell = (text: string): VNode => h('td.c-line', { attrs: text ? { title: text } : {} }, text);

function lineAfter(tree: TreeState, line: readonly string[], { san }: NodeMove): string {
  const sans = tree.lines?.line === tree.line.join() ? tree.lines.sans.get(san) : undefined;
  return sans && tree.analysis ? lineText(rootPly(tree.analysis) + line.length, sans) : '';
}

const outvoted = (below: Score): string =>
  `a larger search of the move stands; what is known below says ${words(below)}`;

const proposers: Record<NodeMove['source'], [IconName, string]> = {
  engine: ['chip', 'proposed by the engine'],
  person: ['person', 'proposed by a person'],
  import: ['book', 'from an imported game'],
  tables: ['book', 'known from the endgame tables'],
};

function proposer(source: NodeMove['source']): VNode {
  const [name, title] = proposers[source];
  return h('span.mark', { attrs: { title, role: 'img', 'aria-label': title, 'data-source': source } }, [
    icon(name),
  ]);
}

const scrollTo = (vnode: VNode): void => (vnode.elm as HTMLElement).scrollIntoView({ block: 'nearest' });

function provenance(engine: NonNullable<NodeMove['engine']>): string {
  return [
    words(engine.score),
    engine.wdl && chances(engine.wdl),
    `${engine.engine}, depth ${engine.depth ?? '?'}${engine.machine ? ` on ${engine.machine}` : ''}`,
    engine.nodes ? `${count(engine.nodes)} nodes` : '',
    engine.at ? moment(engine.at) : '',
  ]
    .filter(Boolean)
    .join('\n');
}

const statusWords: Record<MoveStatus, string> = {
  expanded: 'expanded',
  leaf: 'leaf',
  queued: 'queued',
  searching: 'searching',
  excluded: 'excluded',
  repetition: 'repeats',
  terminal: 'ended',
  unscored: 'no score',
};

const statusWord = ({ status, alpha }: NodeMove): string =>
  status === 'terminal' && alpha && result(alpha) ? 'in tables' : statusWords[status];

// Where there is no line to tell, the status is told in its place, unless it is the usual one.
const rareStatus = (move: NodeMove): string =>
  move.status === 'expanded' || move.status === 'leaf' ? '' : statusWord(move);

// A sign; its word is for who points at it and for screen readers.
function statusView(tree: TreeState, line: readonly string[], move: NodeMove): VNode {
  const asked = [...tree.asked].some(key => key.endsWith(` ${line.join()}`));
  const word = statusWord(move);
  return h('span.status', { attrs: { 'data-status': move.status, title: word }, class: { asked } }, [
    h('i.sign'),
    h('span.hidden', word),
  ]);
}

// Of a game that is over, that is said elsewhere.
function clockNote(node: TreeNode): VNode | null {
  if (!node.clock_note || node.terminal) return null;
  const note = node.clock_note;
  return h(
    'p.clock-note',
    { attrs: { 'data-testid': 'clock-note' } },
    `${note[0]?.toUpperCase()}${note.slice(1)}.`,
  );
}

function rest(ctx: Ctx, node: TreeNode): VNode | null {
  const { count: n, bound } = node.rest;
  if (!n) return h('p.rest.muted', ' ');
  const known = bound ? `at most ${text(bound)}` : 'not looked at yet';
  const word = node.turn === 'white' ? known : known.replace('at most', 'at least');
  return h('p.rest.muted', [what(ctx, 'windows', plural(n, 'other legal move')), `: ${word}`]);
}

function nothingYet(ctx: Ctx, tree: TreeState, node: TreeNode): VNode {
  const ends: Record<string, string> = {
    checkmate: `Checkmate: ${node.turn === 'white' ? 'Black' : 'White'} has won.`,
    stalemate: 'Stalemate: a draw.',
    dead: 'Dead position: a draw.',
    seventy_five_moves: 'A draw: 75 moves without a capture or a pawn move.',
  };
  if (node.terminal)
    return h('div.callout', { attrs: { 'data-testid': 'terminal' } }, [
      h('p', ends[node.terminal] ?? 'The game is over here.'),
    ]);
  if (node.alpha && result(node.alpha))
    return h('div.callout', { attrs: { 'data-testid': 'terminal' } }, [
      h('p', `The endgame tables know this position: ${words(node.alpha)}.`),
    ]);
  if (isOffered(tree)) return h('div'); // the card above has it all
  const searched = searchedHere(ctx, tree);
  return h('div.callout', { attrs: { 'data-testid': 'callout' } }, [
    h('p', leafText(ctx, tree, node)),
    failure(node),
    searched ? h('p', { attrs: { 'data-testid': 'searched-here' } }, searched) : null,
    ctx.state.shared || searched ? null : h('div.actions.left', [analyseNow(ctx, tree)]),
  ]);
}

const failure = (node: TreeNode): VNode | null =>
  node.failure ? h('p.error', `The engine could not answer here: ${node.failure}`) : null;

const analyseNow = (ctx: Ctx, tree: TreeState): VNode =>
  button('', {
    label: 'Analyse now',
    title: 'Search this position next (n)',
    run: () => run(ctx, direct(ctx, 'now', tree.line, 'This position')),
  });

function leafText({ state: { site } }: Ctx, tree: TreeState, node: TreeNode): string {
  if (site && node.status === 'expanded')
    return `This site ends here. It has what lies within ${(site.margin / 100).toFixed(2)} of the best move, to ${plural(site.plies, 'ply', 'plies')}${site.cut ? `, ${count(site.moves)} moves in all` : ''}.`;
  return leafMove(tree)?.alpha
    ? 'Its value is the engine’s word on the move that leads here; no move of it was searched yet.'
    : 'No move of this position has a score yet.';
}

const isOffered = (tree: TreeState): boolean => offTheTree(tree) && !stoodBefore(tree);

// A move that someone played on the board is looked at first, and included when they say so.
function includeView(ctx: Ctx, tree: TreeState, node: TreeNode): VNode | null {
  if (!isOffered(tree)) return null;
  const over = node.terminal || (node.alpha && result(node.alpha));
  const san = node.line.at(-1)?.san ?? '';
  return h('div.callout.include', { key: 'include', attrs: { 'data-testid': 'callout' } }, [
    h('p', [h('strong', san), ' is not in the tree yet.']),
    failure(node),
    ctx.state.shared
      ? null
      : h('div.actions', [
          over ? null : analyseNow(ctx, tree),
          button('.primary', {
            label: `Include ${san}`,
            title: 'Include this move (i)',
            testid: 'include',
            run: () => run(ctx, direct(ctx, 'include', tree.line, san)),
          }),
        ]),
  ]);
}
