import { File } from 'node:buffer'; // no global before Node 20
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatOf, initialImport, refusal, together, toOrder } from '../src/dialogs/import/importState';
import { decode, parts, type Part } from '../src/dialogs/import/importView';
import type { ImportFormat, ImportReport } from '../src/data/types';

async function split(text: string, format: ImportFormat, size: number): Promise<Part[]> {
  const all: Part[] = [];
  for await (const part of parts(new Blob([text]), format, size)) all.push(part);
  return all;
}

const lines = (text: string): number => text.split('\n').length - 1;

test('parts hold whole games or lines, and nothing is lost, however large they are', async () => {
  const game = (i: number): string => `[Event "${i}"]\r\n[Site "é"]\r\n\r\n1. e4 {a\n[b} e5 *\r\n\r\n`;
  const pgn = Array.from({ length: 9 }, (_, i) => game(i)).join('');
  for (const [text, format] of [
    [pgn, 'pgn'],
    ['a b c\n\nlonger than all of the others\nd\n', 'epd'],
    ['{"fen":1}\n{"fen":2}', 'jsonl'],
  ] as [string, ImportFormat][])
    for (let size = 1; size < text.length + 9; size++) {
      const all = await split(text, format, size);
      assert.equal(all.map(p => p.text).join(''), text, `${format} ${size}`);
      assert.equal(all.at(-1)!.bytes, Buffer.byteLength(text));
      let before = 0;
      for (const part of all) {
        assert.equal(part.linesBefore, before);
        before += lines(part.text);
        if (format === 'pgn') assert.match(part.text, /^\[Event "/);
        else if (part !== all.at(-1)) assert.match(part.text, /\n$/);
      }
      if (size < text.length / 3) assert.ok(all.length > 1);
    }
});

test('lines that are no UTF-8 are Windows-1252, each by itself', () => {
  const bytes = Buffer.concat([Buffer.from('é€\n'), Buffer.from([0x4d, 0xfc, 0xdf, 10]), Buffer.from('ü')]);
  assert.equal(decode(bytes), 'é€\nMüß\nü');
  assert.equal(decode(Buffer.from([0xfc])), 'ü');
});

test('the name tells the format, and what cannot be sent', () => {
  assert.equal(formatOf('a.b.PGN'), 'pgn');
  assert.equal(formatOf('x.fen'), 'epd');
  assert.equal(formatOf('lichess_db_eval.jsonl'), 'jsonl');
  assert.equal(formatOf('notes.txt'), null);
  assert.equal(formatOf('constructor'), null);
  assert.equal(refusal({ name: 'a.pgn', size: 1 }), null);
  assert.match(refusal({ name: 'a.pgn.zst', size: 1 })!, /adjourn import/);
  assert.match(refusal({ name: 'a.pgn', size: 0 })!, /empty/);
});

test('the call has what was asked for; without an analysis nothing about seeds', () => {
  const file = new File(['x'], `${'ü'.repeat(150)}.pgn`) as unknown as globalThis.File;
  const wanted = { ...initialImport(7), file, moves: 'main' as const, side: 'black' as const, plies: '12' };
  const read = toOrder(wanted);
  assert.ok('order' in read);
  const { name, ...order } = read.order;
  assert.ok(Buffer.byteLength(name) <= 200 && name.endsWith('ü.pgn'));
  assert.deepEqual(order, { format: 'pgn', moves: 'main', side: 'black', analysis: 7, plies: 12 });
  const bare = toOrder({ ...wanted, analysis: null, format: 'epd' });
  assert.ok('order' in bare);
  assert.deepEqual(Object.keys(bare.order).sort(), ['format', 'moves', 'name', 'side']);
  assert.deepEqual([bare.order.side, bare.order.moves], ['both', 'all']);
  const wrong = toOrder({ ...wanted, file: null, plies: '0' });
  assert.ok('errors' in wrong);
  assert.deepEqual(Object.keys(wrong.errors).sort(), ['file', 'plies']);
});

test('reports of parts add up, with the first hundred errors', () => {
  const one: ImportReport = {
    records: 2,
    moves: 30,
    seeds: { added: 3, known: 1 },
    evaluations: { added: 5, known: 0 },
    notes: { added: 0 },
    skipped: 1,
    broken: 70,
    errors: Array.from({ length: 70 }, (_, i) => ({ record: i, line: i, message: 'x' })),
  };
  assert.deepEqual(together(null, one), one);
  const both = together(one, one);
  assert.deepEqual(both.seeds, { added: 6, known: 2 });
  assert.deepEqual(
    [both.records, both.moves, both.skipped, both.broken, both.errors.length],
    [4, 60, 2, 140, 100],
  );
});
