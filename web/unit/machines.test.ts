// Machines that help and webhooks, as the queue's page shows them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../src/data/api';
import type { Machine, Machines, WebhookTests, Webhooks } from '../src/data/types';
import { machinesView, webhooksView } from '../src/pages/queue/enginesView';
import { enter, testWebhooks, tick } from '../src/pages/queue/queueCtrl';
import type { VNode } from '../src/ui/dom';
import { byHand, fakeCtx, find, settled, words } from './fake';

const machine = (more: Partial<Machine> = {}): Machine => ({
  id: 'm1',
  name: 'laptop',
  state: 'working',
  profiles: [{ name: 'stockfish', processes: 4, leases: 4, busy: 0.5, nps: 1_500_000 }],
  silent_seconds: 1,
  answered: 12,
  failed: 0,
  late: 0,
  refused: 0,
  last_refusal: null,
  compared: { answers: 3, different: 0, mean_cp: 0 },
  ...more,
});

const buttons = (node: VNode | null): VNode[] => find(node, n => n.sel?.startsWith('button') ?? false);
const press = (node: VNode): void =>
  (node.data?.on?.click as unknown as (event: unknown) => void)({ preventDefault: () => undefined });

const shown = (...machines: Machine[]) => machinesView(fakeCtx({}), { machines, refusals: [] });

test('a machine at work: what it does, its processes, its speed; without machines nothing is said', () => {
  assert.equal(machinesView(fakeCtx({}), null), null);
  assert.equal(shown(), null);
  const text = words(shown(machine()));
  for (const part of ['laptop', 'searching', '4 processes', '50% busy', '12 answered', 'Drain'])
    assert.ok(text.includes(part), `${part} in: ${text}`);
  assert.ok(!text.includes('late'));
});

test('processes of machines that are away do not count; busy is of all of a machine', () => {
  const view = shown(machine(), machine({ id: 'm2', name: 'attic', state: 'away', silent_seconds: 300 }));
  const [header] = find(view, n => n.sel === 'header');
  assert.ok(words(header).includes('4 processes'));
  assert.match(words(view), /attic .*not heard of for 5/);
  const profiles = [
    { name: 'a', processes: 3, leases: 3, busy: 1, nps: 1 },
    { name: 'b', processes: 1, leases: 0, busy: 0, nps: 1 },
  ];
  assert.match(words(shown(machine({ profiles }))), /75% busy/);
  assert.match(words(shown(machine({ profiles: [] }))), / 0% busy/);
});

test('answers that differ, came late or were refused are told, and machines that were refused', () => {
  const compared = { answers: 10, different: 4, mean_cp: 33.6 };
  const text = words(shown(machine({ late: 2, refused: 1, last_refusal: 'an illegal move', compared })));
  assert.match(text, /2 late/);
  assert.match(text, /1 answer refused: an illegal move/);
  assert.match(text, /4 of 10 answers differ here; 34 cp/);
  const refusals = [{ name: 'old', reason: 'another engine', at: 1 }];
  assert.match(
    words(machinesView(fakeCtx({}), { machines: [], refusals })),
    /old is refused: another engine/,
  );
});

test('a machine is drained, and goes on; what it does then is asked for at once', async () => {
  const drained = byHand<void>();
  const machines = byHand<Machines>();
  const ctx = fakeCtx({ machines, drain: drained });
  const [stop] = buttons(machinesView(ctx, { machines: [machine()], refusals: [] }));
  assert.equal(stop?.data?.attrs?.['aria-label'], 'Drain laptop');
  press(stop!);
  await settled();
  assert.deepEqual(drained.args(), [['m1', true]]);
  drained.asked[0]!.give();
  await settled();
  machines.asked[0]!.give({ machines: [machine({ state: 'draining' })], refusals: [] });
  await settled();
  const view = machinesView(ctx, ctx.state.queue.machines);
  assert.match(words(view), /finishing/);
  const [go] = buttons(view);
  assert.equal(go?.data?.attrs?.['aria-label'], 'Go on with laptop');
  press(go!);
  await settled();
  assert.deepEqual(drained.args()[1], ['m1', false]);
  drained.asked[1]!.fail(new ApiError(409, 'conflict', 'it is gone', ''));
  await settled();
  assert.equal(ctx.state.toasts.length, 1);
  assert.equal(machines.asked.length, 1, 'nothing is asked');
});

test('machines are asked for every few seconds; a failure keeps what was known', async () => {
  const machines = byHand<Machines>();
  const ctx = fakeCtx({ machines });
  ctx.state.now = 3000;
  tick(ctx);
  ctx.state.now = 4000;
  tick(ctx);
  assert.equal(machines.asked.length, 1);
  machines.asked[0]!.give({ machines: [machine()], refusals: [] });
  await settled();
  ctx.state.now = 6000;
  tick(ctx);
  machines.asked[1]!.fail(new ApiError(0, 'unreachable', 'away', ''));
  await settled();
  assert.equal(ctx.state.queue.machines?.machines.length, 1);
  assert.equal(ctx.state.toasts.length, 0);
});

const hook = (more: Partial<Webhooks['webhooks'][number]> = {}): Webhooks['webhooks'][number] => ({
  name: 'chat',
  events: ['settled'],
  signed: true,
  sent: 2,
  lost: 0,
  waiting: 0,
  problem: null,
  ...more,
});

test('webhooks are shown if there are any, and tested', async () => {
  const tests = byHand<WebhookTests>();
  let known: Webhooks = { webhooks: [] };
  const ctx = fakeCtx({
    machines: () => Promise.resolve({ machines: [], refusals: [] }),
    analyses: () => Promise.resolve([]),
    engines: () => Promise.resolve([]),
    webhooks: () => Promise.resolve(known),
    testWebhooks: tests,
  });
  enter(ctx);
  await settled();
  assert.equal(webhooksView(ctx), null);
  known = { webhooks: [hook(), hook({ name: 'script', problem: 'it answers 500', lost: 1 })] };
  enter(ctx);
  await settled();
  assert.match(words(webhooksView(ctx)), /chat 2 sent script 2 sent it answers 500; 1 message lost/);
  press(buttons(webhooksView(ctx))[0]!);
  assert.equal(buttons(webhooksView(ctx))[0]!.data?.attrs?.disabled, true);
  await testWebhooks(ctx); // pressed twice
  assert.equal(tests.asked.length, 1);
  tests.asked[0]!.give({
    webhooks: [
      { name: 'chat', status: 204, problem: null, milliseconds: 12 },
      { name: 'script', status: null, problem: 'Connection refused', milliseconds: 1 },
    ],
  });
  await settled();
  const text = words(webhooksView(ctx));
  assert.match(text, /chat took the test \(204, 12 ms\)\. script: Connection refused/);
  press(buttons(webhooksView(ctx))[0]!);
  tests.asked[1]!.fail(new ApiError(503, 'unavailable', 'no', ''));
  await settled();
  assert.equal(ctx.state.toasts.length, 1);
  assert.doesNotMatch(words(webhooksView(ctx)), /took the test/);
});
