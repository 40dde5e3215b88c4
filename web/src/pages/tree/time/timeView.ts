// The tab "Over time": charts of the root scores, and what changed since some moment.
import { type Ctx, run } from '../../../ctx';
import { ago, count, fromLocalInput, moment, plural, span, toLocalInput } from '../../../ui/format';
import { lineText, readMove, ucis } from '../../../chess/chess';
import { treeLink } from '../../../router';
import { chartValue, pawns, same, type Side } from '../../../chess/score';
import { outOfDate, rootPly, type TreeState } from '../treeState';
import type { Changes, Score, Snapshot, Step } from '../../../data/types';
import { choice, each, empty, h, input, link, segments, headRow } from '../../../ui/dom';
import type { Child, VNode } from '../../../ui/dom';
import { scoreView } from '../../../ui/scoreView';
import { chartView } from './chartView';
import { series } from './series';
import { compareView } from './compareView';
import { disagreementsView, lineLink } from './disagreementsView';
import { type Since, type TimeState, initialTime, sinceMoment } from './timeState';
import { answerOf } from '../../../data/latest';
import { lastVisit } from '../../../data/prefs';

// Fetches the history and the changes of an analysis.
// Also called for every step on the tree: what belongs to the whole analysis is not fetched again then.
export function enter(ctx: Ctx, tree: TreeState): void {
  const { site } = ctx.state;
  const time = (tree.time ??= initialTime(tree.id, site ? null : lastVisit(tree.id), ctx.clock.now()));
  if (site && !time.loadedAt) time.since = site.changes[0]!.name;
  if (isOld(ctx, tree, time)) run(ctx, load(ctx, tree, time));
  else run(ctx, loadDisagreements(ctx, tree, time));
}

// The three are independent: comparing two moments of a large tree takes the server a while, and the
// charts need not wait for it.
export async function load(ctx: Ctx, tree: TreeState, time: TimeState): Promise<void> {
  time.loadedAt = ctx.clock.now();
  await Promise.all([loadHistory(ctx, time), loadChanges(ctx, time), loadDisagreements(ctx, tree, time)]);
}

async function loadHistory(ctx: Ctx, time: TimeState): Promise<void> {
  const answer = await answerOf(ctx.api.history(time.id));
  if ('value' in answer) Object.assign(time, { history: answer.value, problem: null });
  else time.problem = answer.problem.message;
  ctx.redraw();
}

async function loadDisagreements(ctx: Ctx, { line }: TreeState, time: TimeState): Promise<void> {
  const answer = await time.searching.ask(signal => ctx.api.disagreements(time.id, line, signal));
  if (!answer) return;
  if ('value' in answer) time.disagreements = { line: line.join(), found: answer.value };
  else time.problem = answer.problem.message;
  ctx.redraw();
}

async function loadChanges(ctx: Ctx, time: TimeState): Promise<void> {
  if (time.comparing) return; // one at a time; the last choice is asked for again
  time.comparing = true;
  const { since, chosen } = time;
  const answer = await answerOf(ctx.api.changes(time.id, sinceMoment(time, ctx.clock.now(), ctx.state.site)));
  time.comparing = false;
  time.compared = true;
  if ('value' in answer) Object.assign(time, { changes: answer.value, changesProblem: null });
  else time.changesProblem = answer.problem.message;
  if (time.since !== since || time.chosen !== chosen) run(ctx, loadChanges(ctx, time));
  ctx.redraw();
}

const isOld = (ctx: Ctx, tree: TreeState, time: TimeState): boolean =>
  !time.loadedAt || outOfDate(tree, time.loadedAt, ctx.clock.now(), 10_000);

export function loadIfOld(ctx: Ctx, tree: TreeState): void {
  if (tree.time && isOld(ctx, tree, tree.time)) run(ctx, load(ctx, tree, tree.time));
}

export function setAxis(ctx: Ctx, time: TimeState, axis: TimeState['axis']): void {
  time.axis = axis;
  ctx.redraw();
}

// `at`: Unix ms.
export function choose(ctx: Ctx, tree: TreeState, time: TimeState, at: number): void {
  time.chosen = at;
  run(ctx, load(ctx, tree, time));
}

export function setSince(ctx: Ctx, time: TimeState, since: Since): void {
  time.since = since;
  time.changes = null;
  ctx.redraw();
  run(ctx, loadChanges(ctx, time));
}

export function view(ctx: Ctx, tree: TreeState): VNode {
  const { time } = tree;
  const a = tree.analysis;
  if (!time || time.id !== tree.id || !a || !(time.history || time.problem))
    return h('div.skeletons', [h('div.skeleton')]);
  if (time.problem && !time.history) return empty(time.problem);
  const snapshots = time.history?.snapshots ?? [];
  const side: Side = a.fen.split(' ')[1] === 'b' ? 'black' : 'white';
  return h('div.time', [
    h('section', { attrs: { 'aria-label': 'Root scores' } }, [
      h('div.section-head', [
        h('h2', 'Root moves over time'),
        segments('Over', time.axis, { engine: 'Engine time', depth: 'Settled depth' }, axis =>
          setAxis(ctx, time, axis),
        ),
      ]),
      snapshots.length < 2
        ? h(
            'p.muted.chart-empty',
            snapshots.length ? 'One depth is settled; a line needs two.' : 'No depth is settled yet.',
          )
        : chartView(
            ctx,
            'scores of the best root moves',
            'scores',
            230,
            series(snapshots, side, time.axis),
            time.axis,
          ),
      snapshots.length > 1
        ? chartView(
            ctx,
            'number of evaluations',
            'evaluations',
            120,
            series(snapshots, side, time.axis),
            time.axis,
          )
        : null,
      settledTable(snapshots),
    ]),
    changesView(ctx, tree, time),
    // One after the other: nothing that is there already is pushed down by what comes above it.
    time.compared ? disagreementsView(tree, time, ctx.state.site !== null) : null,
    time.compared && time.disagreements ? compareView(ctx, tree, time, snapshots) : null,
  ]);
}

function settledTable(snapshots: readonly Snapshot[]): VNode | null {
  if (!snapshots.length) return null;
  return h('details.settled-table', [
    h('summary', `Settled depths (${snapshots.length})`),
    h('table.plain', { attrs: { 'aria-label': 'Settled depths' } }, [
      headRow(['Depth', 'Score', 'Best line', 'Evaluations', 'Engine time', 'When']),
      each('tbody', {}, snapshots, s =>
        h('tr', { key: `${s.refine} ${s.at}` }, [
          h('th', { attrs: { scope: 'row' } }, String(s.refine)),
          h('td', [scoreView('', s.alpha)]),
          h('td.cut', s.pv.slice(0, 5).join(' ')),
          h('td', count(s.evaluations)),
          h('td', span(s.engine_seconds)),
          h('td', moment(s.at)),
        ]),
      ),
    ]),
  ]);
}

const sinceNames: [Since, string][] = [
  ['visit', 'my last visit'],
  ['site', 'this site was written before'],
  ['hour', 'an hour ago'],
  ['day', 'yesterday'],
  ['week', 'a week ago'],
  ['chosen', 'a chosen time'],
];

function changesView(ctx: Ctx, tree: TreeState, time: TimeState): VNode {
  const { site } = ctx.state;
  const names = sinceNames.filter(([since]) =>
    site
      ? site.changes.some(one => one.name === since)
      : since !== 'site' && (since !== 'visit' || time.visit !== null),
  );
  const changes = time.changes;
  return h('section.changes', { attrs: { 'aria-label': 'What changed', 'data-testid': 'changes' } }, [
    h('div.section-head', [
      h('h2', 'What changed since'),
      choice({ 'aria-label': 'Since' }, time.since, names, since => setSince(ctx, time, since as Since)),
      time.since === 'chosen'
        ? input({ type: 'datetime-local', 'aria-label': 'Chosen time' }, toLocalInput(time.chosen), value => {
            const at = fromLocalInput(value);
            if (at !== null) choose(ctx, tree, time, at);
          })
        : null,
    ]),
    changes
      ? changesBody(tree, changes, ctx.state.now)
      : time.changesProblem
        ? h('p.error', time.changesProblem)
        : h('div.skeleton'),
  ]);
}

function changesBody(tree: TreeState, c: Changes, now: number): VNode {
  const begun = c.best.before !== null;
  const quiet = !c.evaluations && same(c.alpha.before, c.alpha.after);
  return h('div.changes-body', [
    h('p.muted', `${ago(c.since, now)} (${moment(c.since)}): ${plural(c.evaluations, 'new evaluation')}.`),
    quiet ? h('p', 'Nothing has changed.') : null,
    h('div.change-cards', [
      card('Best move', [
        rootLink(tree, c.best.before),
        arrow(),
        h('strong', [rootLink(tree, c.best.after)]),
        c.best.before === c.best.after ? h('span.muted', 'unchanged') : null,
      ]),
      card('Root score', [scoreView('', c.alpha.before), arrow(), scoreView('.strong', c.alpha.after)]),
    ]),
    begun && c.pv.before.join() !== c.pv.after.join()
      ? h('dl.pvs', [
          h('dt', 'before'),
          h('dd', [sansLink(tree, c.pv.before.slice(0, 10))]),
          h('dt', 'now'),
          h('dd', [sansLink(tree, c.pv.after.slice(0, 10))]),
        ])
      : null,
    ...(begun ? whatMoved(tree, c) : [h('p', 'The tree had not begun then: everything is new.')]),
  ]);
}

function whatMoved(tree: TreeState, c: Changes): Child[] {
  return [
    moved(
      tree,
      'Root moves',
      c.moves
        .filter(m => !same(m.before, m.after))
        .map(m => ({ line: [m], before: m.before, after: m.after })),
    ),
    newBest(tree, c.new_best),
    moved(tree, 'Biggest swings', c.swings),
    moved(
      tree,
      'Where the second engine disagrees',
      c.second_opinions
        .filter(one => one.line.length)
        .map(({ line, score, second }) => ({ line, before: score, after: second })),
    ),
    fresh(tree, c.new_lines),
  ];
}

const arrow = (): VNode => h('span.muted', { attrs: { 'aria-label': 'to' } }, '→');

const card = (title: string, children: Child[]): VNode => h('div.card', [h('h3', title), h('p', children)]);

interface Moved {
  line: Step[];
  before: Score | null;
  after: Score | null;
}

function moved(tree: TreeState, title: string, list: readonly Moved[]): VNode | null {
  if (!list.length) return null;
  return h('div.moved', [
    h('h3', title),
    h('table.plain', { attrs: { 'aria-label': title } }, [
      h(
        'tbody',
        list
          .slice(0, 10)
          .map(m =>
            h('tr', { key: ucis(m.line).join() }, [
              h('th', { attrs: { scope: 'row' } }, [lineLink(tree, [], m.line)]),
              h('td', [scoreView('', m.before)]),
              h('td', [arrow()]),
              h('td', [scoreView('.strong', m.after)]),
              h('td.num', m.before && m.after ? pawns(chartValue(m.after)! - chartValue(m.before)!) : 'new'),
            ]),
          ),
      ),
    ]),
  ]);
}

// Positions with another best move. The root's own stands in its card.
function newBest(tree: TreeState, changes: Changes['new_best']): VNode | null {
  const below = changes.filter(c => c.line.length);
  if (!below.length) return null;
  return h('div.moved', [
    h('h3', 'New best moves'),
    h(
      'ul.plain',
      below
        .slice(0, 10)
        .map(c =>
          h('li', { key: ucis(c.line).join() }, [
            lineLink(tree, [], [...c.line, c.after]),
            h('span.muted', ` instead of ${c.before.san}`),
          ]),
        ),
    ),
  ]);
}

const rootLink = (tree: TreeState, san: string | null): VNode =>
  san === null ? h('span', '–') : sansLink(tree, [san], san);

// A line that is told as SAN alone, as a link to its end.
function sansLink(tree: TreeState, sans: readonly string[], text?: string): VNode {
  const a = tree.analysis!;
  const line: string[] = [];
  for (const san of sans) {
    const move = readMove(a.fen, line, san);
    if (!move) break;
    line.push(move);
  }
  const shown = text ?? (lineText(rootPly(a), sans) || '–');
  return line.length ? link('.san', treeLink(tree.id, line), shown) : h('span.san', shown);
}

function fresh(tree: TreeState, lines: Changes['new_lines']): VNode | null {
  if (!lines.length) return null;
  return h('div.moved', [
    h('h3', 'New lines'),
    each('ul.plain', {}, lines, l =>
      h('li', { key: ucis(l.line).join() }, [lineLink(tree, [], l.line), ' ', scoreView('', l.alpha)]),
    ),
  ]);
}
