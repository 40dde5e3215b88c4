import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pace } from '../src/ui/pace';
import { FakeClock } from './fake';

// A page whose frames come when the test says so; what is drawn is the newest state.
function page() {
  const clock = new FakeClock();
  const frames: (() => void)[] = [];
  const drawn: number[] = [];
  const all = { clock, frames, drawn, state: 0 };
  const pace = new Pace(
    clock,
    work => frames.push(work),
    () => drawn.push(all.state),
  );
  const news = (): void => {
    all.state++;
    pace.want();
  };
  const frame = (): void => frames.splice(0).forEach(work => work());
  return Object.assign(all, { pace, news, frame });
}

test('news are drawn four times a second, and the last of them always', () => {
  const p = page();
  p.clock.turn(1000);
  for (let i = 0; i < 600; i++) {
    p.news();
    p.frame();
    p.clock.turn(5); // 200 a second, for three seconds
  }
  assert.ok(p.drawn.length <= 13, `${p.drawn.length} drawings`);
  assert.ok(p.drawn.length >= 11, `${p.drawn.length} drawings`);
  p.clock.turn(250);
  p.frame();
  assert.equal(p.drawn.at(-1), 600);
});

test('what a person does is drawn in the next frame, even where news wait', () => {
  const p = page();
  p.clock.turn(1000);
  p.news();
  p.frame();
  p.clock.turn(10);
  p.news();
  p.frame();
  assert.deepEqual(p.drawn, [1]);
  p.pace.act();
  p.frame();
  assert.deepEqual(p.drawn, [1, 2]);
  p.clock.turn(100); // the answer to it
  p.news();
  p.frame();
  assert.deepEqual(p.drawn, [1, 2, 3]);
  p.clock.turn(1000); // the call that waited is off
  assert.equal(p.frames.length, 0);
});

test('several wishes are one drawing; what is to be done after it waits for it', () => {
  const p = page();
  p.clock.turn(1000);
  p.news();
  p.news();
  assert.equal(p.frames.length, 1);
  p.frame();
  assert.deepEqual(p.drawn, [2]);
  let done = 0;
  p.pace.want(() => done++);
  p.frame();
  assert.equal(done, 0);
  p.clock.turn(250);
  p.frame();
  assert.deepEqual([done, p.drawn.length], [1, 2]);
});
