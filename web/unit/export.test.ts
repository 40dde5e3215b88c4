import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endingIn } from '../src/data/api';
import type { Exported } from '../src/data/api';
import { limits } from '../src/data/described';
import { change, fieldProblems, openExport } from '../src/dialogs/export/exportCtrl';
import { byHand, fakeCtx, settled } from './fake';

const exported = (parts: string[], type = 'text/plain'): Exported => ({
  file: new Blob(parts, { type }),
  ending: 'pgn',
});

const subject = { id: 1, name: 'A', line: ['e2e4'], place: null, fen: null, orientation: 'white' as const };

test('the preview is of what was asked last, and waits for the typing', async () => {
  const files = byHand<Exported>();
  const ctx = fakeCtx({ export: files });
  openExport(ctx, subject);
  const e = ctx.state.export!;
  change(ctx, e, { margin: '1' });
  change(ctx, e, { margin: '12', format: 'epd' });
  assert.equal(files.asked.length, 1);
  ctx.clock.turn(250);
  assert.deepEqual((files.asked[1]!.args as [number, object])[1], {
    format: 'epd',
    moves: ['e2e4'],
    margin: 12,
    plies: 20,
  });
  files.asked[1]!.give(exported(['new']));
  files.asked[0]!.give(exported(['of before']));
  await settled();
  await settled();
  assert.deepEqual(e.preview, { size: 3, text: 'new', chapters: 0 });
  assert.equal(e.loading.busy, false);
});

test('of a file for a study it is told how many chapters it has', async () => {
  const files = byHand<Exported>();
  const ctx = fakeCtx({ export: files });
  openExport(ctx, subject);
  const e = ctx.state.export!;
  change(ctx, e, { study: true });
  ctx.clock.turn(250);
  const game = (n: number): string => `[Event "x"]\n[ChapterName "x ${n}"]\n\n1. e4 {[ChapterName "no"]} *\n`;
  files.asked[1]!.give(exported([game(1), '\n', game(2)]));
  for (let i = 0; i < 4 && !e.preview; i++) await settled();
  assert.equal(e.preview?.chapters, 2);
});

test('what the server would refuse is told at its field and not asked for', async () => {
  const files = byHand<Exported>();
  const ctx = fakeCtx({ export: files });
  openExport(ctx, subject);
  const e = ctx.state.export!;
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
  const files = byHand<Exported>();
  const ctx = fakeCtx({ export: files });
  openExport(ctx, subject);
  const e = ctx.state.export!;
  const last = (): Record<string, unknown> =>
    (files.asked.at(-1)!.args as [number, Record<string, unknown>])[1];
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
  assert.deepEqual(after({ format: 'epd' }), { format: 'epd', from: undefined, ...none, side: 'black' });
});

test('the ending of a file is that of the name that the server proposes', () => {
  assert.equal(endingIn('attachment; filename="adjourn-12.bin"'), 'bin');
  assert.equal(endingIn('attachment; filename="a.b.pgn"'), 'pgn');
  assert.equal(endingIn(''), 'txt');
});

test('of a file that is no text nothing is shown', async () => {
  const files = byHand<Exported>();
  const ctx = fakeCtx({ export: files });
  openExport(ctx, subject);
  files.asked[0]!.give(exported(['\u0001\u0002'], 'application/octet-stream'));
  await settled();
  await settled();
  assert.equal(ctx.state.export!.preview?.text, '');
  assert.equal(ctx.state.export!.preview?.size, 2);
});
