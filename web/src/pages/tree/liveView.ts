// What the engines do now: the long search of the root, and those at the position in view. One line of fixed height, so
// that nothing moves when it comes and goes.
import { positionKey } from '../../chess/chess';
import type { Ctx } from '../../ctx';
import type { Engine, EngineProcess, StandingSearch } from '../../data/types';
import { count, span, speed } from '../../ui/format';
import { h, type VNode } from '../../ui/dom';
import { text } from '../../chess/score';
import { here, type TreeState } from './treeState';

interface Searcher {
  engine: Engine;
  process: EngineProcess;
}

// The processes that search the position now.
export function searchersOf(engines: readonly Engine[], tree: TreeState): Searcher[] {
  const fen = here(tree)?.fen;
  if (!fen) return [];
  const key = positionKey(fen);
  const searches = (p: EngineProcess): boolean =>
    p.state === 'searching' && p.fen !== null && positionKey(p.fen) === key;
  return engines.flatMap(engine => engine.processes.filter(searches).map(process => ({ engine, process })));
}

// Of the searches at the position in view; empty: there is none.
export const searchedHere = (ctx: Ctx, tree: TreeState): string =>
  searchersOf(ctx.state.store.engines.all(), tree).map(told).join(' · ');

export function liveView(ctx: Ctx, tree: TreeState): VNode {
  const standing = tree.analysis?.standing_search;
  const said = [standing ? stands(standing) : '', searchedHere(ctx, tree)].filter(Boolean).join(' · ');
  return h(
    'p.live-search.small.muted.cut',
    { key: 'live', attrs: { 'data-testid': 'live', title: said } },
    said || ' ',
  );
}

export function stands(search: StandingSearch): string {
  const found = [search.score ? text(search.score) : '', search.pv.join(' ')].filter(Boolean).join(' ');
  const depth = search.depth ? `depth ${search.depth}, ` : '';
  return `deep search, ${depth}running ${span(search.running_seconds)}${found ? `: ${found}` : ''}`;
}

function told({ engine, process: p }: Searcher): string {
  const parts = [
    p.depth ? `depth ${p.depth}` : '',
    p.score ? text(p.score) : '',
    p.pv?.join(' ') ?? '',
    p.nodes ? `${count(p.nodes)} nodes` : '',
    p.nps ? speed(p.nps) : '',
  ];
  return `${engine.name} ${p.index + 1} searches here: ${parts.filter(Boolean).join(', ') || 'begins'}`;
}
