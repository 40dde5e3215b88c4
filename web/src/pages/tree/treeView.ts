// The tree view: board left, what is known about its position right.
import { lineText, sanLine, sans } from '../../chess/chess';
import { nameOf } from '../../chess/material';
import { text as score } from '../../chess/score';
import { run, type Ctx } from '../../ctx';
import { pageView } from '../../ui/frameView';
import { count, span } from '../../ui/format';
import { openImport, openLabels, openSettings, openShare, what } from '../../dialogs/parts';
import { moveBy } from '../../ui/day';
import { depthText, ending, processesFor, share, type Ending, stateBadge, why } from '../../ui/progress';
import { sigma, sigmaTitle } from '../../ui/noise';
import type { Analysis, Engine } from '../../data/types';
import { button, each, h, link, type Child, type VNode } from '../../ui/dom';
import { icon, type IconName } from '../../ui/icons';
import { popover } from '../../ui/popover';
import { toggle } from '../../data/entities';
import { tabsFor } from '../../router';
import { boardPane } from './boardPane';
import { exportHere } from './exportHere';
import { openSearchFurther, renew } from './goOn';
import { lineView } from './lineView';
import { tabNames, tabOf } from './tabs';
import * as ctrl from './treeCtrl';
import { rootPly, type TreeState } from './treeState';
import { valueView } from './valueView';

export function treeView(ctx: Ctx, tree: TreeState): VNode {
  if (tree.problem && !tree.analysis) return problemView(tree);
  return pageView('.tree', tree.analysis?.name ?? 'Analysis', [
    stripView(ctx, tree),
    h('div.tree-grid', [
      boardPane(ctx, tree),
      h('div.side', [
        lineView(ctx, tree),
        valueView(ctx, tree),
        tabsView(ctx, tree),
        h(
          'div.tab-panel',
          { key: tree.tab, attrs: { role: 'tabpanel', id: 'panel', 'aria-labelledby': `tab-${tree.tab}` } },
          tabOf(tree).view(ctx, tree),
        ),
      ]),
    ]),
  ]);
}

function problemView(tree: TreeState): VNode {
  const gone = tree.problem!.status === 404;
  return pageView('.lost', 'Analysis', [
    h('h1', gone ? 'No such analysis' : 'This cannot be shown'),
    h('p', tree.problem!.message),
    link('.button', '#/', 'To the queue'),
  ]);
}

function tabsView(ctx: Ctx, tree: TreeState): VNode {
  const shown = tabNames.filter(([tab]) => tabsFor(ctx.state.shared).includes(tab));
  const onKey = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const at = shown.findIndex(([tab]) => tab === tree.tab);
    const next = shown[(at + step + shown.length) % shown.length]![0];
    ctrl.showTab(ctx, next);
    requestAnimationFrame(() => document.getElementById(`tab-${next}`)?.focus());
  };
  return each(
    'div.tabs',
    { attrs: { role: 'tablist', 'aria-label': 'What to look at' }, on: { keydown: onKey } },
    shown,
    ([tab, name]) =>
      h(
        'button',
        {
          attrs: {
            type: 'button',
            role: 'tab',
            id: `tab-${tab}`,
            'aria-selected': String(tab === tree.tab),
            'aria-controls': 'panel',
            tabindex: tab === tree.tab ? 0 : -1,
          },
          on: { click: () => ctrl.showTab(ctx, tab) },
        },
        name,
      ),
  );
}

// Name, state and what is left; one thing to do with the analysis, and the rest behind signs. Widths are fixed, so that
// nothing moves while the numbers run.
function stripView(ctx: Ctx, tree: TreeState): VNode {
  const a = tree.analysis;
  if (!a) return h('div.strip', [h('div.strip-what', [h('h1', 'Analysis'), h('p.strip-more', ' ')])]);
  const own = !ctx.state.shared;
  const quiet = (label: string, sign: IconName, title: string, act: () => void): VNode =>
    button('.quiet.square', { label, icon: icon(sign), title, run: act });
  return h('div.strip', [
    h('div.strip-what', [
      h('div.strip-name', [
        h('h1', { attrs: { title: a.name } }, nameOf(a.name)),
        ctx.state.site ? null : stateBadge(a.state, a.reason), // what was so then
      ]),
      underName(ctx, a),
    ]),
    h('div.strip-actions', [
      ...counters(ctx, a),
      ...(own
        ? [
            primary(ctx, a),
            quiet('Settings', 'gear', 'Settings', () => openSettings(ctx, a)),
            quiet('Import', 'upload', 'Import (o)', () => openImport(ctx, a.id)),
            quiet('Share', 'share', 'Share by a link that can only read', () =>
              openShare(ctx, { id: a.id, file: null, title: a.name }),
            ),
          ]
        : []),
      quiet('Export', 'download', 'Export (e)', () => exportHere(ctx, tree)),
    ]),
    progressBar(a),
  ]);
}

// What most people want next: an analysis that has ended can go on.
function primary(ctx: Ctx, a: Analysis): VNode {
  const ended = a.state === 'settled' || a.state === 'exhausted';
  if (ended)
    return button('.primary.strip-main', {
      label: 'Search further',
      icon: icon('play'),
      both: true,
      testid: 'further',
      title: 'It has ended: one hour more, overnight, or a level deeper',
      run: event => openSearchFurther(ctx, a, event.currentTarget as Element),
    });
  return button(a.hold ? '.primary.strip-main' : '.strip-main', {
    label: a.hold ? 'Resume' : 'Pause',
    icon: icon(a.hold ? 'play' : 'pause'),
    both: true,
    testid: 'pause',
    title: 'Pause or resume (p)',
    run: () => run(ctx, toggle(ctx, a)),
  });
}

// Why it stopped or waits, and whose game it is.
function underName(ctx: Ctx, a: Analysis): VNode {
  return h('p.strip-more.muted.small.cut', [
    why(a) ? h('span.why', { attrs: { 'data-testid': 'why' } }, why(a)) : null,
    ctx.state.shared
      ? h('span', gameText(ctx, a))
      : button('.text', {
          label: gameText(ctx, a),
          title: 'Tags, players, opponent, date to move by',
          testid: 'labels',
          run: () => openLabels(ctx, a),
        }),
  ]);
}

// "Short – Timman, Tilburg 1991 · move by 3 Dec (in 10 days) · najdorf"
function gameText(ctx: Ctx, { game, tags }: Analysis): string {
  const players = [game.white, game.black].filter(Boolean).join(' – ');
  const parts = [
    [players, game.event].filter(Boolean).join(', '),
    game.opponent && `against ${game.opponent}`,
    game.move_by && moveBy(game.move_by, ctx.state.now).text,
    tags.join(', '),
  ];
  return parts.filter(Boolean).join(' · ') || (ctx.state.shared ? ' ' : 'Tags and game…');
}

// What is left, and behind it all that is counted.
function counters(ctx: Ctx, a: Analysis): VNode[] {
  const end =
    a.state === 'running' && !ctx.state.site
      ? ending(a, ctx.state.now, processesFor(a, ctx.state.store))
      : null;
  const timed = end?.limit === 'level' || end?.limit === 'engine_seconds';
  const left = end ? `${end.text}${timed ? ' left' : ''}` : 'Progress';
  return popover(
    '.quiet.strip-left',
    {
      id: 'progress',
      label: `Progress: ${left}`,
      children: [h('span', { attrs: { 'data-testid': 'left' } }, left), icon('down')],
      attrs: { 'data-testid': 'counters' },
    },
    [h('dl.facts', { attrs: { 'data-testid': 'progress' } }, facts(ctx, a, end))],
  );
}

function facts(ctx: Ctx, a: Analysis, end: Ending | null): VNode[] {
  const fact = (name: string, value: Child, more = ''): VNode =>
    h('div', [h('dt', name), h('dd', [value, more ? h('small.muted', more) : null])]);
  const { evaluations: e } = a;
  const engine = ctx.state.store.engines.get(a.engine);
  const [kind, amount] = Object.entries(a.limit)[0] ?? ['depth', 0];
  const limit = { depth: `depth ${amount}`, nodes: `${count(amount)} nodes` }[kind] ?? `${amount} ms`;
  const noise = sigma(engine);
  const others = ctx.state.shared ? [] : ctx.state.store.engines.all().filter(e => e.name !== a.engine);
  return [
    fact('Settled', depthText(a), `working on depth ${a.refine}`),
    fact('Positions', count(a.positions)),
    fact(
      'Evaluations',
      count(e.new + e.reused),
      `${count(e.new)} new, ${count(e.reused)} reused, ${count(e.unneeded)} not needed in the end`,
    ),
    fact('Engine time', span(a.engine_seconds)),
    fact(
      'Left',
      end?.text ?? '–',
      end?.limit === 'engine_seconds' ? `${engineTimeLeft(a)} of engine time` : '',
    ),
    fact('Engine', a.engine, limit),
    ...(a.renewal ? [fact('Renewed', renewalView(a.renewal))] : []),
    ...(others.length
      ? [
          fact(
            'Renew with',
            h('span', { attrs: { 'data-testid': 'renew' } }, others.map(renewButton(ctx, a))),
          ),
        ]
      : []),
    noise && engine
      ? fact(
          'Noise',
          h('span', { attrs: { 'data-testid': 'noise' } }, [what(ctx, 'sigma', noise, sigmaTitle(engine))]),
        )
      : fact('Noise', 'not measured yet'),
  ];
}

const renewButton =
  (ctx: Ctx, a: Analysis) =>
  ({ name, identity }: Engine): VNode =>
    button('.text', {
      label: name,
      title: `Go on with ${identity?.name ?? name}: it is asked again about all that was found`,
      disabled: !identity,
      run: () => run(ctx, renew(ctx, a, name)),
    });

// How much of what the engine before said is confirmed, and which answers fell, with both numbers.
const renewalView = ({ engine, text, answers }: NonNullable<Analysis['renewal']>): VNode =>
  h('span', { attrs: { 'data-testid': 'renewal' } }, [
    `from ${engine}: ${text}`,
    ...answers
      .filter(({ state }) => state === 'fell' || state === 'differs')
      .map(({ move, now, best, state }) =>
        h('small.muted', [
          `${move.san} ${score(move.score)}, now ${score(now)}`,
          state === 'fell' ? `; the answer is ${best.san} ${score(best.score)}` : '',
        ]),
      ),
  ]);

const engineTimeLeft = (a: Analysis): string =>
  span(Math.max(0, (a.budget.engine_seconds ?? 0) - a.engine_seconds));

function progressBar(a: Analysis): VNode {
  const part = share(a);
  return h('div.strip-bar', { class: { live: a.state === 'running' } }, [
    h('i', { style: { width: `${(part ?? 0) * 100}%` } }),
  ]);
}

export function documentTitle(tree: TreeState): string {
  const name = nameOf(tree.analysis?.name ?? 'Analysis');
  const line = tree.analysis ? sans(sanLine(tree.analysis.fen, tree.line)) : [];
  const at =
    line.length && tree.analysis
      ? `${lineText(rootPly(tree.analysis) + Math.max(0, line.length - 2), line.slice(-2))} · `
      : '';
  return `${at}${name} – Adjourn`;
}
