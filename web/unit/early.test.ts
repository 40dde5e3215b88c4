import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { Api } from '../src/data/api';
import { ServerSource } from '../src/data/server';
import type { ApiError } from '../src/data/api';
import { askEarly, dropEarly, earlyHere } from '../src/data/early';
import { parseRoute } from '../src/router';

const real = globalThis.fetch;
const asked: { path: string; headers: Record<string, string> }[] = [];
let answer: () => Promise<Response>;

globalThis.fetch = ((path: string, { headers }: { headers: Record<string, string> }) => {
  asked.push({ path, headers });
  return answer();
}) as typeof fetch;

afterEach(() => {
  dropEarly();
  asked.length = 0;
});
process.on('exit', () => {
  globalThis.fetch = real;
});

const says = (value: unknown, status = 200): void => {
  answer = () => Promise.resolve(new Response(JSON.stringify(value), { status }));
};

test('what a tree shows first is asked for once, before the code is there, and once more by who asks again', async () => {
  says({ id: 7 });
  askEarly(parseRoute('#/analysis/7/e2e4,e7e5'), 'secret');
  const api = new Api(new ServerSource(() => 'secret'));
  assert.deepEqual(await api.analysis(7), { id: 7 });
  await api.node(7, ['e2e4', 'e7e5']);
  assert.deepEqual(
    asked.map(a => [a.path, a.headers['Authorization']]),
    [
      ['/api/v1/analyses/7', 'Bearer secret'],
      ['/api/v1/analyses/7/node?moves=e2e4,e7e5', 'Bearer secret'],
    ],
  );
  await api.analysis(7);
  assert.equal(asked.length, 3);
});

test('an early answer counts for the token it was asked with, and until it is dropped', async () => {
  says({ analyses: [] });
  askEarly(parseRoute('#/'), null);
  await new Api(new ServerSource(() => 'typed')).analyses();
  assert.equal(asked.length, 3);
  askEarly(parseRoute('#/'), null);
  dropEarly();
  await new Api(new ServerSource(() => null)).analyses();
  assert.equal(asked.length, 6);
});

test('all early answers are waited for together, whatever they say; nothing is where nothing was asked for', async () => {
  await earlyHere();
  const come: (() => void)[] = [];
  answer = () =>
    new Promise((done, fail) =>
      come.push(come.length ? () => fail(new TypeError('gone')) : () => done(new Response('{}'))),
    );
  askEarly(parseRoute('#/analysis/7'), null);
  let here = false;
  const waits = earlyHere().then(() => (here = true));
  come[0]!();
  await new Promise(setImmediate);
  assert.equal(here, false, 'one is on its way');
  come[1]!();
  await waits;
});

test('an early problem is told as any other', async () => {
  says({ error: { code: 'not_found', message: 'There is none.' } }, 404);
  askEarly(parseRoute('#/analysis/7'), null);
  const api = new Api(new ServerSource(() => null));
  await assert.rejects(api.analysis(7), (e: ApiError) => e.status === 404 && e.message === 'There is none.');
  answer = () => Promise.reject(new TypeError('no network'));
  askEarly(parseRoute('#/analysis/7'), null);
  await assert.rejects(api.analysis(7), (e: ApiError) => e.unreachable);
});
