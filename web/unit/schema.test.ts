// The protocol's shapes against the server's golden responses in tests/web/golden: NAME.json or
// NAME-anything.json is checked as NAME.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { arr, bool, either, lit, nullable, num, obj, opt, problemsOf, str } from '../src/data/schema';
import type { Check } from '../src/data/schema';
import * as types from '../src/data/types';

const shapes: Record<string, Check<unknown>> = {
  health: types.Health,
  engines: types.Engines,
  analyses: types.Analyses,
  analysis: types.Analysis,
  created: types.Created,
  node: types.TreeNode,
  tree: types.Tree,
  history: types.History,
  changes: types.Changes,
  disagreements: types.Disagreements,
  evaluations: types.Evaluations,
  import: types.ImportReport,
  positions: types.Positions,
  openings: types.Openings,
  error: types.Problem,
  'event.analysis': types.Analysis,
  'event.node': types.NodeEvent,
  'event.engine': types.Engine,
};

const folder = path.resolve('../tests/web/golden'); // unit.mjs runs in web/
const files = existsSync(folder) ? readdirSync(folder).filter(n => n.endsWith('.json')) : [];

test('every call has a golden response', () => {
  const named = new Set(files.map(n => n.replace(/(-.*)?\.json$/, '')));
  assert.deepEqual(
    Object.keys(shapes).filter(name => !named.has(name)),
    [],
  );
});

for (const file of files)
  test(`${file} has the shape that the page expects`, () => {
    const name = file.replace(/(-.*)?\.json$/, '');
    const shape = shapes[name];
    assert.ok(shape, `no shape is called ${name}`);
    assert.deepEqual(problemsOf(shape, JSON.parse(readFileSync(path.join(folder, file), 'utf8'))), []);
  });

test('checkers find what is wrong and where', () => {
  const shape = obj({ a: num, b: opt(str), c: arr(nullable(bool)), d: lit('x', 'y') });
  assert.deepEqual(problemsOf(shape, { a: 1, c: [null, true], d: 'x' }), []);
  assert.deepEqual(problemsOf(shape, { a: '1', c: [0], d: 'z', e: 1 }), [
    '$.a: string instead of number',
    '$.c[0]: number instead of boolean',
    '$.d: "z" is none of x, y',
    '$.e: unknown field',
  ]);
  assert.deepEqual(problemsOf(shape, null), ['$: null instead of object']);
  assert.deepEqual(problemsOf(either(obj({ cp: num }), obj({ mate: num })), { cp: 'x' }), [
    '$.cp: string instead of number',
  ]);
});
