import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Stream } from '../src/data/events';
import { settled } from './fake';

// A stream whose server sends what `send` is given.
function connected(event: (kind: string, data: unknown) => void) {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({ start: c => void (controller = c) });
  const asked: string[] = [];
  let watched = 0;
  globalThis.fetch = (url, init) => {
    const id = (init?.headers as Record<string, string>)['Last-Event-ID'] ?? 'none';
    asked.push(`${String(url)} after ${id}`);
    return Promise.resolve(new Response(asked.length > 1 ? new ReadableStream() : body));
  };
  const told: string[] = [];
  const stream = new Stream({
    headers: () => ({}),
    watched: () => watched,
    event,
    open: again => told.push(`open ${again}`),
    lost: status => told.push(`lost ${status}`),
    mistake: error => told.push(`mistake ${(error as Error).name}`),
  });
  stream.start();
  const send = async (text: string): Promise<void> => {
    controller!.enqueue(new TextEncoder().encode(text));
    await settled();
    await settled();
  };
  const watch = async (id: number): Promise<void> => {
    watched = id;
    stream.follow();
    await settled();
  };
  return { stream, told, send, asked, watch };
}

test('a mistake in a handler is told as one, and the connection goes on', async () => {
  const seen: unknown[] = [];
  const { stream, told, send } = connected((_, data) => seen.push((data as { id: number }).id));
  await send('event: removed\ndata: null\n\n');
  await send('event: removed\ndata: {"id":7}\n\n');
  assert.deepEqual(seen, [7]);
  assert.deepEqual(told, ['open false', 'mistake TypeError']);
  stream.stop();
});

test('an event whose data is no JSON is told, and reaches no handler', async () => {
  const seen: unknown[] = [];
  const { stream, told, send } = connected((kind, data) => seen.push([kind, data]));
  await send('event: node\ndata: {"a\n\nevent: reset\ndata: {}\n\n');
  assert.deepEqual(seen, [['reset', {}]]);
  assert.deepEqual(told, ['open false', 'mistake SyntaxError']);
  stream.stop();
});

test('who looks at another analysis gets the events of its positions, from the same place', async () => {
  const { stream, told, send, asked, watch } = connected(() => undefined);
  await send('id: r-7\nevent: reset\ndata: {}\n\n');
  await watch(3);
  await watch(3);
  assert.deepEqual(asked, [
    '/api/v1/events?fields=changed&nodes=0 after none',
    '/api/v1/events?fields=changed&nodes=3 after r-7',
  ]);
  assert.deepEqual(told, ['open false', 'open false']);
  stream.stop();
});
