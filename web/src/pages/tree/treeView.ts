// The tree view: board left, what is known about its position right.
import { lineText, sanLine } from '../../chess/chess';
import { run } from '../../ctx';
import type { Ctx } from '../../ctx';
import { pageView } from '../../ui/frameView';
import { count, span } from '../../ui/format';
import { openImport, openLabels, openSettings, what } from '../../dialogs/parts';
import { moveBy } from '../../ui/day';
import { depthText, ending, processesFor, share } from '../../ui/progress';
import { sigma, sigmaTitle } from '../../ui/noise';
import { stateBadge, why } from '../../ui/stateBadge';
import type { Analysis } from '../../data/types';
import { button, h, link } from '../../ui/dom';
import type { VNode } from '../../ui/dom';
import { icon } from '../../ui/icons';
import { toggle } from '../../data/entities';
import { boardPane } from './boardPane';
import { exportHere } from './exportHere';
import { openSearchFurther } from './goOn';
import { lineView } from './lineView';
import { tabNames, tabOf } from './tabs';
import * as ctrl from './treeCtrl';
import { isAsking, rootPly } from './treeState';
import type { TreeState } from './treeState';
import { valueView } from './valueView';

export function treeView(ctx: Ctx, tree: TreeState): VNode {
  if (tree.problem && !tree.analysis) return problemView(tree);
  return pageView('.tree', tree.analysis?.name ?? 'Analysis', [
    stripView(ctx, tree),
    h('div.tree-grid', { class: { looking: tree.look.on } }, [
      boardPane(ctx, tree),
      h('div.side', [
        lineView(ctx, tree),
        isAsking(tree) ? null : valueView(ctx, tree),
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
  const onKey = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const at = tabNames.findIndex(([tab]) => tab === tree.tab);
    const next = tabNames[(at + step + tabNames.length) % tabNames.length]![0];
    ctrl.showTab(ctx, next);
    requestAnimationFrame(() => document.getElementById(`tab-${next}`)?.focus());
  };
  return h(
    'div.tabs',
    { attrs: { role: 'tablist', 'aria-label': 'What to look at' }, on: { keydown: onKey } },
    tabNames.map(([tab, name]) =>
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
    ),
  );
}

// Name, progress and the actions that concern the whole analysis. Widths are fixed, so that nothing
// moves while the numbers run.
function stripView(ctx: Ctx, tree: TreeState): VNode {
  const a = tree.analysis;
  if (!a) return h('div.strip', [h('h1', 'Analysis')]);
  return h('div.strip', [
    h('div.strip-what', [
      h('div.strip-name', [h('h1', { attrs: { title: a.name } }, a.name), stateBadge(a.state, a.reason)]),
      underName(ctx, a),
    ]),
    h('dl.facts', { attrs: { 'data-testid': 'progress' } }, facts(ctx, a)),
    h('div.strip-actions', [
      a.state === 'settled' || a.state === 'exhausted' ? furtherButton(ctx, a) : pauseButton(ctx, a),
      button('', { label: 'Settings', icon: icon('gear'), both: true, run: () => openSettings(ctx, a) }),
      button('', {
        label: 'Import',
        icon: icon('upload'),
        both: true,
        title: 'Import (o)',
        run: () => openImport(ctx, a.id),
      }),
      button('', {
        label: 'Export',
        icon: icon('download'),
        both: true,
        title: 'Export (e)',
        run: () => exportHere(ctx, tree),
      }),
    ]),
    progressBar(a),
  ]);
}

const pauseButton = (ctx: Ctx, a: Analysis): VNode =>
  button('', {
    label: a.hold ? 'Resume' : 'Pause',
    icon: icon(a.hold ? 'play' : 'pause'),
    both: true,
    testid: 'pause',
    title: 'Pause or resume (p)',
    run: () => run(ctx, toggle(ctx, a)),
  });

const furtherButton = (ctx: Ctx, a: Analysis): VNode =>
  button('', {
    label: 'Search further',
    icon: icon('play'),
    both: true,
    testid: 'further',
    title: 'It has ended: one hour more, overnight, or a level deeper',
    run: event => openSearchFurther(ctx, a, event.currentTarget as Element),
  });

// Why it stopped or waits, and whose word it is: noise, engine, limit of each search.
function underName(ctx: Ctx, a: Analysis): VNode {
  const engine = ctx.state.store.engines.get(a.engine);
  const [kind, amount] = Object.entries(a.limit)[0] ?? ['depth', 0];
  const limit = { depth: `depth ${amount}`, nodes: `${count(amount)} nodes` }[kind] ?? `${amount} ms`;
  const noise = sigma(engine);
  return h('p.strip-more.muted.small.cut', [
    why(a) ? h('span.why', { attrs: { 'data-testid': 'why' } }, why(a)) : null,
    noise && engine
      ? h('span', { attrs: { 'data-testid': 'noise' } }, [what(ctx, 'sigma', noise, sigmaTitle(engine))])
      : null,
    h('span', `${a.engine}, ${limit}`),
    button('.text', {
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
  return parts.filter(Boolean).join(' · ') || 'Tags and game…';
}

function facts(ctx: Ctx, a: Analysis): VNode[] {
  const fact = (selector: string, name: string, value: string, title?: string): VNode =>
    h(`div${selector}`, { attrs: title ? { title } : {} }, [h('dt', name), h('dd', value)]);
  const { evaluations: e } = a;
  const end = a.state === 'running' ? ending(a, ctx.state.now, processesFor(a, ctx.state.store)) : null;
  return [
    fact('.f-depth', 'Settled', depthText(a), `working on depth ${a.refine}`),
    fact('', 'Positions', count(a.positions)),
    fact(
      '.f-evaluations',
      'Evaluations',
      count(e.new + e.reused),
      `${count(e.new)} new, ${count(e.reused)} reused, ${count(e.unneeded)} turned out not to be needed`,
    ),
    fact('.f-time', 'Engine time', span(a.engine_seconds)),
    fact('.f-time', end?.limit === 'engine_seconds' ? 'Engine time left' : 'Left', end?.text ?? '–'),
  ];
}

function progressBar(a: Analysis): VNode {
  const part = share(a);
  return h('div.strip-bar', { class: { live: a.state === 'running' } }, [
    h('i', { style: { width: `${(part ?? 0) * 100}%` } }),
  ]);
}

export function documentTitle(tree: TreeState): string {
  const name = tree.analysis?.name ?? 'Analysis';
  const line = tree.analysis ? sanLine(tree.analysis.fen, tree.line).map(s => s.san) : [];
  const at =
    line.length && tree.analysis
      ? `${lineText(rootPly(tree.analysis) + Math.max(0, line.length - 2), line.slice(-2))} · `
      : '';
  return `${at}${name} – Adjourn`;
}
