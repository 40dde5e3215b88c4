import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatRoute, parseRoute } from '../src/router';
import type { Route } from '../src/router';

const routes: [string, Route][] = [
  ['#/', { page: 'queue' }],
  ['#/new', { page: 'new', copy: null }],
  ['#/new?copy=3', { page: 'new', copy: 3 }],
  ['#/analysis/1', { page: 'tree', id: 1, line: [], tab: 'moves' }],
  ['#/analysis/12/e2e4,e7e5?tab=picture', { page: 'tree', id: 12, line: ['e2e4', 'e7e5'], tab: 'picture' }],
  ['#/analysis/1/a7a8q', { page: 'tree', id: 1, line: ['a7a8q'], tab: 'moves' }],
];

for (const [hash, route] of routes)
  test(`${hash} goes there and back`, () => {
    assert.deepEqual(parseRoute(hash), route);
    assert.equal(formatRoute(route), hash);
  });

test('no hash is the queue; nonsense is told, not guessed', () => {
  assert.deepEqual(parseRoute(''), { page: 'queue' });
  for (const bad of [
    '#/analysis',
    '#/analysis/x',
    '#/analysis/1/e2e9',
    '#/analysis/1/e2e4/more',
    '#/nowhere',
    '#/analysis/-1',
  ])
    assert.equal(parseRoute(bad).page, 'lost', bad);
  assert.equal((parseRoute('#/analysis/1?tab=nonsense') as { tab: string }).tab, 'moves');
});
