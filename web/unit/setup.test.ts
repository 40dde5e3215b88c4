import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutesText, readMinutes, type Errors } from '../src/setup/rules';
import { setupOf, toPatch, toRequest, type Setup } from '../src/setup/setupState';
import type { Analysis, AnalysisPatch } from '../src/data/types';
import { analysis, moment } from './fake';

function patchOf(a: Analysis, change: Partial<Setup>, now = a): { patch: AnalysisPatch; errors: Errors } {
  const errors: Errors = {};
  const patch = toPatch({ ...setupOf(a), ...change }, setupOf(a), now, errors);
  return { patch, errors };
}

const odd = analysis(1, {
  budget: { engine_seconds: 90, until: moment + 12_345 },
  strategy: { kind: 'dropout', move_distance: 20, floor: 5, refine: 0, per_cp: 0.25 },
  window: '22:00-07:00',
});

test('settings that nobody edited send nothing', () => {
  const other = analysis(3, { limit: { nodes: 5000 }, stop: { proven: false, lead: 2.5, levels: 3 } });
  for (const a of [odd, analysis(2), other]) assert.deepEqual(patchOf(a, {}), { patch: {}, errors: {} });
});

test('only what was edited is sent', () => {
  const edits: [Partial<Setup>, AnalysisPatch][] = [
    [{ name: ' New ' }, { name: 'New' }],
    [{ refine: '7' }, { strategy: { refine: 7 } }],
    [{ strategy: 'halving', floor: '3' }, { strategy: { kind: 'halving', floor: 3 } }],
    [{ stopLead: '2.5' }, { stop: { lead: 2.5 } }],
    [{ windowOn: false }, { window: null }],
    [{ windowTo: '08:00' }, { window: '22:00-08:00' }],
    [{ limitKind: 'nodes', limitValue: '9000' }, { limit: { nodes: 9000 } }],
    [{ priority: '-3' }, { priority: -3 }],
  ];
  for (const [change, patch] of edits) assert.deepEqual(patchOf(odd, change), { patch, errors: {} });
});

test('a budget is replaced as a whole, and what was not edited stays to the second', () => {
  assert.deepEqual(patchOf(odd, { positions: '500' }).patch.budget, {
    positions: 500,
    engine_seconds: 90,
    until: moment + 12_345,
  });
  const meanwhile = { ...odd, budget: { engine_seconds: 120 } };
  assert.deepEqual(patchOf(odd, { positions: '500' }, meanwhile).patch.budget, {
    positions: 500,
    engine_seconds: 120,
  });
  assert.deepEqual(patchOf(odd, { engineMinutes: '', until: '' }).patch.budget, {});
});

test('an emptied narrowest window stays as it is, an emptied distance is told', () => {
  assert.deepEqual(patchOf(analysis(1), { floor: '' }).patch, {});
  assert.deepEqual(Object.keys(patchOf(analysis(1), { distance: '' }).errors), ['strategy.move_distance']);
  assert.deepEqual(Object.keys(patchOf(analysis(1), { name: ' ' }).errors), ['name']);
});

test('a copy has the engine time of its model to the second, and counts the evaluations that it counts', () => {
  const errors: Errors = {};
  const short = analysis(1, { budget: { engine_seconds: 20 } });
  const wish = toRequest(setupOf(short), errors);
  assert.deepEqual([wish.budget, errors], [{ engine_seconds: 20 }, {}]);
  assert.deepEqual(patchOf(short, { name: 'x' }), { patch: { name: 'x' }, errors: {} });
  assert.deepEqual(toRequest(setupOf(analysis(1, { accept: ['lichess'] })), {}).accept, ['lichess']);
  assert.equal('accept' in toRequest(setupOf(analysis(1)), {}), false);
});

test('a plan is sent where it changed, and taken back', () => {
  const plan = [{ window: 40 }];
  const planned = analysis(1, {
    strategy: { kind: 'halving', move_distance: 20, floor: 5, refine: 6, plan },
  });
  assert.deepEqual(patchOf(planned, {}).patch, {});
  assert.deepEqual(patchOf(planned, { planMode: 'none' }).patch, { strategy: { plan: [] } });
  assert.deepEqual(patchOf(planned, { plan: '10' }).patch, { strategy: { plan: [{ window: 10 }] } });
});

test('minutes show seconds and read back as the same', () => {
  assert.deepEqual([90, 5400, 3600].map(minutesText), ['1.5', '90', '60']);
  for (const seconds of [0.001, 0.5, 1, 7, 20, 59.999, 90, 3601, 86_399, 1e9]) {
    const errors: Errors = {};
    assert.equal(readMinutes(errors, minutesText(seconds)), seconds);
    assert.deepEqual(errors, {});
  }
  for (const wrong of ['0', '-1', 'x', '1e12']) {
    const errors: Errors = {};
    readMinutes(errors, wrong);
    assert.deepEqual(Object.keys(errors), ['budget.engine_seconds'], wrong);
  }
});
