// The line that says what the answer rests on: how likely it stands, the two evaluations that matter most, all of them
// behind a sign, and the button that has them searched again.
import type { DrawShape } from '@lichess-org/chessground/draw';
import { lineText, ucis } from '../../../chess/chess';
import { text } from '../../../chess/score';
import { type Ctx, attempt, run } from '../../../ctx';
import type { Carrier, Step, Verdict } from '../../../data/types';
import { treeLink } from '../../../router';
import { arrow } from '../../../ui/board/arrows';
import { button, each, h, type Child, type VNode } from '../../../ui/dom';
import { count, plural, span } from '../../../ui/format';
import { icon } from '../../../ui/icons';
import { popover } from '../../../ui/popover';
import { pvSteps } from '../../../ui/pvSteps';
import { scoreView } from '../../../ui/scoreView';
import { rootPly, type TreeState, here, isAsking, stoodBefore } from '../treeState';
import { verifySearches } from '../../../setup/speed';
import { canVerify, firstSteps, stepsTo, verifySeconds, initialVerdict, isAnswering } from './verdictState';

// Asks what the answer rests on, with each change of the position, and gives work to verify that.
const every = 2000; // ms between two questions about one position, at least
const patience = 200; // ms: who walks on quickly asks about no position

const offline = ({ state }: Ctx): boolean =>
  state.link.status === 'offline' || state.link.status === 'locked';

// What may be shown at the present position.
export function toldHere(tree: TreeState): Verdict | null {
  const { verdict } = tree;
  if (!verdict?.told?.stands || verdict.line !== tree.line.join()) return null;
  return isAsking(tree) || stoodBefore(tree) ? null : verdict.told;
}

export async function follow(ctx: Ctx, tree: TreeState): Promise<void> {
  const state = (tree.verdict ??= initialVerdict());
  const node = here(tree);
  const key = tree.line.join();
  if (!node || ctx.state.tree !== tree) return;
  const now = ctx.clock.now();
  if (state.line !== key) {
    state.asking.stop();
    Object.assign(state, { line: key, version: -1, told: null, due: state.due && now + patience });
  }
  state.notSoon();
  if (node.version === state.version || state.asking.busy || offline(ctx)) return;
  if (now >= state.due) return ask(ctx, tree, node.version);
  state.notSoon = ctx.clock.after(state.due - now, () => run(ctx, follow(ctx, tree)));
}

async function ask(ctx: Ctx, tree: TreeState, version: number): Promise<void> {
  const state = tree.verdict!;
  const { line } = tree;
  state.due = ctx.clock.now() + every;
  state.version = version;
  state.atWork = Boolean(tree.analysis?.in_flight);
  const answer = await state.asking.ask(signal => ctx.api.verdict(tree.id, line, signal));
  if (!answer) return;
  if ('problem' in answer) {
    state.version = -1; // what was told stays; it is asked again with the next answer about the position
    return;
  }
  state.told = answer.value;
  ctx.redraw();
  await follow(ctx, tree); // it may have changed meanwhile
}

// Once a second while the server answers: how much of the work is left, and what the second engine says.
export async function tick(ctx: Ctx, tree: TreeState): Promise<void> {
  const state = tree.verdict;
  const told = toldHere(tree);
  if (!state || !told || state.asking.busy || state.giving) return;
  if (!told.verifying && !(state.atWork && isAnswering(told))) return;
  if (ctx.clock.now() >= state.due) await ask(ctx, tree, here(tree)?.version ?? -1);
}

export function point(ctx: Ctx, tree: TreeState, pointed: boolean): void {
  if (!tree.verdict || tree.verdict.pointed === pointed) return;
  tree.verdict.pointed = pointed;
  if (tree.verdict.told) ctx.redraw();
}

export async function verify(ctx: Ctx, tree: TreeState): Promise<void> {
  const state = tree.verdict;
  const told = toldHere(tree);
  if (!state || !told || !canVerify(told) || told.verifying || state.giving) return;
  if (ctx.state.shared || offline(ctx)) return;
  state.giving = true;
  ctx.redraw();
  await attempt(ctx, async () => {
    try {
      const verifying = await ctx.api.verify(tree.id, tree.line, verifySearches);
      if (state.told) state.told = { ...state.told, verifying };
      state.due = ctx.clock.now() + every;
    } finally {
      state.giving = false;
    }
  });
}

const named = 2; // of what carries the answer
const most = 3; // arrows on the board
const width = 12; // of an arrow, hundredths of a square

export function verdictView(ctx: Ctx, tree: TreeState): VNode {
  const told = toldHere(tree);
  return h(
    'div.verdict',
    {
      attrs: { 'data-testid': 'verdict' },
      on: {
        mouseenter: () => point(ctx, tree, true),
        mouseleave: () => point(ctx, tree, false),
        focusin: () => point(ctx, tree, true),
        focusout: event => {
          point(ctx, tree, false);
          for (const part of (event.currentTarget as Element).children) part.scrollTop = 0; // what was out of sight
        },
      },
    },
    told ? parts(ctx, tree, told) : [],
  );
}

// Instead of the arrows of the best moves, while somebody points at the line.
export function carrierArrows(tree: TreeState): DrawShape[] | null {
  const told = tree.verdict?.pointed ? toldHere(tree) : null;
  if (!told || !canVerify(told)) return null;
  return firstSteps(told)
    .slice(0, most)
    .map(step => arrow(step, tree.orientation, width, 'carrier'));
}

// The lines to it, joined: for the picture of the tree.
export const carriedLines = (tree: TreeState): Set<string> =>
  new Set(toldHere(tree)?.carries.map(carrier => ucis(stepsTo(carrier)).join()));

function parts(ctx: Ctx, tree: TreeState, told: Verdict): Child[] {
  const { carries } = told;
  const { percent, letter, like_this: like } = told.stands!;
  return [
    h('span.verdict-stands', { attrs: { title: meaning(tree, told) } }, [
      'stands: ',
      h('strong', `${percent} %, ${letter}`),
      canVerify(told) ? ';' : '',
    ]),
    h('span.verdict-rest', [
      told.second_opinions.length
        ? h('span', { attrs: { 'data-testid': 'second-disagrees' } }, `${told.second!.engine} disagrees; `)
        : null,
      ...carries
        .slice(0, named)
        .map((carrier, i) =>
          h('span.verdict-carrier', { key: i }, [
            i ? 'and ' : 'it rests on ',
            ...carrierView(ctx, tree, carrier),
            carries.length > named && i === named - 1 ? ' …' : '',
          ]),
        ),
      canVerify(told) && !told.rival ? h('span.muted', `against ${notSearched}`) : null,
      like.text
        ? h(
            'span.verdict-known.muted',
            { attrs: { title: known(like.text) } },
            like.answers ? `${like.stood} % of ${like.answers} like it stood` : 'none like it is known yet',
          )
        : null,
    ]),
    ctx.state.shared ? left(told) : verifyButton(ctx, tree, told),
    ...popover(
      '.quiet.square.verdict-more',
      {
        id: 'verdict-all',
        label: 'What the answer rests on',
        children: [icon('down')],
        attrs: { 'data-testid': 'verdict-more' },
      },
      details(ctx, tree, told),
    ),
  ];
}

const notSearched = 'a move that was not searched';

const known = (text: string): string => `${text[0]!.toUpperCase()}${text.slice(1)}.`;

function meaning(tree: TreeState, told: Verdict): string {
  const { percent, like_this: like } = told.stands!;
  return [
    `${percent} %: the chance that the same move is still the answer after four times the work.`,
    ...(like.text ? [known(like.text)] : []),
    ...otherwise(tree, told),
  ].join('\n');
}

// What would have to be otherwise, and what would be the answer then.
function otherwise(tree: TreeState, told: Verdict): string[] {
  if (!canVerify(told)) return ['No error of the searches could change it.'];
  const rival = told.rival ? lineText(plyHere(tree), [told.rival.san]) : notSearched;
  return [
    `Else the answer would be ${rival}${told.meeting ? `, where both are worth ${text(told.meeting)}` : ''}.`,
    told.bound ? 'A smaller set of errors may do it, too.' : '',
  ].filter(Boolean);
}

const plyHere = (tree: TreeState): number => (tree.analysis ? rootPly(tree.analysis) : 0) + tree.line.length;

// Moves from here, those before `from` left out; each is a link.
const stepsView = (ctx: Ctx, tree: TreeState, steps: readonly Step[], from = 0): VNode[] =>
  pvSteps(
    ctx,
    {
      fen: tree.analysis?.fen ?? '',
      before: [...tree.line, ...ucis(steps.slice(0, from))],
      ply: plyHere(tree) + from,
      orientation: tree.orientation,
      href: line => treeLink(tree.id, line, tree.tab),
    },
    steps.slice(from),
  );

const othersAt = (steps: readonly Step[]): string =>
  steps.length ? 'other moves after ' : 'other moves here';

// By its last move; where that was not asked, by the one before it.
function carrierView(ctx: Ctx, tree: TreeState, carrier: Carrier, whole = false): Child[] {
  const steps = stepsTo(carrier);
  const from = whole ? 0 : Math.max(0, steps.length - 1);
  return [
    carrier.move ? null : othersAt(steps),
    ...stepsView(ctx, tree, steps, from),
    ' ',
    carrier.score ? scoreView('', carrier.score) : null,
    carrier.effort
      ? h(
          'span.muted.verdict-effort',
          { attrs: { title: `${count(carrier.effort)} nodes are behind it` } },
          ` (${count(carrier.effort)})`,
        )
      : null,
  ];
}

function details(ctx: Ctx, tree: TreeState, told: Verdict): Child[] {
  return [
    ...meaning(tree, told)
      .split('\n')
      .map(line => h('p', line)),
    canVerify(told)
      ? each('ol.verdict-list', { attrs: { 'data-testid': 'verdict-list' } }, told.carries, (carrier, i) =>
          h('li', { key: i }, [
            ...carrierView(ctx, tree, carrier, true),
            carrier.needed ? h('span.muted', `, ${text(carrier.needed)} would change it`) : null,
          ]),
        )
      : null,
    ...secondDetails(ctx, tree, told),
  ];
}

// What the second engine says of it.
function secondDetails(ctx: Ctx, tree: TreeState, { second, second_opinions }: Verdict): Child[] {
  if (!second) return [];
  const { engine, answered, questions } = second;
  const found = second_opinions.length ? ' It disagrees:' : answered ? ' It agrees.' : '';
  return [
    h('p', `${engine} has answered ${answered} of ${plural(questions, 'question')} about this.${found}`),
    second_opinions.length
      ? each('ol.verdict-list', { attrs: { 'data-testid': 'second-list' } }, second_opinions, (one, i) =>
          h('li', { key: i }, [
            one.rest ? othersAt(one.line) : null,
            ...stepsView(ctx, tree, one.line),
            ' ',
            scoreView('', one.score),
            ' but ',
            scoreView('', one.second, { key: 'second' }),
            h('span.muted', `, White’s winning chances ${signed(one.chances)} %`),
          ]),
        )
      : null,
  ];
}

const signed = (value: number): string => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(1)}`;

const leftWords = ({ evaluations, nodes }: NonNullable<Verdict['verifying']>): string =>
  `verifying, ${evaluations ?? `${count(nodes ?? 0)} nodes`} left`;

const left = ({ verifying }: Verdict): VNode =>
  h('span.verdict-verify.muted', verifying ? leftWords(verifying) : '');

function verifyButton(ctx: Ctx, tree: TreeState, told: Verdict): VNode {
  const { verifying } = told;
  const busy = Boolean(verifying) || (tree.verdict?.giving ?? false);
  const gone = ctx.state.link.status === 'offline';
  return button('.text.verdict-verify', {
    label: verifying ? leftWords(verifying) : 'Verify',
    title: verifying ? 'What the answer rests on is searched again' : effort(ctx, tree),
    testid: 'verify',
    disabled: gone || !canVerify(told),
    attrs: { 'aria-disabled': String(busy) },
    run: () => verify(ctx, tree),
  });
}

// What it will cost.
function effort(ctx: Ctx, tree: TreeState): string {
  const a = tree.analysis;
  const { store } = ctx.state;
  const seconds = a && verifySeconds(a, store.engines.get(a.engine), store.analyses.all());
  const time = seconds ? `, about ${span(Math.max(1, seconds))}` : '';
  return `Verify: ${plural(verifySearches, 'search', 'searches')}${time}, before all others (v)`;
}
