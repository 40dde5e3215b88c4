import assert from 'node:assert/strict';
import test from 'node:test';
import { startFen } from '../src/chess/chess';
import { games, type Tags } from '../src/chess/games';
import { about, clockAt, decode, matching, pgnOf, players, readGame } from '../src/pages/review/games';
import { secondsOf } from '../src/pages/review/games';
import { glyph, nextMoment, type SortColumn } from '../src/pages/review/reviewState';
import { sorted } from '../src/pages/review/tableView';
import { parseRoute, formatRoute } from '../src/router';
import { winPercent } from '../src/chess/score';
import type { Review, ReviewedMove, ReviewRow } from '../src/data/types';

const two = `[Event "Tilburg"]
[White "Short, N"]
[Black "Timman, J"]
[Date "1991.??.??"]
[Result "1-0"]

1. e4 Nf6 {a comment
[White "no tag"] here} 2. e5 Nd5 1-0

[White "Meier \\"Max\\""]
[Black "?"]

1. d4 *
`;

test('a file is cut into its games; brackets in comments are no tags', () => {
  const found = games(two);
  assert.equal(found.length, 2);
  assert.equal(players(found[0]!.tags), 'Short, N – Timman, J');
  assert.equal(about(found[0]!.tags), 'Tilburg, 1991, 1-0');
  assert.equal(players(found[1]!.tags), 'Meier "Max"');
  assert.deepEqual(matching(found, 'timman 1991'), [0]);
  assert.deepEqual(matching(found, ''), [0, 1]);
  assert.equal(games('1. e4 e5').length, 1);
  assert.equal(games(' \n').length, 0);
});

test('a game is read to its moves, or its fault is named', () => {
  const [first] = games(two);
  const read = readGame(first!);
  assert.ok('text' in read);
  assert.equal(read.text, first!.text);
  assert.equal(read.note, '');
  assert.deepEqual(readGame(games('1. Ke3')[0]!), { message: 'Move 1. “Ke3” is not legal.' });
  const cut = readGame(games('1. e4 e5 2. Ke3 Nc6')[0]!);
  assert.ok('text' in cut);
  assert.equal(cut.note, 'Move 2. “Ke3” is not legal. The game is reviewed up to there.');
  assert.deepEqual(readGame(games('[White "A"]')[0]!), { message: 'It has no moves.' });
});

test('old files are Windows-1252', () => {
  assert.equal(decode(new Uint8Array([0x4d, 0xfc]).buffer), 'Mü');
  assert.equal(decode(new TextEncoder().encode('Mü').buffer as ArrayBuffer), 'Mü');
});

test('moments are walked from one to the next', () => {
  const move = (more: Partial<ReviewedMove>): ReviewedMove =>
    ({ uci: 'e2e4', san: 'e4', judgement: null, only: false, missed: false, ...more }) as ReviewedMove;
  const moves = [move({}), move({ judgement: 'blunder' }), move({}), move({ only: true })];
  const review = { moves } as Review;
  assert.equal(nextMoment(review, 0, 1), 2);
  assert.equal(nextMoment(review, 2, 1), 4);
  assert.equal(nextMoment(review, 4, 1), null);
  assert.equal(nextMoment(review, 4, -1), 2);
  assert.deepEqual(moves.map(glyph), ['', '??', '', '□']);
});

test('a review has an address', () => {
  const games = ['#/review/3/file/12', '#/review/3/file/12/game/4', '#/review/3/file/12/game/4?at=31'];
  for (const hash of ['#/review', '#/review/3/e2e4,e7e5', '#/review/3/e2e4,e7e5?at=2', ...games])
    assert.equal(formatRoute(parseRoute(hash)), hash);
  for (const path of ['', '/x', '/3/file', '/3/file/x', '/3/file/1/game', '/3/file/1/move/2', '/3/e2e4/e7e5'])
    assert.equal(parseRoute(`#/review${path}`).page, path ? 'lost' : 'review');
  assert.equal(parseRoute('#/review/3/e2e4?at=9').page, 'review');
  assert.equal(parseRoute('#/review/x').page, 'lost');
  assert.equal(parseRoute('#/review/3/Nf3').page, 'lost');
});

test('winning chances are lichess’', () => {
  assert.equal(winPercent({ cp: 0 }), 50);
  assert.ok(Math.abs(winPercent({ cp: 100 }) - 59.1) < 0.1);
  assert.equal(winPercent({ mate: -2 }), winPercent({ cp: -1000 }));
});

test('clocks are each side’s, the last that was told', () => {
  const clocks = ['1:59:00', '1:58:30', '', '1:50:00'];
  assert.deepEqual(
    [0, 1, 2, 3, 4].map(at => [clockAt(clocks, at, 0), clockAt(clocks, at, 1)].join(' ')),
    [' ', '1:59:00 ', '1:59:00 1:58:30', '1:59:00 1:58:30', '1:59:00 1:50:00'],
  );
  assert.deepEqual(['1:59:00', '0:03.5', '', '10'].map(secondsOf), [7140, 3.5, NaN, 10]);
});

test('a game is written as PGN', () => {
  const tags = Object.entries({ White: 'Meier "Max"', Result: '1-0', FEN: 'of another game' }) as Tags;
  assert.equal(
    pgnOf(tags, startFen, ['e4', 'e5', 'Nf3']),
    '[White "Meier \\"Max\\""]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 1-0\n',
  );
  const fen = '4k3/8/8/8/8/8/8/4K2R b K - 0 30';
  assert.equal(pgnOf([], fen, ['Kd7']), `[SetUp "1"]\n[FEN "${fen}"]\n\n30... Kd7 *\n`);
});

test('rows are sorted, and what is not known stands last', () => {
  const side = (accuracy: number | null) => ({ accuracy, inaccuracies: 0, mistakes: 0, blunders: 0 });
  const same = { plies: 10, reason: null, positions: 11, searched: 11, black: side(null), worst: null };
  const row = (number: number, White: string, accuracy: number | null): ReviewRow => ({
    ...same,
    ...{ number, tags: { White }, white: side(accuracy) },
  });
  const rows = [row(1, 'Eva', 80), row(2, '?', null), row(3, 'Adam', 95)];
  const order = (...by: [SortColumn, boolean]): number[] => sorted(rows, ...by).map(r => r.number);
  assert.deepEqual(order('number', true), [3, 2, 1]);
  assert.deepEqual(order('White', false), [3, 1, 2]);
  assert.deepEqual(order('white', false), [1, 3, 2]);
  assert.deepEqual(order('white', true), [3, 1, 2]);
  assert.deepEqual(order('worst', true), [1, 2, 3]);
});
