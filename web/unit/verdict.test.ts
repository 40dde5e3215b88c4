import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../src/data/api';
import type { Carrier, Engine, TreeNode, Verdict, Verification } from '../src/data/types';
import { initialRepertoire } from '../src/pages/tree/repertoire/repertoireState';
import { ucis } from '../src/chess/chess';
import { goTo, putNode } from '../src/pages/tree/treeState';
import { carriedLines, carrierArrows, verdictView } from '../src/pages/tree/verdict/verdictView';
import { follow, point, tick, toldHere, verify } from '../src/pages/tree/verdict/verdictView';
import { firstSteps, stepsTo, verifySeconds } from '../src/pages/tree/verdict/verdictState';
import { analysis, byHand, fakeCtx, find, move, node, openTree, settled, words } from './fake';

const step = (uci: string) => ({ uci, san: uci });

const carrier = (moves: string[], move: string | null, more: Partial<Carrier> = {}): Carrier => ({
  moves,
  line: moves.map(step),
  fen: '',
  move: move === null ? null : step(move),
  evaluation: 1,
  score: { cp: -12 },
  needed: { cp: 5 },
  cost: 1,
  effort: 4000,
  lifts_rival: false,
  ...more,
});

const verdictOf = (more: Partial<Verdict> = {}): Verdict => ({
  fen: '',
  best: step('e2e4'),
  rival: step('d2d4'),
  stands: {
    percent: 83,
    letter: 'B',
    tested: true,
    like_this: { answers: 0, said: null, stood: null, low: null, high: null, text: '' },
  },
  cost: 1,
  meeting: { cp: 5 },
  bound: false,
  carries: [carrier(['e2e4'], 'e7e5'), carrier([], 'd2d4')],
  second: null,
  second_opinions: [],
  verifying: null,
  ...more,
});

const grown = (version: number): TreeNode => node(version, { moves: [move('e2e4', 20), move('d2d4', 20)] });

function opened() {
  const verdict = byHand<Verdict>();
  const ctx = fakeCtx({ verdict });
  const tree = openTree(ctx, 1);
  putNode(tree, [], grown(1));
  return { ctx, tree, asked: verdict.asked };
}

// The first verdict is here; Verify is answered by hand.
async function told(said = verdictOf()) {
  const all = opened();
  const verify = byHand<Verification>();
  Object.assign(all.ctx.api, { verify });
  void follow(all.ctx, all.tree);
  all.asked[0]!.give(said);
  await settled();
  return { ...all, given: verify.asked, giveArgs: verify.args };
}

test('it is asked with each change of the position, at most every two seconds', async () => {
  const { ctx, tree, asked } = opened();
  void follow(ctx, tree);
  assert.equal(asked.length, 1);
  putNode(tree, [], grown(2));
  void follow(ctx, tree);
  assert.equal(asked.length, 1, 'one is on its way');
  asked[0]!.give(verdictOf());
  await settled();
  assert.equal(toldHere(tree)?.stands?.percent, 83);
  ctx.clock.turn(1999);
  assert.equal(asked.length, 1);
  ctx.clock.turn(1);
  assert.equal(asked.length, 2);
  asked[1]!.give(verdictOf());
  await settled();
  ctx.clock.turn(60_000);
  void follow(ctx, tree);
  assert.equal(asked.length, 2, 'nothing has changed');
});

test('of another position nothing of this one is told, and who walks on quickly asks about none', async () => {
  const { ctx, tree, asked } = await told();
  for (const line of [['e2e4'], ['e2e4', 'e7e5']]) {
    goTo(tree, line);
    putNode(tree, line, grown(1));
    void follow(ctx, tree);
    assert.equal(toldHere(tree), null);
    ctx.clock.turn(50);
  }
  assert.equal(asked.length, 1);
  ctx.clock.turn(200);
  assert.equal(asked.length, 2);
  assert.deepEqual(asked[1]!.args[1], ['e2e4', 'e7e5']);
});

test('nothing is asked while the server does not answer; a failure is asked again with the next answer', async () => {
  const { ctx, tree, asked } = opened();
  ctx.state.link = { status: 'offline', since: 0 };
  void follow(ctx, tree);
  assert.equal(asked.length, 0);
  ctx.state.link = { status: 'online', since: 0 };
  void follow(ctx, tree);
  asked[0]!.fail(new ApiError(503, 'unavailable', 'Not now.', ''));
  await settled();
  ctx.clock.turn(10_000);
  assert.equal(asked.length, 1);
  assert.deepEqual(ctx.state.toasts, [], 'nobody has asked for it');
  void follow(ctx, tree);
  assert.equal(asked.length, 2);
});

test('nothing is told to who is asked for a move', async () => {
  const { tree } = await told();
  assert.ok(toldHere(tree));
  tree.tab = 'repertoire';
  tree.repertoire = { ...initialRepertoire(1, 'white'), training: {} as never };
  assert.equal(toldHere(tree), null);
});

test('Verify gives eight searches once, and what is left is asked for until nothing is', async () => {
  const { ctx, tree, asked, given, giveArgs } = await told();
  void verify(ctx, tree);
  void verify(ctx, tree);
  assert.deepEqual(giveArgs(), [[1, [], 8]]);
  given[0]!.give({ evaluations: 8, nodes: null });
  await settled();
  assert.equal(toldHere(tree)?.verifying?.evaluations, 8);
  void verify(ctx, tree);
  assert.equal(given.length, 1, 'it is under way');
  ctx.clock.turn(1000);
  void tick(ctx, tree);
  assert.equal(asked.length, 1);
  ctx.clock.turn(1000);
  void tick(ctx, tree);
  asked[1]!.give(verdictOf());
  await settled();
  ctx.clock.turn(5000);
  void tick(ctx, tree);
  assert.equal(asked.length, 2);
});

test('what the second engine has not answered is asked for while searches are out, and once after', async () => {
  const { ctx, tree, asked } = opened();
  const second = { engine: 'Other 1', questions: 3, answered: 1 };
  const { store } = ctx.state;
  const atWork = (inFlight: number): void =>
    store.analyses.put(analysis(1, { in_flight: inFlight }), store.now());
  const later = async (inFlight: number): Promise<void> => {
    atWork(inFlight);
    ctx.clock.turn(2000);
    void tick(ctx, tree);
    asked.at(-1)!.give(verdictOf({ second }));
    await settled();
  };
  atWork(1);
  void follow(ctx, tree);
  asked[0]!.give(verdictOf({ second }));
  await settled();
  await later(1);
  assert.equal(asked.length, 2);
  await later(0);
  assert.equal(asked.length, 3, 'the last answer may have come');
  ctx.clock.turn(5000);
  void tick(ctx, tree);
  assert.equal(asked.length, 3);
});

test('a refusal is shown, and Verify can be pressed again; by a link, or where nothing carries it, it is nothing', async () => {
  const { ctx, tree, given } = await told();
  void verify(ctx, tree);
  given[0]!.fail(new ApiError(409, 'conflict', 'not now: it is paused', ''));
  await settled();
  assert.deepEqual([ctx.state.toasts.length, ctx.state.toasts[0]!.text], [1, 'not now: it is paused']);
  void verify(ctx, tree);
  assert.equal(given.length, 2);
  given[1]!.fail(new ApiError(0, 'unreachable', 'The server does not answer.', ''));
  await settled();
  ctx.state.shared = {} as never;
  void verify(ctx, tree);
  ctx.state.shared = null;
  tree.verdict!.told = verdictOf({ carries: [] });
  void verify(ctx, tree);
  assert.equal(given.length, 2);
});

test('on the board: the first moves towards what carries it, each once, three at most, while one points at it', async () => {
  const carries = [
    carrier(['e2e4', 'e7e5'], 'g1f3'),
    carrier(['e2e4'], null),
    carrier([], null),
    ...['d2d4', 'c2c4', 'b2b3'].map(uci => carrier([], uci)),
  ];
  const { ctx, tree } = await told(verdictOf({ carries }));
  assert.deepEqual(ucis(firstSteps(verdictOf({ carries }))), ['e2e4', 'd2d4', 'c2c4', 'b2b3']);
  assert.equal(carrierArrows(tree), null);
  point(ctx, tree, true);
  assert.equal(
    carrierArrows(tree)
      ?.map(s => s.orig! + s.dest!)
      .join(),
    'e2e4,d2d4,c2c4',
  );
  const lines = ['e2e4,e7e5,g1f3', 'e2e4', '', 'd2d4', 'c2c4', 'b2b3'];
  assert.deepEqual([...carriedLines(tree)], lines, 'in the picture');
  assert.equal(stepsTo(carries[1]!).length, 1);
  point(ctx, tree, false);
  assert.equal(carrierArrows(tree), null);
});

test('what Verify costs: eight searches as large as the limit, by all processes', () => {
  const engine = { name: 'hash', processes: [{ nps: 1000 }, { nps: 1000 }] } as unknown as Engine;
  const a = analysis(1, { limit: { nodes: 2000 } });
  assert.equal(verifySeconds(a, engine, [a]), 8);
  const anchored = { ...a, strategy: { ...a.strategy, kind: 'anchored' as const } };
  assert.equal(verifySeconds(anchored, engine, [anchored]), 8);
  assert.equal(verifySeconds(analysis(1), engine, []), null, 'of a depth nothing is known');
  assert.equal(verifySeconds(a, null, []), null);
});

test('the words: against what, how often what is like it stood, and what the second engine says', async () => {
  const like = (answers: number, text: string) => ({
    ...verdictOf().stands!,
    like_this: { answers, said: 80, stood: 78, low: 72, high: 83, text },
  });
  const view = async (more: Partial<Verdict>) => {
    const { ctx, tree } = await told(verdictOf(more));
    const shown = verdictView(ctx, tree);
    const [stands] = find(shown, n => n.sel === 'span.verdict-stands');
    const verifies = find(shown, n => n.sel?.includes('.verdict-verify') ?? false)[0];
    return { text: words(shown), title: String(stands!.data!.attrs!['title']), verifies };
  };
  const known = await view({ rival: null, stands: like(214, 'of 214 answers like it, 78 % stood') });
  assert.match(known.text, /against a move that was not searched/);
  assert.match(known.text, /78 % of 214 like it stood/);
  assert.match(known.title, /\nOf 214 answers like it, 78 % stood\./);
  assert.match(known.title, /Else the answer would be a move that was not searched/);
  const none = await view({ stands: like(0, 'no answer like it is known') });
  assert.match(none.text, /none like it is known yet/);
  assert.match(none.title, /\nNo answer like it is known\./);
  const sure = await view({ carries: [], stands: { ...verdictOf().stands!, percent: 99, letter: 'A' } });
  assert.match(sure.text, /stands: +99 %, A/);
  assert.equal(sure.verifies!.data!.attrs!['disabled'], true);
  const second = await view({ second: { engine: 'Other 1', questions: 5, answered: 4 } });
  assert.match(second.text, /Other 1 has answered 4 of 5 questions about this\. It agrees\./);
  assert.doesNotMatch(second.text, /disagrees/);
});
