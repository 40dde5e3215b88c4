// Two moves of the present position, or two moments of the analysis, side by side.
import { follow, lineText, sans, ucis } from '../../../chess/chess';
import { chartValue, lossFor, pawns, text } from '../../../chess/score';
import { assign, run, type Ctx } from '../../../ctx';
import type { NodeMove, Snapshot } from '../../../data/types';
import { treeLink } from '../../../router';
import { boardView } from '../../../ui/board/boardView';
import { choice, h, link, segments, type Child, type VNode } from '../../../ui/dom';
import { count, moment } from '../../../ui/format';
import { scoreView } from '../../../ui/scoreView';
import { refreshCached } from '../treeCtrl';
import { bestMove, here, rootFen, rootPly, rows, type TreeState } from '../treeState';
import type { TimeState } from './timeState';

export function compareView(
  ctx: Ctx,
  tree: TreeState,
  time: TimeState,
  snapshots: readonly Snapshot[],
): VNode {
  const { compare } = time;
  const set = (fields: Partial<TimeState['compare']>): void => assign(ctx, compare, fields);
  return h('section.compare', { attrs: { 'aria-label': 'Side by side', 'data-testid': 'compare' } }, [
    h('div.section-head', [
      h('h2', 'Side by side'),
      segments('Compare', compare.kind, { moves: 'Two moves', moments: 'Two moments' }, kind =>
        set({ kind, left: null, right: null }),
      ),
    ]),
    ...(compare.kind === 'moves' ? moves(ctx, tree, compare, set) : moments(snapshots, compare, set)),
  ]);
}

type Compare = TimeState['compare'];
type Change = (fields: Partial<Compare>) => void;

function moves(ctx: Ctx, tree: TreeState, compare: Compare, set: Change): Child[] {
  const node = here(tree);
  const list = rows(tree).filter(m => m.alpha && m.status !== 'excluded');
  if (!node || list.length < 2)
    return [h('p.muted', 'It needs two moves with a score in the present position.')];
  const of = (uci: string | null, other: number): NodeMove => list.find(m => m.uci === uci) ?? list[other]!;
  const left = of(compare.left, 0);
  const right = of(compare.right, 1);
  const names = list.map(m => [m.uci, `${m.san}  ${text(m.alpha)}`] as const);
  const column = (move: NodeMove, side: 'left' | 'right'): VNode => {
    const line = [...tree.line, move.uci];
    const next = tree.cache.get(line);
    if (!next) run(ctx, once(ctx, tree, line));
    const fen = rootFen(tree);
    const loss = lossFor(node.turn, bestMove(tree)?.alpha ?? null, move.alpha);
    return h('div.compare-side', { key: side }, [
      choice({ 'aria-label': side === 'left' ? 'First move' : 'Second move' }, move.uci, names, uci =>
        set({ [side]: uci }),
      ),
      h('div.board-box', [
        boardView({
          place: fen ? follow(fen, line) : null,
          orientation: tree.orientation,
          shapes: [],
          label: `Board after ${move.san}`,
          onMove: null,
        }),
      ]),
      h('dl.report', [
        ...row('tree', scoreView('.strong', move.alpha)),
        ...row('no rep.', scoreView('', move.idea)),
        ...row('search', move.engine ? scoreView('', move.engine.score) : '–'),
        ...row('Δ', loss ? pawns(-loss) : '0.00'),
        ...row('below', count(move.positions)),
        ...row(
          'line',
          link(
            '',
            treeLink(tree.id, line),
            lineText(rootPly(tree.analysis!) + tree.line.length, [
              move.san,
              ...sans((next?.pv.alpha ?? []).slice(0, 9)),
            ]),
          ),
        ),
      ]),
    ]);
  };
  return [h('div.compare-grid', [column(left, 'left'), column(right, 'right')])];
}

const row = (name: string, value: Child): VNode[] => [h('dt', name), h('dd', [value])];

const asked = new WeakMap<TreeState, Set<string>>();

async function once(ctx: Ctx, tree: TreeState, line: string[]): Promise<void> {
  const known = asked.get(tree) ?? new Set();
  asked.set(tree, known);
  if (known.has(line.join())) return;
  known.add(line.join());
  await refreshCached(ctx, tree, line);
  ctx.redraw();
}

function moments(snapshots: readonly Snapshot[], compare: Compare, set: Change): Child[] {
  if (snapshots.length < 2) return [h('p.muted', 'It needs two settled depths.')];
  const names = snapshots.map((s, i) => [String(i), `depth ${s.refine}, ${moment(s.at)}`] as const);
  const place = (value: string | null, other: number): number => {
    const at = value === null ? other : Number(value);
    return snapshots[at] ? at : other;
  };
  const [a, b] = [place(compare.left, snapshots.length - 2), place(compare.right, snapshots.length - 1)];
  const [left, right] = [snapshots[a]!, snapshots[b]!];
  const moves = [...new Set(ucis([...right.moves, ...left.moves]))];
  const scoreOf = (s: Snapshot, uci: string) => s.moves.find(m => m.uci === uci)?.alpha ?? null;
  const sanOf = (uci: string): string => [...right.moves, ...left.moves].find(m => m.uci === uci)!.san;
  const scope = { attrs: { scope: 'col' } };
  return [
    h('div.moved', [
      h('table.plain', { attrs: { 'aria-label': 'Two moments' } }, [
        h('thead', [
          h('tr', [
            h('th', scope, 'Move'),
            h('th.wide', scope, [
              choice({ 'aria-label': 'First moment' }, String(a), names, v => set({ left: v })),
            ]),
            h('th.wide', scope, [
              choice({ 'aria-label': 'Second moment' }, String(b), names, v => set({ right: v })),
            ]),
            h('th', scope, 'change'),
          ]),
        ]),
        h('tbody', [
          ...moves.slice(0, 20).map(uci => {
            const [before, after] = [scoreOf(left, uci), scoreOf(right, uci)];
            return h('tr', { key: uci }, [
              h('th', { attrs: { scope: 'row' } }, sanOf(uci)),
              h('td.wide', [scoreView('', before)]),
              h('td.wide', [scoreView('.strong', after)]),
              h(
                'td',
                before && after ? pawns(chartValue(after)! - chartValue(before)!) : before ? 'gone' : 'new',
              ),
            ]);
          }),
          h('tr', { key: 'line' }, [
            h('th', { attrs: { scope: 'row' } }, 'line'),
            h('td.wide', left.pv.slice(0, 6).join(' ')),
            h('td.wide', right.pv.slice(0, 6).join(' ')),
            h('td'),
          ]),
        ]),
      ]),
    ]),
  ];
}
