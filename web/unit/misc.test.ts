import assert from 'node:assert/strict';
import { test } from 'node:test';
import { query } from '../src/data/paths';
import { arrows } from '../src/ui/board/arrows';
import { boardSvg } from '../src/dialogs/export/boardImage';
import { follow, startFen } from '../src/chess/chess';
import { ago, bytes, count, fileName, span, timeLeft } from '../src/ui/format';
import { series } from '../src/pages/tree/time/series';
import { initialTime, sinceMoment } from '../src/pages/tree/time/timeState';
import type { Snapshot } from '../src/data/types';
import { move } from './fake';

test('numbers and times are short', () => {
  assert.equal(count(999), '999');
  assert.equal(count(9999), '9\u202f999');
  assert.equal(count(12_345), '12.3k');
  assert.equal(count(4_560_000), '4.6M');
  assert.equal(span(8), '8 s');
  assert.equal(span(125), '2:05 min');
  assert.equal(span(11_520), '3 h 12');
  assert.equal(span(200_000), '2 d 7 h');
  assert.equal(bytes(2048), '2.0 KB');
  const now = 1_790_000_000_000;
  assert.equal(ago(now - 3 * 60_000, now), '3 min ago');
  assert.equal(ago(now - 86_400_000, now), 'yesterday');
  assert.equal(fileName('Grünfeld: Ex/change “?'), 'grunfeld-exchange');
  assert.equal(fileName('***'), 'analysis');
});

test('a query leaves out empty lines and escapes the rest', () => {
  assert.equal(query({ moves: ['e2e4', 'e7e5'], plies: 4 }), '?moves=e2e4,e7e5&plies=4');
  assert.equal(query({ moves: [] }), '');
  assert.equal(query({ fen: 'a b/c w - - 0 1' }), '?fen=a%20b%2Fc%20w%20-%20-%200%201');
});

test('arrows: three at most, the best on top and widest, beside the pieces; excluded and unscored have none', () => {
  const moves = [
    move('e2e4', 30, 'leaf', 90),
    move('d2d4', 10, 'leaf', 5),
    move('a2a3', -80),
    move('b2b3', 20, 'excluded'),
    move('h2h4', null),
    move('g2g3', -90),
  ];
  const shapes = arrows(moves, 'white', null);
  assert.deepEqual(
    shapes.map(s => s.orig + s.dest),
    ['a2a3', 'd2d4', 'e2e4'],
  );
  const points = (html: string): number[][] =>
    /points="([^"]*)"/
      .exec(html)![1]!
      .split(' ')
      .map(p => p.split(',').map(Number));
  const outlines = shapes.map(s => points(s.customSvg!.html));
  const widths = outlines.map(o => o[6]![1]! - o[0]![1]!);
  assert.deepEqual(widths, [6, 10, 16]);
  const [, , best] = outlines;
  assert.ok(best![0]![0]! > 20 && best![3]![0]! < 200, 'from beside the pawn to before the middle of e4');
  const taking = { ...move('e4d5', 30), san: 'exd5' };
  const [short] = arrows([taking], 'white', null);
  assert.ok(points(short!.customSvg!.html)[3]![0]! <= 141 - 40, 'before the piece that is taken');
  assert.match(shapes[2]!.customSvg!.html, /rotate\(-90\.0\)/);
  assert.match(arrows(moves, 'black', null)[2]!.customSvg!.html, /rotate\(90\.0\)/);
  const chosen = arrows(moves, 'white', 'g2g3');
  assert.equal(chosen.length, 4);
  assert.match(chosen[0]!.customSvg!.html, /class="chosen"/);
  assert.deepEqual(arrows([], 'white', null), []);
});

test('series follow the moves that are best now', () => {
  const at = (refine: number, e4: number, d4: number): Snapshot => ({
    refine,
    at: refine,
    evaluations: refine * 10,
    positions: refine,
    engine_seconds: refine * 2,
    limit: { depth: 12 },
    strategy: { kind: 'halving', move_distance: 20, floor: 5, refine: 0 },
    alpha: { cp: Math.max(e4, d4) },
    idea: null,
    moves: [
      { uci: 'e2e4', san: 'e4', alpha: { cp: e4 }, idea: null },
      { uci: 'd2d4', san: 'd4', alpha: { cp: d4 }, idea: null },
    ],
    pv: [],
  });
  const data = series([at(1, 30, 10), at(2, 20, 25)], 'white', 'engine');
  assert.deepEqual(data.names, ['d4', 'e4']);
  assert.deepEqual(data.x, [2, 4]);
  assert.deepEqual(data.values, [
    [0.1, 0.25],
    [0.3, 0.2],
  ]);
  assert.deepEqual(series([at(1, 30, 10)], 'black', 'depth').names, ['d4', 'e4']);
  const again = { ...at(1, 44, 10), at: 9, engine_seconds: 4 }; // depth 1 settled anew, without engine work
  const depths = series([at(1, 30, 10), at(2, 20, 25), again], 'white', 'depth');
  assert.deepEqual(depths.x, [1, 2]);
  assert.equal(depths.root[0], 0.44);
  assert.deepEqual(series([at(1, 30, 10), at(2, 20, 25), again], 'white', 'engine').x, [2, 4]);
});

test('"since" is a moment', () => {
  const now = 1_790_000_000_000;
  const time = initialTime(1, null, now);
  assert.equal(time.since, 'day');
  assert.equal(sinceMoment(time, now), now - 86_400_000);
  assert.equal(sinceMoment(initialTime(1, 5, now), now), 5);
});

test('the board image has all pieces on their squares, either way round', () => {
  const images = { 'white king': 'data:wk', 'black king': 'data:bk' };
  const place = follow('k7/8/8/8/8/8/8/7K w - - 0 1', [])!;
  assert.match(boardSvg(place, 'white', images), /<image x="315" y="315"[^>]*data:wk/);
  assert.match(boardSvg(place, 'black', images), /<image x="0" y="0"[^>]*data:wk/);
  const whole = boardSvg(follow(startFen, ['e2e4'])!, 'white', { 'white pawn': 'data:p' });
  assert.equal(whole.match(/data:p/g)?.length, 8);
  assert.equal(whole.match(/opacity="0.55"/g)?.length, 2);
});

test('time left is told as roughly as it is known', () => {
  assert.equal(timeLeft([50, 50]), 'about 50 s');
  assert.equal(timeLeft([0, 600]), 'up to 10 min');
  assert.equal(timeLeft([80, 600]), '80 s to 10 min');
  assert.equal(timeLeft([3 * 3600, 3 * 86_400]), '3 h to 3 d');
  assert.equal(timeLeft([3 * 3600, 90 * 86_400]), '3 h to over a month');
  assert.equal(timeLeft([90 * 86_400, 900 * 86_400]), 'over a month');
});
