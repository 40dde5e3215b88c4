import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chances, lossFor, order, orderFor, pawns, percents } from '../src/chess/score';
import { same, text, whiteShare, words } from '../src/chess/score';
import type { Score } from '../src/data/types';

test('scores are ordered from mated to mating, from White’s view', () => {
  const rising: Score[] = [
    { mate: 0, side: 'white' },
    { mate: -1 },
    { mate: -9 },
    { tb: 'loss', dtz: 3 },
    { tb: 'loss', dtz: 40 },
    { cp: -250 },
    { tb: 'blessed_loss', dtz: 80 },
    { cp: 0 },
    { tb: 'cursed_win', dtz: 80 },
    { cp: 31 },
    { tb: 'win', dtz: 40 },
    { tb: 'win', dtz: 3 },
    { mate: 9 },
    { mate: 1 },
    { mate: 0, side: 'black' },
  ];
  for (let i = 1; i < rising.length; i++) {
    assert.ok(order(rising[i - 1]!) < order(rising[i]!), `${i}`);
    assert.ok(orderFor('black', rising[i - 1]!) > orderFor('black', rising[i]!), `${i} for Black`);
  }
});

test('text has a sign, two decimals, a true minus', () => {
  assert.equal(text({ cp: 23 }), '+0.23');
  assert.equal(text({ cp: -150 }), '−1.50');
  assert.equal(text({ cp: 0 }), '0.00');
  assert.equal(text({ cp: 12_345 }), '+123');
  assert.equal(text({ mate: 5 }), '#5');
  assert.equal(text({ mate: -3 }), '#−3');
  assert.equal(text({ mate: 0, side: 'white' }), '#−0');
  assert.equal(text({ tb: 'win', dtz: 12 }), 'TB 1-0');
  assert.equal(text({ tb: 'cursed_win', dtz: 12 }), 'TB ½');
  assert.equal(text(null), '–');
  assert.equal(pawns(-0), '0.00');
});

test('words say who is better', () => {
  assert.match(words({ cp: -40 }), /Black is better/);
  assert.match(words({ mate: -2 }), /Black mates in 2/);
  assert.match(words({ mate: 0, side: 'black' }), /Black is mated/);
  assert.match(words({ tb: 'blessed_loss', dtz: -101 }), /50-move rule/);
});

test('loss is for the side to move, and only between centipawns', () => {
  assert.equal(lossFor('white', { cp: 30 }, { cp: 10 }), 20);
  assert.equal(lossFor('black', { cp: -30 }, { cp: 10 }), 40);
  assert.equal(lossFor('white', { mate: 3 }, { cp: 10 }), null);
  assert.ok(same({ cp: 5 }, { cp: 5 }) && same(null, null), 'by value');
  assert.ok(!same({ cp: 5 }, null) && !same({ cp: 5 }, { cp: 6 }));
});

test('the bar is even at 0.00 and full at mate', () => {
  assert.equal(whiteShare({ cp: 0 }), 0.5);
  assert.equal(whiteShare({ mate: 4 }), 1);
  assert.equal(whiteShare({ tb: 'loss', dtz: 9 }), 0);
  assert.ok(whiteShare({ cp: 100 }) > 0.55 && whiteShare({ cp: 100 }) < 0.65);
});

test('win, draw and loss in percent are 100 in all, and none is negative', () => {
  assert.deepEqual(percents([310, 640, 50]), [31, 64, 5]);
  assert.deepEqual(percents([0, 1000, 0]), [0, 100, 0]);
  for (const told of ['995 0 5', '5 990 5', '333 334 333', '0 5 995', '1 2 997']) {
    const wdl = told.split(' ').map(Number);
    const parts = percents(wdl);
    assert.equal(parts[0]! + parts[1]! + parts[2]!, 100);
    for (const [i, part] of parts.entries())
      assert.ok(part >= 0 && Math.abs(part - wdl[i]! / 10) <= 1, `${wdl}: ${parts}`);
  }
  assert.equal(chances([310, 640, 50]), 'White wins 31 %, draw 64 %, Black wins 5 %');
});
