// Finding the better move of a review: what a try is worth, and what is not known.
import assert from 'node:assert/strict';
import test from 'node:test';
import { startFen } from '../src/chess/chess';
import type { Review, ReviewedMove, Score } from '../src/data/types';
import { begin, goOn, lineOnBoard, onBoard, search, show, type } from '../src/pages/review/tryCtrl';
import { follows, initialReview, openReview, type OpenReview } from '../src/pages/review/reviewState';
import { fakeCtx, settled } from './fake';

const move = (uci: string, san: string, more: Partial<ReviewedMove> = {}): ReviewedMove => ({
  uci,
  san,
  score: { cp: 0 },
  best: { cp: 0 },
  line: [{ uci, san }],
  loss: 0,
  accuracy: 100,
  judgement: null,
  only: false,
  missed: false,
  book: false,
  ...more,
});

// 1. f3 e5 2. g4?? (e4) Qh4#, and 1... e5 is only an inaccuracy.
const e4 = [{ uci: 'e2e4', san: 'e4' }];
const moves = [
  move('f2f3', 'f3', { judgement: 'mistake', loss: 0.2, line: e4, best: { cp: 30 } }),
  move('e7e5', 'e5', { judgement: 'inaccuracy', loss: 0.1, line: [{ uci: 'd7d5', san: 'd5' }] }),
  move('g2g4', 'g4', { judgement: 'blunder', loss: 1, line: e4, best: { cp: -60 } }),
  move('d8h4', 'Qh4#'),
];
const side = { accuracy: null, inaccuracies: 0, mistakes: 0, blunders: 0 };
const sides = { white: side, black: side };
const review: Review = { start_fen: startFen, moves, positions: 5, searched: 5, ...sides };

// `known`: alpha of moves in the tree; `found`: by a search.
function opened({ known = {}, found }: { known?: Record<string, Score>; found?: Score } = {}) {
  const asked: string[] = [];
  const open = openReview(1, { file: 2, game: 3, line: moves.map(m => m.uci), at: 2 });
  open.review = review;
  let searched = false;
  const ctx = fakeCtx({
    node: (_: number, line: string[]) => {
      asked.push(`node ${line.join()}`);
      return Promise.resolve({ moves: Object.entries(known).map(([uci, alpha]) => ({ uci, alpha })) });
    },
    searchGame: (_: number, line: string[]) => {
      asked.push(`search ${line.join()}`);
      return Promise.resolve({ asked: 1, waiting: 0, left: 0 });
    },
    review: () => {
      const last = move('b1c3', 'Nc3', searched ? { score: found!, loss: 0.5 } : { score: null, loss: null });
      searched = true;
      return Promise.resolve({ ...review, moves: [last] });
    },
  });
  ctx.state.review = { ...initialReview(), open };
  return { ctx, open, asked };
}

const trying = (open: OpenReview) => open.trying!;

test('better moves: from one mistake or blunder to the next, of both sides or of one', () => {
  const { ctx, open } = opened();
  begin(ctx, open);
  assert.equal(trying(open).at, 3);
  assert.deepEqual(lineOnBoard(open), ['f2f3', 'e7e5']);
  assert.deepEqual(ctx.wentTo.at(-1), { page: 'review', id: 1, file: 2, game: 3, line: [], at: 2 });
  goOn(ctx, open);
  assert.equal(open.trying, null); // it was the last one; inaccuracies are not asked for
  open.at = 0;
  begin(ctx, open, 'white');
  assert.equal(trying(open).at, 1);
  begin(ctx, open, 'black');
  assert.equal(open.trying, null);
  begin(ctx, open);
  open.at = 4;
  follows(open);
  assert.equal(open.trying, null);
});

test('better moves: the best is right at once, the played one is not, others by what they lose', async () => {
  const { ctx, open, asked } = opened({ known: { b1c3: { cp: -70 }, a2a3: { cp: -400 } } });
  begin(ctx, open);
  const play = async (from: string, to: string): Promise<string> => {
    onBoard(ctx, open, from as never, to as never);
    await settled();
    return trying(open).said!.kind;
  };
  assert.equal(await play('g2', 'g4'), 'played');
  assert.equal(await play('a2', 'a3'), 'wrong');
  assert.ok(trying(open).said!.loss! > 0.3);
  assert.deepEqual(asked, ['node f2f3,e7e5']); // nothing is asked of the played one
  assert.equal(await play('b1', 'c3'), 'right'); // a tenth of a pawn
  assert.deepEqual(lineOnBoard(open).at(-1), 'b1c3');
  assert.deepEqual(trying(open).tried, ['g2g4', 'a2a3']);
  begin(ctx, open);
  trying(open).typed = 'e4';
  type(ctx, open, trying(open));
  await settled();
  assert.equal(trying(open).said!.kind, 'right');
});

test('better moves: of one that the tree does not know nothing is said but that, until it is searched', async () => {
  const { ctx, open, asked } = opened({ found: { cp: -300 } });
  begin(ctx, open);
  onBoard(ctx, open, 'b1', 'c3');
  await settled();
  assert.equal(trying(open).said!.kind, 'unknown');
  assert.deepEqual(trying(open).tried, []);
  await search(ctx, open, trying(open));
  assert.equal(trying(open).said!.kind, 'searching');
  assert.equal(asked.at(-1), 'search f2f3,e7e5,b1c3');
  ctx.clock.turn(500);
  await settled();
  assert.equal(trying(open).said!.kind, 'wrong');
  assert.deepEqual(trying(open).said!.score, { cp: -300 });
  show(ctx, trying(open));
  assert.deepEqual(lineOnBoard(open).at(-1), 'e2e4');
});
