// The tab "Repertoire": what is missing, what it costs, what was played; and the training.
import { lineText, sans, ucis } from '../../../chess/chess';
import { pawns } from '../../../chess/score';
import { run, type Ctx } from '../../../ctx';
import { limits } from '../../../data/described';
import { treeLink } from '../../../router';
import type { Gaps, Played, Step } from '../../../data/types';
import {
  button,
  checkbox,
  field,
  h,
  link,
  segments,
  choiceField,
  headRow,
  alertLine,
  type Attrs,
} from '../../../ui/dom';
import type { Child, VNode } from '../../../ui/dom';
import { count, plural } from '../../../ui/format';
import { scoreView } from '../../../ui/scoreView';
import { exportHere } from '../exportHere';
import { here, place, rootPly, type TreeState } from '../treeState';
import * as ctrl from './repertoireCtrl';
import type { RepertoireState } from './repertoireState';
import { trainingView } from './trainingView';

export { enter, loadIfOld } from './repertoireCtrl';

export function view(ctx: Ctx, tree: TreeState): VNode {
  const state = tree.repertoire;
  if (!state) return h('div.skeleton');
  if (state.training) return trainingView(ctx, tree, state, state.training);
  const gaps = state.gaps?.line === tree.line.join() ? state.gaps.found : null;
  return h('div.repertoire', { attrs: { 'data-testid': 'repertoire' } }, [
    settings(ctx, tree, state),
    alertLine(state.problem),
    gaps ? coverageView(gaps) : null,
    gapsView(ctx, tree, state, gaps),
    gaps ? lossesView(tree, gaps) : null,
    leftView(tree, state),
    gaps
      ? linesView(
          tree,
          'Where the games end',
          'Their moves before are in the games, none after my answer.',
          gaps.ends,
        )
      : null,
    gaps
      ? linesView(
          tree,
          'Hardly ever met',
          'Lines of my file that come in fewer than 1 of 1,000 games.',
          gaps.seldom,
        )
      : null,
    gaps ? noveltiesView(tree, gaps) : null,
    playedView(tree, state),
  ]);
}

// A field whose value counts when one has finished typing.
const typed = (attrs: Attrs, value: string, set: (value: string) => void): VNode =>
  h('input', {
    attrs,
    props: { value },
    on: { change: event => set((event.target as HTMLInputElement).value.trim()) },
  });

function settings(ctx: Ctx, tree: TreeState, state: RepertoireState): VNode {
  const { wish } = state;
  const number = (text: string, most: number): number | null =>
    /^\d{1,9}$/.test(text) && Number(text) <= most ? Number(text) : null;
  const games = state.collections ?? [];
  return h('section.rep-settings', { attrs: { 'aria-label': 'Repertoire' } }, [
    segments('My side', wish.side, { white: 'I play White', black: 'I play Black' }, side =>
      run(ctx, ctrl.tellMine(ctx, tree, state, { my_side: side })),
    ),
    h('div.rep-fields', [
      field({
        id: 'rep-names',
        label: 'My names in games, with semicolons',
        control: attrs =>
          typed({ ...attrs, maxlength: limits.my_names[1] }, tree.analysis?.my_names ?? '', my_names =>
            run(ctx, ctrl.tellMine(ctx, tree, state, { my_names })),
          ),
      }),
      field({
        id: 'rep-within',
        label: 'Their moves within (cp)',
        control: attrs =>
          typed({ ...attrs, inputmode: 'numeric', size: 5 }, String(wish.within), text => {
            const cp = Math.round(Number(text));
            if (text && cp >= 0 && cp <= 1000) ctrl.change(ctx, tree, state, { within: cp });
          }),
      }),
      choiceField(
        { id: 'rep-collection', label: 'Games to compare with' },
        wish.collection,
        [['', 'none'], ...games.map(c => [c.name, `${c.name} (${count(c.games)})`] as const)],
        collection => ctrl.change(ctx, tree, state, { collection }),
      ),
      wish.collection
        ? field({
            id: 'rep-games',
            label: 'and played at least (games)',
            control: attrs =>
              typed({ ...attrs, inputmode: 'numeric', size: 5 }, String(wish.games), text => {
                const least = number(text, 1e9);
                if (least) ctrl.change(ctx, tree, state, { games: least });
              }),
          })
        : null,
    ]),
    checkbox(
      'rep-own',
      'Only my own moves are answers: imported from my file, or included',
      wish.ownOnly,
      ownOnly => ctrl.change(ctx, tree, state, { ownOnly }),
    ),
    h('div.rep-actions', [
      button('.primary', {
        label: 'Train these moves',
        testid: 'train',
        run: () => run(ctx, ctrl.train(ctx, tree, state)),
      }),
      button('', { label: 'Export my side', testid: 'export-side', run: () => exportSide(ctx, tree, state) }),
      h('label.button.file', { class: { busy: state.adding !== null } }, [
        state.adding ? `Adding ${state.adding} …` : 'Add games (PGN)',
        h('input.hidden', {
          attrs: { type: 'file', accept: '.pgn', 'aria-label': 'Add games to compare with' },
          on: {
            change: (event: Event) => {
              const target = event.target as HTMLInputElement;
              const file = target.files?.[0];
              if (file) run(ctx, ctrl.addGames(ctx, tree, state, file));
              target.value = '';
            },
          },
        }),
      ]),
    ]),
  ]);
}

function exportSide(ctx: Ctx, tree: TreeState, state: RepertoireState): void {
  const { side, within, ownOnly } = state.wish;
  exportHere(ctx, tree, { orientation: side, side, ownOnly, margin: String(within) });
}

const table = (label: string, columns: readonly string[], rows: VNode[]): VNode =>
  h('div.moved', [
    h('table.plain', { attrs: { 'aria-label': label } }, [headRow(columns), h('tbody', rows)]),
  ]);

function lineCell(tree: TreeState, line: readonly Step[], more: Child = null): VNode {
  const text = lineText(rootPly(tree.analysis!) + tree.line.length, sans(line));
  const uci = [...tree.line, ...ucis(line)];
  return h('th', { attrs: { scope: 'row' } }, [
    link('', treeLink(tree.id, uci, 'repertoire'), text || 'here'),
    more,
  ]);
}

const share = (part: number): string =>
  part < 0.001 ? '< 0.1 %' : `${(100 * part).toFixed(part < 0.1 ? 1 : 0)} %`;

function gapsView(ctx: Ctx, tree: TreeState, state: RepertoireState, gaps: Gaps | null): VNode {
  if (!gaps) return h('section', { attrs: { 'aria-label': 'Gaps' } }, [h('h2', 'Gaps'), h('div.skeleton')]);
  const me = gaps.side === 'white' ? 'White' : 'Black';
  return h('section', { attrs: { 'aria-label': 'Gaps', 'data-testid': 'gaps' } }, [
    h('h2', gaps.total ? `${plural(gaps.total, 'gap', 'gaps')}` : 'No gaps'),
    h(
      'p.muted',
      gaps.total
        ? `Moves that may come and have no answer for ${me} yet, the likeliest first. ${plural(gaps.answered, 'position has', 'positions have')} one.`
        : `Every move that may come is answered: ${plural(gaps.answered, 'position', 'positions')} with ${me} to move.`,
    ),
    gaps.total
      ? h('div.rep-actions', [
          button('.primary', {
            label: gaps.gaps.length < gaps.total ? `Queue the first ${gaps.gaps.length}` : 'Queue all',
            testid: 'queue-gaps',
            run: () => run(ctx, ctrl.queueAll(ctx, tree, state, gaps)),
          }),
          state.asked ? h('span', { attrs: { role: 'status' } }, state.asked) : null,
        ])
      : null,
    gaps.gaps.length
      ? table(
          'Gaps',
          ['Line', 'Score', 'Games', 'Likely'],
          gaps.gaps.map(gap =>
            h('tr', { key: gap.fen, attrs: { 'data-testid': 'gap' } }, [
              lineCell(
                tree,
                gap.line,
                gap.mine ? h('span.muted', ` then ${gap.mine.san}, not searched yet`) : null,
              ),
              h('td', gap.score ? [scoreView('', gap.score)] : '–'),
              h('td.num', gap.games ? count(gap.games) : '–'),
              h('td.num', share(gap.likelihood)),
            ]),
          ),
        )
      : null,
    gaps.truncated ? h('p.muted', 'Only the 20,000 likeliest positions were looked at.') : null,
  ]);
}

function coverageView(gaps: Gaps): VNode {
  const told = gaps.coverage.map(({ moves, answered, unseen }) => {
    const most = Math.min(answered + unseen, 1);
    return `${moves} moves: ${unseen > 0.01 ? `${(100 * answered).toFixed(0)} to ` : ''}${share(unseen > 0.01 ? most : answered)}`;
  });
  return h('section', { attrs: { 'aria-label': 'Coverage', 'data-testid': 'coverage' } }, [
    h('h2', 'Coverage'),
    h('p', `Of what may come from here I have an answer for ${told.join(', for ')}.`),
  ]);
}

function linesView(tree: TreeState, title: string, hint: string, lines: Gaps['ends']): VNode | null {
  if (!lines.length) return null;
  return h('section', { attrs: { 'aria-label': title } }, [
    h('h2', title),
    h('p.muted', hint),
    table(
      title,
      ['Line', 'Games', 'Likely', ...(lines[0]?.answers ? ['Moves'] : [])],
      lines.map(one =>
        h('tr', { key: ucis(one.line).join() }, [
          lineCell(tree, one.line),
          h('td.num', one.games ? count(one.games) : '–'),
          h('td.num', share(one.likelihood)),
          one.answers ? h('td.num', count(one.answers)) : null,
        ]),
      ),
    ),
  ]);
}

// From the root, wherever one stands.
function leftView(tree: TreeState, { left }: RepertoireState): VNode | null {
  if (!left.length) return null;
  return h('section', { attrs: { 'aria-label': 'Where games left my files', 'data-testid': 'left' } }, [
    h('h2', 'Where games left my files'),
    table(
      'Where games left my files',
      ['Game', 'Left with', 'By', 'Known', 'Loses'],
      left.map((one, i) => {
        const uci = ucis(one.line);
        const played = lineText(rootPly(tree.analysis!) + uci.length - 1, sans(one.line.slice(-1)));
        return h('tr', { key: i }, [
          h('th', { attrs: { scope: 'row' } }, one.players),
          h('td', [link('', treeLink(tree.id, uci, 'repertoire'), played)]),
          h('td', one.mine === null ? '–' : one.mine ? 'me' : 'them'),
          h('td', sans(one.known).join(', ')),
          h('td.num', one.loss === null ? '–' : pawns(one.loss).replace('+', '')),
        ]);
      }),
    ),
  ]);
}

function lossesView(tree: TreeState, gaps: Gaps): VNode | null {
  if (!gaps.loses.length) return null;
  return h('section', { attrs: { 'aria-label': 'Where my moves lose', 'data-testid': 'loses' } }, [
    h('h2', 'Where my moves lose'),
    table(
      'Where my moves lose',
      ['My move', 'Loses', 'Better'],
      gaps.loses.map(one =>
        h('tr', { key: ucis(one.line).join() }, [
          lineCell(tree, one.line),
          h('td.num', pawns(one.loss).replace('+', '')),
          h('td', [`${one.best.san} `, scoreView('', one.best_score)]),
        ]),
      ),
    ),
  ]);
}

function noveltiesView(tree: TreeState, gaps: Gaps): VNode | null {
  if (!gaps.novelties.length) return null;
  return h('section', { attrs: { 'aria-label': 'Never played', 'data-testid': 'novelties' } }, [
    h('h2', 'Never played'),
    h('p.muted', 'Answers that none of these games has.'),
    table(
      'Never played',
      ['Answer', 'Score', 'Games before'],
      gaps.novelties.map(one =>
        h('tr', { key: ucis(one.line).join() }, [
          lineCell(tree, one.line),
          h('td', [scoreView('', one.score)]),
          h('td.num', count(one.games)),
        ]),
      ),
    ),
  ]);
}

// What was played here, beside the engine's opinion.
function playedView(tree: TreeState, state: RepertoireState): VNode | null {
  const { played } = state;
  if (!played || played.fen !== place(tree)?.fen || played.collection !== state.wish.collection) return null;
  const node = here(tree);
  const engine = new Map(node?.moves.map(m => [m.uci, m.alpha]) ?? []);
  return h('section.played-table', { attrs: { 'aria-label': 'Played here', 'data-testid': 'played' } }, [
    h('h2', `Played here: ${plural(played.found.games, 'game', 'games')}`),
    played.found.moves.length
      ? table(
          'Played here',
          ['Move', 'Games', 'White scores', 'Last', 'Tree', 'Known from'],
          played.found.moves.map(move => playedRow(tree, move, engine.get(move.uci) ?? null)),
        )
      : h('p', 'Nobody had this position.'),
  ]);
}

function playedRow(
  tree: TreeState,
  move: Played['moves'][number],
  alpha: Parameters<typeof scoreView>[1] | null,
): VNode {
  const score = (move.white + move.draws / 2) / Math.max(move.games, 1);
  const { best } = move;
  const known = [best.white && `${best.white} – ${best.black}`, best.year, best.result]
    .filter(Boolean)
    .join(', ');
  return h('tr', { key: move.uci, attrs: { 'data-testid': 'played-move' } }, [
    h('th', { attrs: { scope: 'row' } }, [
      link('', treeLink(tree.id, [...tree.line, move.uci], 'repertoire'), move.san),
    ]),
    h('td.num', count(move.games)),
    h(
      'td.num',
      { attrs: { title: `+${move.white} =${move.draws} −${move.black}` } },
      `${(100 * score).toFixed(0)} %`,
    ),
    h('td.num', move.last_year ? String(move.last_year) : '–'),
    h('td', alpha ? [scoreView('', alpha)] : '–'),
    h('td.muted.known', known),
  ]);
}
