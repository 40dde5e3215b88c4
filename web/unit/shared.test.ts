import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sharedIn, type Shared } from '../src/data/shared';
import type { Ctx } from '../src/ctx';
import { press } from '../src/keyboard';
import { onEvent } from '../src/linkCtrl';
import { enter } from '../src/pages/tree/treeCtrl';
import { formatRoute, parseRoute, tabsFor, within } from '../src/router';
import { isLoopback } from '../src/dialogs/share/shareState';
import { analysis, fakeCtx, settled } from './fake';

const secret = 'link-0123456789abcdef0123456789abcdef';
const one: Shared = { secret, id: 3, file: null };

test('the address of a link has its secret, what it shows, and a place there', () => {
  assert.deepEqual(sharedIn(`#/shared/${secret}/analysis/3`), { ...one, rest: '#/analysis/3' });
  assert.deepEqual(sharedIn(`#/shared/${secret}/analysis/3/e2e4?tab=picture`), {
    ...one,
    rest: '#/analysis/3/e2e4?tab=picture',
  });
  assert.deepEqual(sharedIn(`#/shared/${secret}/review/3/file/7/game/2?at=4`), {
    ...one,
    file: 7,
    rest: '#/review/3/file/7/game/2?at=4',
  });
  for (const bad of ['', '/analysis', '/analysis/3x', '/review/3', '/new'])
    assert.equal(sharedIn(`#/shared/${secret}${bad}`), null, bad);
  for (const bad of ['', '#/analysis/3', '#/shared/x/analysis/3', `#/x/shared/${secret}/analysis/3`])
    assert.equal(sharedIn(bad), null, bad);
});

test('the router knows the place also while the secret stands before it', () => {
  assert.deepEqual(parseRoute(`#/shared/${secret}/analysis/3/e2e4`), parseRoute('#/analysis/3/e2e4'));
});

test('a link leads nowhere else than to what it shows', () => {
  const to = (hash: string, shared: Shared | null = one): string =>
    formatRoute(within(shared, parseRoute(hash)));
  for (const inside of ['#/analysis/3', '#/analysis/3/e2e4?tab=time']) assert.equal(to(inside), inside);
  for (const outside of ['#/', '#/new', '#/review', '#/analysis/4', '#/review/3/e2e4', '#/nowhere'])
    assert.equal(to(outside), '#/analysis/3', outside);
  assert.equal(to('#/analysis/3/e2e4?tab=facts'), '#/analysis/3/e2e4');
  assert.equal(to('#/', null), '#/');
  assert.ok(!tabsFor(one).includes('repertoire'));
  assert.ok(tabsFor(null).includes('repertoire'));
});

test('keys that change something, or lead elsewhere, mean nothing to who came by a link', () => {
  const ctx = fakeCtx({});
  ctx.state.route = { page: 'tree', id: 3, line: [], tab: 'moves' };
  ctx.state.shared = one;
  for (const key of ['x', 'i', 'd', 'n', 'c', 'm', 'k', 'p', 'o', 'g'])
    assert.equal(press(ctx, key, false), false, key);
  assert.equal(press(ctx, '?', false), true);
  assert.equal(ctx.state.chord, null);
});

test('a shared tree asks for nothing that links do not show', async () => {
  const asked: string[] = [];
  const shown: Record<string, () => Promise<unknown>> = {
    node: () => new Promise(() => undefined),
    analysis: () => Promise.resolve(analysis(3)),
  };
  const api = new Proxy(shown, {
    get: (calls, name: string) => {
      asked.push(name);
      return calls[name] ?? ((): Promise<never> => Promise.reject(new Error(`${name} was asked`)));
    },
  });
  const ctx: Ctx = { ...fakeCtx({}), api: api as unknown as Ctx['api'] };
  ctx.state.shared = one;
  enter(ctx, { page: 'tree', id: 3, line: [], tab: 'moves' });
  await settled();
  onEvent(ctx, { kind: 'analysis', data: analysis(3, { positions: 5 }) });
  await settled();
  assert.ok(asked.includes('node'));
  assert.ok(
    asked.every(name => name in shown),
    asked.join(),
  );
});

test('an address of this machine alone is known', () => {
  for (const host of ['localhost', '127.0.0.1', '127.1.2.3', '[::1]']) assert.ok(isLoopback(host), host);
  for (const host of ['192.168.1.5', 'adjourn.example', '127.example']) assert.ok(!isLoopback(host), host);
});
