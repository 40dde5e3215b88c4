// What people call a position that has no name.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameOf, positionName } from '../src/chess/material';

test('a position without a name is called by what stands on the board; a name stays', () => {
  const named = {
    '8/5pk1/4p1p1/3pP3/3P1P2/6K1/6P1/8 w - - 0 1': 'Pawn ending',
    '8/5pk1/8/3R4/8/6K1/6P1/r7 w - - 0 1': 'Rook ending',
    '8/5pk1/8/3B4/8/6K1/6P1/n7 w - - 0 1': 'Minor-piece ending',
    '8/5pk1/8/3R4/8/6K1/6P1/n7 w - - 0 1': 'Ending',
    'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1': 'Position',
  };
  for (const [fen, name] of Object.entries(named)) {
    assert.equal(positionName(fen), name);
    assert.equal(nameOf(fen), name);
  }
  assert.equal(nameOf('Najdorf'), 'Najdorf');
});
