import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventParser } from '../src/data/events';

const stream =
  ': ping\n\nid: 7\nevent: node\ndata: {"a":1}\n\ndata: x\ndata: y\r\n\r\nid: 9\n\nevent: reset\ndata: {}\n\n';

test('events come out however the bytes are cut', () => {
  const whole = new EventParser().push(stream);
  assert.deepEqual(whole, [
    { id: '7', kind: 'node', data: '{"a":1}' },
    { id: '7', kind: 'message', data: 'x\ny' },
    { id: '9', kind: 'reset', data: '{}' },
  ]);
  for (let size = 1; size < stream.length; size++) {
    const parser = new EventParser();
    const events = [];
    for (let at = 0; at < stream.length; at += size) events.push(...parser.push(stream.slice(at, at + size)));
    assert.deepEqual(events, whole, `chunks of ${size}`);
  }
});

test('the place in the stream is that of the last whole block, event or not', () => {
  const parser = new EventParser();
  parser.push('id: r-3\n\nid: r-4\nevent: node\n');
  assert.equal(parser.place, 'r-3');
  parser.push('data: 1\n\n');
  assert.equal(parser.place, 'r-4');
});

test('an unfinished event is not told', () => {
  assert.deepEqual(new EventParser().push('event: node\ndata: 1\n'), []);
});
