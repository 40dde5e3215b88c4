import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ucis } from '../src/chess/chess';
import type { Evaluation, NodeMove, Played, TreeNode } from '../src/data/types';
import { differ, onlyPlayed, seconds } from '../src/pages/tree/beside/besideState';

const move = (uci: string, cp: number, engine = 'Alpha', depth = 14): NodeMove =>
  ({ uci, san: uci, engine: { engine, depth, nodes: 100, score: { cp } } }) as NodeMove;

const evaluation = (of: Partial<Evaluation> & { uci: string; cp: number }): Evaluation =>
  ({
    engine: 'Alpha',
    fingerprint: 'aaaaaaaaaa',
    limit: { depth: 14 },
    depth: 14,
    nodes: 100,
    at: 1,
    bound: 'exact',
    ...of,
    move: { uci: of.uci, san: of.uci },
    score: { cp: of.cp },
  }) as unknown as Evaluation;

const node = { moves: [move('e2e4', 30), move('d2d4', 20)] } as TreeNode;

test('another engine, and another limit of the same, can stand beside the table; what it shows already cannot', () => {
  const found = seconds(node, [
    evaluation({ uci: 'e2e4', cp: 30 }),
    evaluation({ uci: 'd2d4', cp: 20 }),
    evaluation({ uci: 'e2e4', cp: 45, limit: { depth: 20 }, depth: 20, nodes: 900 }),
    evaluation({ uci: 'e2e4', cp: 10, engine: 'Beta', fingerprint: 'b' }),
    evaluation({ uci: 'e2e4', cp: 12, engine: 'Beta', fingerprint: 'b', at: 5 }),
    evaluation({ uci: 'd2d4', cp: 15, engine: 'Beta', fingerprint: 'b' }),
  ]);
  const told = Object.fromEntries(found.map(s => [s.name, s.byUci.size]));
  assert.deepEqual(told, { 'Beta, depth 14': 2, 'Alpha, depth 20': 1 });
  assert.deepEqual(found[0]?.byUci.get('e2e4')?.score, { cp: 12 }, 'of equal depth the newest');
  assert.deepEqual(seconds(node, [evaluation({ uci: 'e2e4', cp: 30 })]), []);
});

test('engines of one name with other options are told apart', () => {
  const found = seconds(node, [
    evaluation({ uci: 'e2e4', cp: 1, engine: 'Beta', fingerprint: 'b111111' }),
    evaluation({ uci: 'e2e4', cp: 2, engine: 'Beta', fingerprint: 'b222222' }),
  ]);
  assert.deepEqual(found.map(s => s.name).sort(), ['Beta, depth 14 (b11111)', 'Beta, depth 14 (b22222)']);
});

test('a tenth of the winning chances apart is marked, less is not', () => {
  assert.equal(differ(move('e2e4', 0), evaluation({ uci: 'e2e4', cp: 100 })), false); // 0.09
  assert.equal(differ(move('e2e4', 0), evaluation({ uci: 'e2e4', cp: 115 })), true); // 0.10
  assert.equal(differ(move('e2e4', 0), evaluation({ uci: 'e2e4', cp: -115 })), true);
  assert.equal(differ(move('e2e4', 900), evaluation({ uci: 'e2e4', cp: 700 })), false);
  assert.equal(differ(move('e2e4', 0), undefined), false);
});

test('what was played and stands in no row is listed', () => {
  const played = { games: 3, moves: [{ uci: 'e2e4' }, { uci: 'a2a4' }] } as Played;
  assert.deepEqual(ucis(onlyPlayed(node, played)), ['a2a4']);
});
