import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../src/data/api';
import { Latest } from '../src/data/latest';
import { byHand } from './fake';

test('the newest question is answered, in whatever order the answers come', async () => {
  const latest = new Latest();
  const call = byHand<string>();
  const first = latest.ask(call);
  const second = latest.ask(call);
  assert.equal((call.asked[0]!.args[0] as AbortSignal).aborted, true);
  call.asked[1]!.give('new');
  assert.deepEqual(await second, { value: 'new' });
  call.asked[0]!.give('old');
  assert.equal(await first, null);
  assert.equal(latest.busy, false);
});

test('a failed call is a value, a late one nothing, a mistake is thrown', async () => {
  const latest = new Latest();
  const call = byHand<string>();
  const late = latest.ask(call);
  const failed = latest.ask(call);
  call.asked[0]!.fail(new ApiError(500, 'internal', 'old', ''));
  call.asked[1]!.fail(new ApiError(0, 'unreachable', 'new', ''));
  assert.equal(await late, null);
  const answer = await failed;
  assert.equal(answer && 'problem' in answer && answer.problem.message, 'new');
  await assert.rejects(
    latest.ask(() => Promise.reject(new TypeError('ours'))),
    TypeError,
  );
});

test('what is stopped is not answered', async () => {
  const latest = new Latest();
  const call = byHand<string>();
  const asked = latest.ask(call);
  assert.equal(latest.busy, true);
  latest.stop();
  call.asked[0]!.give('too late');
  assert.equal(await asked, null);
});

test('what is on its way already is not asked again, another question is', async () => {
  const latest = new Latest();
  const call = byHand<string>();
  const first = latest.ask(call, 'a');
  assert.equal(await latest.ask(call, 'a'), null);
  assert.equal(call.asked.length, 1);
  call.asked[0]!.give('of a');
  assert.deepEqual(await first, { value: 'of a' });
  const again = latest.ask(call, 'a');
  const other = latest.ask(call, 'b');
  assert.equal((call.asked[1]!.args[0] as AbortSignal).aborted, true);
  call.asked[1]!.give('late');
  call.asked[2]!.give('of b');
  assert.equal(await again, null);
  assert.deepEqual(await other, { value: 'of b' });
});
