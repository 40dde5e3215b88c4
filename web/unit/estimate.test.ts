import assert from 'node:assert/strict';
import { test } from 'node:test';
import { estimateWords, withEstimate } from '../src/pages/tree/estimate';

test('an estimate says its interval and what it rests on', () => {
  assert.equal(
    estimateWords({ cp: 21, low: -5, high: 47, searches: 12 }),
    'estimate +0.21 (−0.05 to +0.47), 12 searches',
  );
  assert.match(estimateWords({ cp: 0, low: -29, high: 29, searches: 1 }), /, 1 search$/);
  const lines = withEstimate({ cp: 30 }, { cp: 21, low: -5, high: 47, searches: 12 }).split('\n');
  assert.equal(lines.length, 3);
  assert.match(lines[2] ?? '', /Nothing is decided/);
});
