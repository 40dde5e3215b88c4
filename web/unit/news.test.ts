import assert from 'node:assert/strict';
import test from 'node:test';
import { marksOf } from '../src/pages/tree/news';
import type { Changes } from '../src/data/types';

const changes = (more: Partial<Changes>): Changes => ({
  since: 0,
  now: 1,
  evaluations: 3,
  best: { before: 'e4', after: 'd4' },
  alpha: { before: { cp: 10 }, after: { cp: 20 } },
  pv: { before: [], after: [] },
  moves: [],
  new_best: [],
  swings: [],
  new_lines: [],
  second_opinions: [],
  ...more,
});
const e4 = { uci: 'e2e4', san: 'e4' };
const d4 = { uci: 'd2d4', san: 'd4' };
const e5 = { uci: 'e7e5', san: 'e5' };

test('moves that changed have marks, by the line that leads to them', () => {
  const marks = marksOf(
    changes({
      moves: [
        { ...e4, before: { cp: 10 }, after: { cp: 10 } },
        { ...d4, before: { cp: 5 }, after: { cp: 20 } },
      ],
      swings: [{ line: [e4, e5], before: { cp: 40 }, after: { cp: -10 } }] as Changes['swings'],
      new_best: [{ line: [d4], before: { uci: 'd7d5', san: 'd5' }, after: e5 }] as Changes['new_best'],
      new_lines: [{ line: [d4, e5, e4], alpha: { cp: 1 } }] as Changes['new_lines'],
    }),
  );
  const kinds = { 'd2d4,e7e5,e2e4': 'new', d2d4: 'white', 'e2e4,e7e5': 'black', 'd2d4,e7e5': 'best' };
  assert.deepEqual(Object.fromEntries([...marks].map(([line, mark]) => [line, mark.kind])), kinds);
  assert.match(marks.get('d2d4')!.title, /\+0\.05 → \+0\.20/);
  const allNew = { best: { before: null, after: 'd4' }, moves: [{ ...d4, before: null, after: { cp: 1 } }] };
  assert.equal(marksOf(changes(allNew)).size, 0);
});
