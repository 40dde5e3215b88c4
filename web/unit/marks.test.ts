import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawn, marksOf, marksText, wordsOf } from '../src/chess/marks';

test('marks are read from a note and written as PGN has them', () => {
  const text = 'look [%csl Gd4,Re5] [%cal Be2e4] here';
  const shapes = marksOf(text);
  assert.deepEqual(shapes, [
    { orig: 'd4', brush: 'green' },
    { orig: 'e5', brush: 'red' },
    { orig: 'e2', dest: 'e4', brush: 'blue' },
  ]);
  assert.equal(marksText(shapes), '[%csl Gd4,Re5] [%cal Be2e4]');
  assert.equal(wordsOf(text).replace(/\s+/g, ' '), 'look here');
  assert.deepEqual(marksOf('[%eval 0.2] [%csl Xd4,Gd9] [%clk 0:01]'), []);
  assert.equal(marksText([]), '');
  assert.equal(marksText([{ orig: 'a1', brush: 'loss0' }]), '');
});

test('drawn again a mark goes, in another colour it changes', () => {
  const one = drawn([], { orig: 'e2', dest: 'e4', brush: 'green' });
  const two = drawn(one, { orig: 'e2', brush: 'green' });
  assert.equal(two.length, 2);
  assert.deepEqual(drawn(two, { orig: 'e2', dest: 'e4', brush: 'green' }), [{ orig: 'e2', brush: 'green' }]);
  assert.equal(marksText(drawn(one, { orig: 'e2', dest: 'e4', brush: 'red' })), '[%cal Re2e4]');
});
