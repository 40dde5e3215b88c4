// The raw evaluations of the position: each engine search as it was stored.
import { chances, percents } from '../../../chess/score';
import { count, moment, plural, span } from '../../../ui/format';
import { treeLink } from '../../../router';
import { type TreeState, here, outOfDate } from '../treeState';
import type { Evaluation, Limit, Positions } from '../../../data/types';
import { each, empty, h, link, type VNode, headRow, wide } from '../../../ui/dom';
import { scoreView } from '../../../ui/scoreView';
import { assign, run, type Ctx } from '../../../ctx';
import type { ApiError } from '../../../data/api';

// Fetches the evaluations of the present position.
export const factsKey = (tree: TreeState): string => `${tree.id}/${tree.line.join()}`;

export async function enter(ctx: Ctx, tree: TreeState): Promise<void> {
  const { facts } = tree;
  const fail = ({ message }: ApiError): void => assign(ctx, facts, { problem: message });
  const key = factsKey(tree);
  facts.askedAt = ctx.clock.now();
  if (facts.key !== key) Object.assign(facts, { key, evaluations: null, positions: null, problem: null });
  const found = await facts.asking.ask(signal => ctx.api.evaluations(tree.id, tree.line, signal));
  if (!found) return;
  if ('problem' in found) return fail(found.problem);
  assign(ctx, facts, { evaluations: found.value, problem: null });
  const fen = here(tree)?.fen ?? found.value.fen;
  const known = await facts.asking.ask(signal => ctx.api.positions(fen, signal));
  if (!known) return;
  if ('problem' in known) return fail(known.problem);
  facts.positions = known.value;
  ctx.redraw();
}

export function loadIfOld(ctx: Ctx, tree: TreeState): void {
  if (outOfDate(tree, tree.facts.askedAt, ctx.clock.now(), 4000)) run(ctx, enter(ctx, tree));
}

const most = 200;

export function view(_: Ctx, tree: TreeState): VNode {
  const { facts } = tree;
  if (facts.problem) return empty(facts.problem);
  if (facts.key !== factsKey(tree) || !facts.evaluations)
    return each('div.skeletons', {}, [1, 2, 3], () => h('div.skeleton.thin'));
  const list = facts.evaluations.evaluations;
  if (!list.length) return empty('No engine has been asked about this position.');
  return h('div.facts-tab', [
    wide(
      'Evaluations, scrolls sideways',
      h('table.evaluations', { attrs: { 'aria-label': 'Evaluations' } }, [
        headRow(['Move', 'Score', 'W D L', 'Depth', 'Nodes', 'Time', 'Without', 'Limit', 'When', 'Engine']),
        h('tbody', list.slice(0, most).map(row)),
      ]),
    ),
    list.length > most ? h('p.muted', `and ${list.length - most} more`) : null,
    elsewhere(tree, facts.positions),
  ]);
}

function row(e: Evaluation): VNode {
  const bound = e.bound === 'lower' ? '≥ ' : e.bound === 'upper' ? '≤ ' : '';
  return h('tr', { key: e.id, attrs: { title: e.pv.join(' ') } }, [
    h('th', { attrs: { scope: 'row' } }, e.move?.san ?? '–'),
    h('td', [bound, scoreView('', e.score)]),
    h(
      'td',
      { attrs: e.wdl ? { title: chances(e.wdl) } : {} },
      e.wdl ? `${percents(e.wdl).join(' · ')} %` : '',
    ),
    h('td', e.seldepth ? `${e.depth}/${e.seldepth}` : String(e.depth)),
    h('td', count(e.nodes)),
    h('td', e.time_ms < 10_000 ? `${e.time_ms} ms` : span(e.time_ms / 1000)),
    h(
      'td',
      { attrs: { title: e.excluded.join(' ') } },
      e.excluded.length ? plural(e.excluded.length, 'move') : '',
    ),
    h('td', limitText(e.limit)),
    h('td', moment(e.at)),
    h('td', { attrs: { title: e.fingerprint ?? '' } }, [e.engine, e.machine].filter(Boolean).join(' · ')),
  ]);
}

export function limitText(limit: Limit): string {
  if (limit.depth !== undefined) return `depth ${limit.depth}`;
  if (limit.nodes !== undefined) return `${count(limit.nodes)} nodes`;
  if (limit.movetime_ms !== undefined) return `${limit.movetime_ms} ms`;
  return '';
}

function elsewhere(tree: TreeState, positions: Positions | null): VNode | null {
  const others = positions?.analyses.filter(a => a.id !== tree.id) ?? [];
  if (!others.length) return null;
  return h('section.also', [
    h('h2', 'Also in'),
    each('ul.plain', {}, others, a => h('li', { key: a.id }, [link('', treeLink(a.id, a.line), a.name)])),
  ]);
}
