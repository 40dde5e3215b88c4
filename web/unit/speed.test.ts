import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Engine } from '../src/data/types';
import { endOf, presetFields, presets } from '../src/setup/presets';
import { initialSetup } from '../src/setup/setupState';
import { roundNumber, searchSeconds, searchesEach, searchesIn, speedOf, timeFor } from '../src/setup/speed';
import { analysis, moment } from './fake';

const engine = (...nps: number[]): Engine =>
  ({ name: 'hash', default: true, processes: nps.map(n => ({ nps: n })) }) as unknown as Engine;
const halving = { ...initialSetup(), strategy: 'halving' as const };
const nodes = (value: string) => ({ ...halving, limitKind: 'nodes' as const, limitValue: value });

test('without a measured speed there is no estimate, and presets go by depth', () => {
  assert.equal(speedOf(null), null);
  assert.equal(speedOf(engine(0, 0)), null);
  assert.equal(timeFor([10, 20], nodes('1000'), engine(0), []), null);
  const [short] = presets;
  assert.equal(presetFields(short!, engine(0), moment).limitKind, 'depth');
  const builtIn = { ...engine(0), identity: { name: 'Adjourn engine 0.1.0' } } as unknown as Engine;
  assert.equal(presetFields(short!, builtIn, moment).limitValue, '500000', 'a depth would take it minutes');
});

test('a preset gives each search a round number of nodes that takes about its time, and ends in time', () => {
  const [short, night] = presets;
  const fields = presetFields(short!, engine(900_000, 1_100_000), moment);
  assert.deepEqual([fields.limitKind, fields.limitValue, fields.refine], ['nodes', '500000', '']);
  assert.deepEqual([13, 19, 69, 400_000].map(roundNumber), [10, 20, 50, 500_000]);
  const end = new Date(endOf(night!.key, moment));
  assert.deepEqual([end.getHours(), end.getMinutes()], [7, 0]);
  const left = (end.getTime() - moment) / 3_600_000;
  assert.ok(left >= 4 && left <= 28.1, `${left} hours`);
});

test('ten minutes are minutes of work, of all processes; a night and a week end at a moment', () => {
  const [short, night, week] = presets.map(p => presetFields(p, engine(1, 1, 1), moment));
  assert.deepEqual([short!.engineMinutes, short!.until], ['30', '']);
  assert.equal(presetFields(presets[0]!, null, moment).engineMinutes, '10', 'one at least');
  for (const fields of [night!, week!]) {
    assert.equal(fields.engineMinutes, '');
    assert.ok(new Date(fields.until!).getTime() > moment);
  }
});

test('the time of a search: told, measured at the same limit, or from the speed', () => {
  const fast = engine(1000);
  assert.equal(searchSeconds({ ...halving, limitKind: 'movetime_ms', limitValue: '1500' }, fast, []), 1.5);
  assert.equal(searchSeconds(nodes('2000'), fast, []), 2);
  const depth = { ...halving, limitValue: '12' };
  assert.equal(searchSeconds(depth, fast, []), null);
  const known = analysis(1, { evaluations: { new: 100, reused: 0, unneeded: 0 }, engine_seconds: 300 });
  assert.equal(searchSeconds(depth, fast, [known]), 3);
  assert.equal(searchSeconds({ ...depth, limitValue: '13' }, fast, [known]), null);
  assert.equal(searchSeconds(depth, fast, [{ ...known, engine: 'other' }]), null);
});

test('a search of anchored is longer on average, and is compared with its like', () => {
  const fast = engine(1000);
  const anchored = { ...nodes('2000'), strategy: 'anchored' as const };
  assert.equal(searchSeconds(anchored, fast, []), 8);
  const known = analysis(1, {
    limit: { nodes: 2000 },
    evaluations: { new: 100, reused: 0, unneeded: 0 },
    engine_seconds: 300,
  });
  assert.equal(searchSeconds(anchored, fast, [known]), 8);
  const like = { ...known, strategy: { ...known.strategy, kind: 'anchored' as const } };
  assert.equal(searchSeconds(anchored, fast, [like]), 3);
  assert.equal(searchSeconds(nodes('2000'), fast, [like]), 2);
});

test('every preset is anchored, by distance', () => {
  for (const preset of presets) {
    const { strategy, planMode, refine } = presetFields(preset, null, moment);
    assert.deepEqual({ strategy, planMode, refine }, { strategy: 'anchored', planMode: 'none', refine: '' });
  }
});

test('a range of positions takes a range of time, less with more processes', () => {
  const one = timeFor([100, 1000], nodes('1000'), engine(1000), [])!;
  const two = timeFor([100, 1000], nodes('1000'), engine(1000, 1000), [])!;
  assert.deepEqual(one, [150, 4000]);
  assert.deepEqual(two, [75, 2000]);
  const known = analysis(1, { positions: 100, evaluations: { new: 150, reused: 50, unneeded: 0 } });
  assert.deepEqual(searchesEach([known]), [1.6, 2.5]);
  assert.deepEqual(searchesIn(600, nodes('500'), engine(1000), []), [600, 1440]);
});
