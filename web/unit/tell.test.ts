import assert from 'node:assert/strict';
import test from 'node:test';
import { happened } from '../src/ui/tell';
import { analysis } from './fake';

const best = (uci: string, san: string) => ({ uci, san, alpha: { cp: 30 }, idea: { cp: 30 } });

test('the end of an analysis and another best move are told, growth is not', () => {
  const before = analysis(1, { state: 'running', best: best('e2e4', 'e4') });
  assert.equal(happened(null, before), null);
  assert.equal(happened(before, { ...before, positions: 9 }), null);
  assert.equal(happened(before, { ...before, state: 'queued' }), null);
  assert.equal(happened(before, { ...before, state: 'settled' }), 'is settled: e4 +0.30');
  const settled = { ...before, state: 'settled' as const };
  assert.equal(happened(settled, settled), null);
  assert.equal(happened(settled, { ...settled, settled: 2 }), 'is settled: e4 +0.30');
  assert.equal(happened(before, { ...before, state: 'exhausted' }), 'has used its budget: e4 +0.30');
  assert.equal(
    happened(before, { ...before, state: 'failed', reason: 'no engine' }),
    'has failed: no engine',
  );
  assert.equal(
    happened(before, { ...before, best: best('d2d4', 'd4') }),
    'has a new best move: d4 +0.30, before e4',
  );
});
