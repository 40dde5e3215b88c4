import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameIn } from '../src/data/api';
import type { Exported } from '../src/data/api';
import { limits } from '../src/data/described';
import { change, fieldProblems, openExport } from '../src/dialogs/export/exportView';
import { byHand, fakeCtx, settled } from './fake';

const exported = (parts: string[], type = 'text/plain'): Exported => ({
  file: new Blob(parts, { type }),
  name: 'adjourn-1.pgn',
});

function opened(more: object = {}) {
  const files = byHand<Exported>();
  const ctx = fakeCtx({ export: files });
  openExport(ctx, { ...subject, ...more });
  const last = (): Record<string, unknown> => files.asked.at(-1)!.args[1] as Record<string, unknown>;
  return { ctx, files, e: ctx.state.export!, last };
}

const subject = { id: 1, name: 'A', line: ['e2e4'], place: null, fen: null, orientation: 'white' as const };

test('the preview is of what was asked last, and waits for the typing', async () => {
  const { ctx, files, e, last } = opened();
  change(ctx, e, { margin: '1' });
  change(ctx, e, { margin: '12', format: 'epd' });
  assert.equal(files.asked.length, 1);
  ctx.clock.turn(250);
  assert.deepEqual(last(), { format: 'epd', moves: ['e2e4'], margin: 12, plies: 20 });
  files.asked[1]!.give(exported(['new']));
  files.asked[0]!.give(exported(['of before']));
  await settled();
  await settled();
  assert.deepEqual(e.preview, { size: 3, text: 'new' });
  assert.equal(e.loading.busy, false);
});

test('what the server would refuse is told at its field and not asked for', async () => {
  const { ctx, files, e } = opened();
  const [least, most] = limits['exportAnalysis.plies'];
  for (const plies of ['', 'x', String(least - 1), String(most + 1), '1.5']) {
    change(ctx, e, { plies });
    assert.deepEqual(Object.keys(fieldProblems(e)), ['plies'], plies);
    ctx.clock.turn(250);
  }
  assert.equal(files.asked.length, 1);
  change(ctx, e, { plies: String(most) });
  assert.deepEqual(fieldProblems(e), {});
});

test('a PGN begins with the game; a study brings glyphs and arrows; a repertoire is of any format', async () => {
  const { ctx, e, last } = opened();
  assert.equal(last()['from'], 'game');
  const after = (fields: Partial<typeof e>): Record<string, unknown> => {
    change(ctx, e, fields);
    ctx.clock.turn(250);
    const { format, from, comments, side, nags, arrows, study } = last();
    return { format, from, comments, side, nags, arrows, study };
  };
  const none = { comments: undefined, side: undefined, nags: undefined, arrows: undefined, study: undefined };
  assert.deepEqual(after({ fromGame: false }), { format: 'pgn', from: undefined, ...none });
  assert.deepEqual(after({ marks: true, comments: 'leaves' }), {
    ...{ format: 'pgn', from: undefined, ...none },
    ...{ comments: 'leaves', nags: 'true', arrows: 'true' },
  });
  assert.deepEqual(after({ study: true, side: 'black' }), {
    ...{ format: 'pgn', from: undefined, ...none },
    ...{ comments: 'leaves', side: 'black', study: 'true' },
  });
  change(ctx, e, { mine: 'annotated', engine: 'best', ownOnly: true });
  ctx.clock.turn(250);
  assert.deepEqual((({ mine, engine, own_only }) => ({ mine, engine, own_only }))(last()), {
    mine: 'annotated',
    engine: 'best',
    own_only: 'true',
  });
  assert.deepEqual(after({ format: 'epd' }), { format: 'epd', from: undefined, ...none, side: 'black' });
});

test('the name of a file is the one that the server proposes', () => {
  assert.equal(nameIn('attachment; filename="short-timman.pgn"'), 'short-timman.pgn');
  assert.equal(nameIn('attachment; filename="../x.pgn"'), 'adjourn.txt');
  assert.equal(nameIn(''), 'adjourn.txt');
});

test('of a file that is no text nothing is shown', async () => {
  const { files, e } = opened();
  files.asked[0]!.give(exported(['\u0001\u0002'], 'application/octet-stream'));
  await settled();
  await settled();
  assert.deepEqual(e.preview, { size: 2, text: '' });
});

test('my side is exported as the repertoire shows it: with its tick', () => {
  for (const [ownOnly, sent] of [
    [true, 'true'],
    [false, undefined],
  ] as const) {
    const { side, own_only } = opened({ side: 'white', ownOnly, margin: '30' }).last();
    assert.deepEqual([side, own_only], ['white', sent]);
  }
});
