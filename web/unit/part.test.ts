import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../src/data/api';
import { Part } from '../src/ui/part';

test('a part is fetched once, and again where that failed', async () => {
  const asked: string[] = [];
  const part = new Part(() => {
    asked.push('');
    return asked.length === 1 ? Promise.reject(new TypeError('no network')) : Promise.resolve('code');
  });
  await assert.rejects(part.load(), ApiError);
  assert.equal(part.here, null);
  assert.deepEqual(await Promise.all([part.load(), part.load()]), ['code', 'code']);
  assert.equal(part.here, 'code');
  assert.equal(asked.length, 2);
});
