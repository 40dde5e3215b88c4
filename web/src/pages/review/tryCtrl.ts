// Finding the better move: at each moment where one was missed the reader plays on the board, and the tree says what
// the move is worth.
import type { Key } from '@lichess-org/chessground/types';
import { boardMove, follow, readMove, sameMove, sanLine, lineText, plyOf } from '../../chess/chess';
import { winPercent, type Side } from '../../chess/score';
import { assign, run, toast, type Ctx } from '../../ctx';
import { answerOf } from '../../data/latest';
import type { ReviewedMove, Score } from '../../data/types';
import type { Promotion } from '../../ui/board/promotionView';
import { walk } from './reviewCtrl';
import { isToFind, type OpenReview, type Trying, type Verdict, glyph } from './reviewState';
import { button, form, h, input, segments, type Child, type VNode } from '../../ui/dom';
import { scoreView } from '../../ui/scoreView';

const sides: [Trying['side'], string][] = [
  ['both', 'Both'],
  ['white', 'White'],
  ['black', 'Black'],
];

export function tryView(ctx: Ctx, open: OpenReview, trying: Trying): VNode {
  const move = played(open, trying);
  const ply = plyOf(open.review!.start_fen) + trying.at - 1;
  const over = found(trying) || trying.shown;
  const white = ply % 2 === 0;
  return h(
    'section.review-moment',
    { attrs: { 'aria-label': 'Find the better move', 'data-testid': 'try' } },
    [
      h('div.section-head', [
        h('h2', 'Find the better move'),
        h('span.muted', `${trying.done + 1} of ${countToFind(open)}`),
        segments('Whose moves', trying.side, sides, side => begin(ctx, open, side)),
      ]),
      h('p', [
        `${white ? 'White' : 'Black'} played `,
        h('strong', `${lineText(ply, [move.san])}${glyph(move)}`),
        '. What is better?',
      ]),
      h(
        'p',
        { attrs: { role: 'status', 'data-testid': 'try-verdict' } },
        verdict(trying, ply, move.line[0]!.san, move.best),
      ),
      over
        ? null
        : form('.try-typed', {}, () => type(ctx, open, trying), [
            input(
              {
                'aria-label': 'Your move',
                placeholder: 'Move on the board, or type: Nf3',
                autocomplete: 'off',
                spellcheck: 'false',
              },
              trying.typed,
              typed => {
                trying.typed = typed;
              },
            ),
            h('button', { attrs: { type: 'submit', disabled: trying.asking } }, 'Play'),
          ]),
      h('div.actions.left', [
        over
          ? button('.primary', { label: 'Next', testid: 'try-next', run: () => goOn(ctx, open) })
          : button('', { label: 'Show it', testid: 'try-show', run: () => show(ctx, trying) }),
        trying.said?.kind === 'unknown'
          ? button('', {
              label: `Search ${trying.said.san} now`,
              testid: 'try-now',
              run: () => run(ctx, search(ctx, open, trying)),
            })
          : null,
        button('.quiet', { label: 'End', testid: 'try-end', run: () => end(ctx, open) }),
      ]),
    ],
  );
}

const percent = (loss: number): string => `${Math.round(loss * 100)} %`;

function verdict(trying: Trying, ply: number, better: string, best: Verdict['score']): Child[] {
  const { said } = trying;
  if (trying.shown) return ['It was ', h('strong', lineText(ply, [better])), ' ', scoreView('', best)];
  if (!said) return [trying.asking ? 'Looking it up…' : ''];
  const name = h('strong', lineText(ply, [said.san]));
  switch (said.kind) {
    case 'right':
      return [
        'Right: ',
        name,
        ' ',
        scoreView('', said.score),
        said.loss ? `, nearly as good as ${better}.` : '',
      ];
    case 'wrong':
      return [name, ` loses ${percent(said.loss!)} of the chances. Try again.`];
    case 'played':
      return [name, ' is what was played. Try another one.'];
    case 'unknown':
      return [name, ' is not searched, so nothing is known of it. Search it, or try another one.'];
    case 'searching':
      return [name, ' is searched…'];
  }
}

const inaccuracy = 0.1; // in winning chances
const askAgain = 500; // ms, while a move is searched

const moverOf = (open: OpenReview, at: number): Side =>
  follow(open.review!.start_fen, open.line.slice(0, at - 1))?.turn ?? 'white';

// The moments from `at` on, of the side.
function next(open: OpenReview, at: number, side: Trying['side']): number | null {
  const { moves } = open.review!;
  for (let i = Math.max(1, at); i <= moves.length; i++)
    if (isToFind(moves[i - 1]!) && (side === 'both' || moverOf(open, i) === side)) return i;
  return null;
}

export const countToFind = (open: OpenReview): number => open.review?.moves.filter(isToFind).length ?? 0;

export const movesBefore = (open: OpenReview, trying: Trying): string[] => open.line.slice(0, trying.at - 1);

export const found = (trying: Trying): boolean => trying.said?.kind === 'right';

// What is on the board: the position before the move, and behind the answer once it is known.
export function lineOnBoard(open: OpenReview): string[] {
  const { trying } = open;
  if (!trying) return open.line.slice(0, open.at);
  const answer = found(trying) ? trying.said!.uci : trying.shown ? played(open, trying).line[0]!.uci : null;
  return [...movesBefore(open, trying), ...(answer ? [answer] : [])];
}

export const played = (open: OpenReview, trying: Trying): ReviewedMove => open.review!.moves[trying.at - 1]!;

export function begin(ctx: Ctx, open: OpenReview, side: Trying['side'] = 'both'): void {
  ask(ctx, open, next(open, open.at + 1, side) ?? next(open, 1, side), { side, right: 0, done: 0 });
}

export function goOn(ctx: Ctx, open: OpenReview): void {
  const { trying } = open;
  if (!trying) return;
  const { side, at, right, done } = trying;
  const atOnce = found(trying) && !trying.shown && !trying.tried.length;
  ask(ctx, open, next(open, at + 1, side), { side, right: right + (atOnce ? 1 : 0), done: done + 1 });
}

function ask(
  ctx: Ctx,
  open: OpenReview,
  at: number | null,
  so: Pick<Trying, 'side' | 'right' | 'done'>,
): void {
  if (at === null) {
    end(ctx, open);
    toast(
      ctx,
      so.done
        ? `That was the last one. ${so.right} of ${so.done} found at once.`
        : 'There is no such moment.',
      { ms: 7000 },
    );
    return;
  }
  open.trying = { ...so, at, tried: [], said: null, shown: false, asking: false, promotion: null, typed: '' };
  if (moverOf(open, at) !== open.orientation) open.orientation = moverOf(open, at);
  walk(ctx, open, at - 1);
}

export function end(ctx: Ctx, open: OpenReview): void {
  const at = open.trying?.at;
  open.trying = null;
  if (at === undefined) ctx.redraw();
  else walk(ctx, open, at);
}

export function show(ctx: Ctx, trying: Trying): void {
  trying.shown = true;
  trying.said = null;
  ctx.redraw();
}

// --- a try

export function onBoard(ctx: Ctx, open: OpenReview, from: Key, to: Key, role?: Promotion): void {
  const { trying, review } = open;
  if (!trying || !review) return;
  const move = boardMove(review.start_fen, movesBefore(open, trying), from, to, role);
  trying.promotion = move?.needsPromotion ? { from, to } : null;
  if (move && !move.needsPromotion) run(ctx, attempt(ctx, open, trying, move.uci));
  ctx.redraw();
}

export function promote(ctx: Ctx, open: OpenReview, role: Promotion | null): void {
  const asked = open.trying?.promotion;
  if (open.trying) open.trying.promotion = null;
  if (role && asked) onBoard(ctx, open, asked.from, asked.to, role);
  ctx.redraw();
}

export function type(ctx: Ctx, open: OpenReview, trying: Trying): void {
  const uci = readMove(open.review!.start_fen, movesBefore(open, trying), trying.typed.trim());
  if (!uci) return toastIllegal(ctx, trying.typed);
  trying.typed = '';
  run(ctx, attempt(ctx, open, trying, uci));
}

const toastIllegal = (ctx: Ctx, text: string): void =>
  void toast(ctx, text.trim() ? `“${text.trim()}” is no legal move here.` : 'Type a move, such as Nf3.');

const chances = (side: Side, score: Score): number =>
  ((side === 'white' ? winPercent(score) : 100 - winPercent(score)) - 50) / 50;

async function attempt(ctx: Ctx, open: OpenReview, trying: Trying, uci: string): Promise<void> {
  if (trying.asking || found(trying) || trying.shown) return;
  const { start_fen: fen } = open.review!;
  const before = movesBefore(open, trying);
  const at = follow(fen, before)!.fen;
  const { best, line, uci: inGame } = played(open, trying);
  const san = sanLine(fen, [...before, uci]).at(-1)?.san ?? uci;
  const say = (kind: Verdict['kind'], score: Score | null, loss: number | null): void => {
    if (kind === 'wrong' || kind === 'played') trying.tried.push(uci);
    trying.said = { uci, san, kind, score, loss };
    ctx.redraw();
  };
  if (sameMove(at, uci, line[0]!.uci)) return say('right', best, 0);
  if (sameMove(at, uci, inGame)) return say('played', played(open, trying).score, played(open, trying).loss);
  trying.asking = true;
  ctx.redraw();
  const answer = await answerOf(ctx.api.node(open.id, before));
  trying.asking = false;
  if (open.trying !== trying) return;
  if ('problem' in answer) {
    toast(ctx, answer.problem.message, { tone: 'bad' });
    ctx.redraw();
    return;
  }
  const score = answer.value.moves.find(m => sameMove(at, m.uci, uci))?.alpha ?? null;
  if (!score || !best) return say('unknown', null, null);
  const side = moverOf(open, trying.at);
  judge(say, Math.max(0, chances(side, best) - chances(side, score)), score);
}

function judge(
  say: (kind: Verdict['kind'], score: Score | null, loss: number | null) => void,
  loss: number,
  score: Score,
): void {
  say(loss < inaccuracy ? 'right' : 'wrong', score, loss);
}

// A move that the tree does not know is searched, now.
export async function search(ctx: Ctx, open: OpenReview, trying: Trying): Promise<void> {
  const said = trying.said!;
  const line = [...movesBefore(open, trying), said.uci];
  said.kind = 'searching';
  ctx.redraw();
  const asked = await answerOf(ctx.api.searchGame(open.id, line));
  if ('problem' in asked) {
    said.kind = 'unknown';
    toast(ctx, asked.problem.message, { tone: 'bad' });
    ctx.redraw();
    return;
  }
  await judged(ctx, open, trying, line);
}

async function judged(ctx: Ctx, open: OpenReview, trying: Trying, line: string[]): Promise<void> {
  const said = trying.said;
  if (open.trying !== trying || said?.kind !== 'searching') return;
  const answer = await answerOf(ctx.api.review(open.id, line));
  if (open.trying !== trying || trying.said !== said) return;
  const last = 'value' in answer ? answer.value.moves.at(-1)! : null;
  if (!last?.score || last.loss === null)
    return void ctx.clock.after(askAgain, () => run(ctx, judged(ctx, open, trying, line)));
  judge(
    (kind, score, loss) => {
      if (kind === 'wrong') trying.tried.push(said.uci);
      assign(ctx, said, { kind, score, loss });
    },
    last.loss,
    last.score,
  );
}
