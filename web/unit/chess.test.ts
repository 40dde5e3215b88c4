import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boardMove, follow, legalPrefix, lineText, moveNumber, plyOf, positionKey } from '../src/chess/chess';
import { readFen, readMove, sameMove, sanLine, sans, startFen } from '../src/chess/chess';

const castle = 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1';
const frc = '1k6/8/8/8/8/8/8/RK6 w A - 0 1';

test('a line is followed to its position', () => {
  const place = follow(startFen, ['e2e4', 'e7e5', 'g1f3']);
  assert.equal(place?.turn, 'black');
  assert.deepEqual(place?.lastMove, ['g1', 'f3']);
  assert.equal(place?.fen.split(' ')[0], 'rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R');
});

test('an illegal move ends the line, an illegal FEN is none', () => {
  assert.equal(follow(startFen, ['e2e4', 'e2e4']), null);
  assert.deepEqual(legalPrefix(startFen, ['e2e4', 'e7e5', 'e1e8', 'd2d4']), ['e2e4', 'e7e5']);
  assert.equal(follow('nonsense', []), null);
  const twoKings = readFen('8/8/8/8/8/8/8/KK5k w - - 0 1');
  assert.ok(!twoKings.ok && /king/.test(twoKings.message));
  const noBoard = readFen('8/8/8 w - - 0 1');
  assert.ok(!noBoard.ok && /piece placement/.test(noBoard.message));
});

test('castling is written e1g1, whichever way it comes', () => {
  assert.equal(boardMove(castle, [], 'e1', 'g1')?.uci, 'e1g1');
  assert.equal(boardMove(castle, [], 'e1', 'h1')?.uci, 'e1g1');
  assert.equal(boardMove(castle, [], 'e1', 'a1')?.uci, 'e1c1');
  assert.equal(readMove(castle, [], 'O-O-O'), 'e1c1');
  assert.equal(readMove(castle, [], '0-0'), 'e1g1');
  assert.ok(sameMove(castle, 'e1g1', 'e1h1'));
  assert.ok(!sameMove(castle, 'e1g1', 'e1f1'));
  assert.deepEqual(sans(sanLine(castle, ['e1g1', 'e8c8'])), ['O-O', 'O-O-O']);
  // Chess960: king takes rook where e1g1 cannot say it.
  assert.equal(boardMove(frc, [], 'b1', 'a1')?.uci, 'b1a1');
  assert.equal(sanLine(frc, ['b1a1'])[0]?.san, 'O-O-O');
});

test('a pawn on the last rank asks what it becomes', () => {
  const fen = '8/P6k/8/8/8/8/8/7K w - - 0 1';
  assert.equal(boardMove(fen, [], 'a7', 'a8')?.needsPromotion, true);
  assert.equal(boardMove(fen, [], 'a7', 'a8', 'knight')?.uci, 'a7a8n');
});

test('ends are known', () => {
  assert.equal(follow('7k/5Q2/6K1/8/8/8/8/8 b - - 0 1', [])?.end, 'stalemate');
  assert.equal(follow('7k/6Q1/6K1/8/8/8/8/8 b - - 0 1', [])?.end, 'checkmate');
  assert.equal(follow('7k/8/6K1/8/8/8/8/8 b - - 0 1', [])?.end, 'dead');
  assert.equal(follow(startFen, [])?.end, null);
});

test('moves are numbered from the FEN', () => {
  assert.equal(plyOf('8/8/8/8/8/8/8/8 b - - 0 41'), 81);
  assert.equal(plyOf('8/8/8/8/8/8/8/8 w - -'), 0);
  assert.equal(moveNumber(80, false), '41.');
  assert.equal(moveNumber(81, false), '');
  assert.equal(moveNumber(81, true), '41…');
  assert.equal(lineText(5, ['a6', 'Ba4', 'Nf6']), '3… a6 4. Ba4 Nf6');
  // A position is itself whatever its clocks say.
  assert.equal(positionKey(`${startFen.slice(0, -3)}7 9`), positionKey(startFen));
});
