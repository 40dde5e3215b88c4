// What the training asks next, and how long a position rests.
import assert from 'node:assert/strict';
import test from 'node:test';
import type { RepertoireAnswer } from '../src/data/types';
import { isDue, learned, nextAnswer } from '../src/pages/tree/repertoire/repertoireState';

const day = 86_400_000;

const answer = (line: string, move: string, likelihood: number): RepertoireAnswer => ({
  line: line
    .split(' ')
    .filter(Boolean)
    .map(uci => ({ uci, san: uci })),
  move: { uci: move, san: move },
  score: { cp: 0 },
  games: 0,
  likelihood,
});

const likely = answer('e2e4', 'c7c5', 0.75);
const rare = answer('b2b3', 'e7e5', 0.25);
const onward = answer('e2e4 c7c5 g1f3', 'd7d6', 0.4);
const pool = [likely, rare, onward];
const asking = (question: RepertoireAnswer | null, evenly = false) => ({
  pool,
  evenly,
  question: question && { answer: question, tried: [], shown: false, done: true },
});
const always = (): boolean => true;
const never = (): boolean => false;

test('repertoire: right answers let a position rest longer and longer, a wrong one brings it back', () => {
  const once = learned(undefined, true, 0);
  assert.deepEqual(once, { row: 1, due: day });
  const twice = learned(once, true, day);
  assert.deepEqual(twice, { row: 2, due: 3 * day });
  assert.deepEqual(learned(twice, false, 5), { row: 0, due: 5 });
  let known = twice;
  for (let i = 0; i < 20; i++) known = learned(known, true, 0);
  assert.equal(known.due, 64 * day);
  assert.ok(isDue(undefined, 0));
  assert.ok(isDue(once, day));
  assert.ok(!isDue(once, day - 1));
});

test('repertoire: the training goes on in the line, then by how likely they play so', () => {
  assert.equal(nextAnswer(asking(likely), always, 0.99), onward);
  assert.equal(nextAnswer(asking(null), always, 0), likely);
  assert.equal(nextAnswer(asking(null), always, 0.5), likely);
  assert.equal(nextAnswer(asking(null), always, 0.6), rare);
  assert.equal(nextAnswer(asking(null, true), always, 0.4), rare);
  assert.equal(nextAnswer(asking(rare), always, 0.99), onward);
});

test('repertoire: what is due comes before what is known, and where all is known it is asked again', () => {
  assert.equal(
    nextAnswer(asking(likely), a => a === rare, 0.5),
    rare,
  );
  assert.equal(nextAnswer(asking(likely), never, 0.5), onward);
  assert.equal(nextAnswer({ pool: [likely], evenly: false, question: null }, never, 0.5), likely);
  assert.equal(nextAnswer({ pool: [], evenly: false, question: null }, always, 0.5), null);
});
