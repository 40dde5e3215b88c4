// The columns that were chosen, and below the table what was played and not searched.
import { chances, pawns, percents, type Side } from '../../../chess/score';
import type { Ctx } from '../../../ctx';
import type { NodeMove } from '../../../data/types';
import { treeLink } from '../../../router';
import { button, each, h, link, type VNode } from '../../../ui/dom';
import { count, moment, percent, plural } from '../../../ui/format';
import { scoreView } from '../../../ui/scoreView';
import { here, type TreeState } from '../treeState';
import { orderBy } from './besideCtrl';
import { differ, onlyPlayed, seconds, type PlayedMove, type Second } from './besideState';
import { collectionOf, columnsOf, secondOf, type Column } from './chosen';

export * from './besideCtrl';

export interface Beside {
  heads: VNode[];
  cells(move: NodeMove): VNode[];
  below: VNode[];
}

type Include = (move: PlayedMove) => void;

export function besideOf(ctx: Ctx, tree: TreeState, include: Include): Beside {
  const node = here(tree);
  const collection = collectionOf(tree.id);
  const key = secondOf(tree.id);
  const stored = tree.lines?.line === tree.line.join() ? tree.lines.evaluations : null;
  const second = node && stored ? (seconds(node, stored).find(s => s.key === key) ?? null) : null;
  const { played } = tree.beside ?? {};
  const found = node && played?.fen === node.fen && played.collection === collection ? played.found : null;
  const byUci = new Map(found?.moves.map(m => [m.uci, m]) ?? []);
  const only = node && found ? onlyPlayed(node, found) : [];
  const columns = columnsOf(tree.id);
  const heads: Record<Column, () => VNode> = {
    chances: () => chancesHead(ctx, tree),
    second: () => head('second', '2nd', `The second engine: ${second?.name ?? 'nothing here'}`),
    games: () => head('games', 'games', `Games of ${collection}: how many, who won, average rating`),
  };
  const cells: Record<Column, (move: NodeMove) => VNode> = {
    chances: move => chancesCell(move, node?.turn ?? 'white'),
    second: move => (stored ? secondCell(move, second) : h('td.c-second')),
    games: move => h('td.c-games', found ? playedParts(byUci.get(move.uci)) : []),
  };
  return {
    heads: columns.map(column => heads[column]()),
    cells: move => columns.map(column => cells[column](move)),
    below: [
      ...(key && stored && !second && node?.moves.length ? [missing(key)] : []),
      ...(only.length ? [onlyView(tree, only, include)] : []),
    ],
  };
}

const head = (key: Column, name: string, title: string): VNode =>
  h(`th.c-${key}`, { attrs: { scope: 'col', title } }, name);

function chancesHead(ctx: Ctx, tree: TreeState): VNode {
  const by = tree.byChances;
  return h('th.c-chances', { attrs: { scope: 'col', 'aria-sort': by ? 'descending' : 'none' } }, [
    button('.text', {
      label: by ? '▾ wins' : 'wins',
      title: by
        ? 'Winning chances of the side to move. Back to the tree’s order'
        : 'Winning chances of the side to move. Order the moves by them',
      testid: 'by-chances',
      run: () => orderBy(ctx, tree, !by),
    }),
  ]);
}

function chancesCell({ engine }: NodeMove, turn: Side): VNode {
  const wdl = engine?.wdl;
  if (!wdl) return h('td.c-chances', [h('span.muted', '–')]);
  const [white, draw, black] = percents(wdl);
  const parts: Part[] = [
    ['white', white],
    ['draw', draw],
    ['black', black],
  ];
  return h('td.c-chances', [
    bar(turn === 'white' ? parts : parts.reverse(), chances(wdl)),
    h('span.chances-won', `${turn === 'white' ? white : black} %`),
  ]);
}

function secondCell(move: NodeMove, second: Second | null): VNode {
  const e = second?.byUci.get(move.uci);
  if (!e)
    return h('td.c-second', { attrs: { title: 'The second engine has no evaluation of this move' } }, [
      h('span.muted', '–'),
    ]);
  const far = differ(move, e);
  const own = move.engine?.score;
  const by =
    far && own && e.score && 'cp' in own && 'cp' in e.score ? ` by ${pawns(e.score.cp - own.cp)} pawns` : '';
  const bound = e.bound === 'lower' ? '≥ ' : e.bound === 'upper' ? '≤ ' : '';
  const title = [
    `${second!.name}: searched to depth ${e.depth}, ${count(e.nodes)} nodes`,
    moment(e.at),
    far ? `It differs${by}: by 10 % of winning chances or more` : '',
  ]
    .filter(Boolean)
    .join('\n');
  return h('td.c-second', { class: { far }, attrs: { title } }, [
    h('span.second-value', [bound, scoreView('', e.score), far ? h('span.hidden', ' differs') : null]),
    h('span.second-depth', String(e.depth)),
  ]);
}

function playedParts(played: PlayedMove | undefined): VNode[] {
  if (!played) return [h('span.muted', '–')];
  return [
    h('span.games-count', count(played.games)),
    resultBar(played),
    h(
      'span.games-elo.muted',
      { attrs: played.elo ? { title: 'Average rating of the games' } : {} },
      played.elo ? String(played.elo) : '',
    ),
  ];
}

function resultBar({ white, draws, black, games }: PlayedMove): VNode {
  const part = (n: number): string => percent(n / Math.max(games, 1));
  const says = `White ${part(white)}, draws ${part(draws)}, Black ${part(black)}`;
  const share = (n: number): number => (100 * n) / Math.max(games, 1);
  return bar(
    [
      ['white', share(white)],
      ['draw', share(draws)],
      ['black', share(black)],
    ],
    says,
  );
}

type Part = [side: 'white' | 'draw' | 'black', percent: number];

const bar = (parts: readonly Part[], says: string): VNode =>
  each(
    'span.result-bar',
    { attrs: { role: 'img', 'aria-label': says, title: says } },
    parts,
    ([side, percent]) => h(`i.${side}`, { style: { width: `${percent}%` } }),
  );

const missing = (key: string): VNode =>
  h(
    'p.muted.beside-missing',
    { key: 'missing', attrs: { role: 'status' } },
    `The second engine (${key.split(' ').slice(-2).join(' ')}) has no evaluation of this position.`,
  );

// What people play and the tree does not have.
function onlyView(tree: TreeState, moves: readonly PlayedMove[], include: Include): VNode {
  const most = 12;
  return h('section.only-played', { key: 'only-played', attrs: { 'aria-label': 'Played, not searched' } }, [
    h('h2', 'Played, not searched'),
    each('ul', {}, moves.slice(0, most), move =>
      h('li', { key: move.uci, attrs: { 'data-testid': 'only-played' } }, [
        link('.san', treeLink(tree.id, [...tree.line, move.uci], tree.tab), move.san),
        h('span.c-games', playedParts(move)),
        button('.text', {
          label: 'Include',
          attrs: { 'aria-label': `Include ${move.san}` },
          run: () => include(move),
        }),
      ]),
    ),
    moves.length > most ? h('p.muted', `and ${plural(moves.length - most, 'other move')}`) : null,
  ]);
}
