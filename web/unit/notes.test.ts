import assert from 'node:assert/strict';
import test from 'node:test';
import { notesOf } from '../src/chess/notes';

test('notes of a file are found with the line to them', () => {
  const pgn = `[FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"]

{note: of the root} 1. e4 {[%eval 0.3,12] estimate +0.39 (+0.29 to +0.48), note: mine,
not yours} (1. d4 {[%eval 0.2,12]} 1... d5 {note: closed}) 1... e5 *`;
  assert.deepEqual(notesOf(pgn), [
    { line: [], sans: [], text: 'of the root' },
    { line: ['e2e4'], sans: ['e4'], text: 'mine, not yours' },
    { line: ['d2d4', 'd7d5'], sans: ['d4', 'd5'], text: 'closed' },
  ]);
});
