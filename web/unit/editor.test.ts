import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startFen } from '../src/chess/chess';
import { chess960, editorOf, emptyBoard, fenOf, isPossible } from '../src/pages/create/editor';
import { put, readNumber960 } from '../src/pages/create/editor';
import { meaningOf } from '../src/ui/board/moveEntry';

test('Chess960 by number: known positions, and all 960 differ and are legal', () => {
  assert.equal(chess960(518), startFen);
  assert.equal(chess960(0).split('/')[0], 'bbqnnrkr');
  assert.equal(chess960(959).split('/')[0], 'rkrnnqbb');
  const ranks = new Set<string>();
  for (let n = 0; n < 960; n++) {
    const rank = chess960(n).split('/')[0]!;
    ranks.add(rank);
    assert.equal([...rank].sort().join(''), 'bbknnqrr');
    assert.ok(rank.indexOf('r') < rank.indexOf('k') && rank.indexOf('k') < rank.lastIndexOf('r'), rank);
    assert.equal(rank.indexOf('b') % 2 === rank.lastIndexOf('b') % 2, false, rank);
  }
  assert.equal(ranks.size, 960);
  assert.deepEqual(['0', '959', '960', '-1', 'x', ''].map(readNumber960), [0, 959, null, null, null, null]);
});

test('a position is set up piece by piece, and told what it lacks', () => {
  let editor = { ...editorOf(startFen), board: emptyBoard };
  const message = (): string => {
    const read = fenOf(editor);
    return read.ok ? '' : read.message;
  };
  assert.equal(message(), 'White has no king.');
  editor = put(editor, 'e1', 'K');
  assert.equal(message(), 'Black has no king.');
  editor = put(editor, 'e8', 'k');
  assert.equal(message(), '');
  editor = put(editor, 'a8', 'P');
  assert.match(message(), /pawn stands on the first or last rank/);
  editor = put(put(editor, 'a8', null), 'e2', 'R');
  assert.match(message(), /not to move is in check/);
  editor = put({ ...editor, turn: 'black' }, 'h1', 'R');
  assert.ok(isPossible(editor.board, 'K'));
  assert.ok(!isPossible(editor.board, 'Q'));
  const read = fenOf(editor);
  assert.equal(read.ok && read.value, '4k3/8/8/8/8/8/4R3/4K2R b K - 0 1');
  assert.equal(fenOf({ ...editor, board: put(editor, 'd1', 'K').board }).ok, false);
});

test('a position that is known is edited with its rights, Chess960 too', () => {
  assert.deepEqual(editorOf(startFen).castling, ['K', 'Q', 'k', 'q']);
  const fen = chess960(0);
  const read = fenOf(editorOf(fen));
  assert.ok(read.ok);
  assert.equal(read.value.split(' ')[2]!.length, 4);
  assert.equal(fenOf({ ...editorOf(read.value), castling: ['K'] }).ok, true);
  assert.deepEqual(editorOf(read.value).castling, ['K', 'Q', 'k', 'q']);
});

test('a typed move: what Enter plays, and what it may become', () => {
  assert.deepEqual(meaningOf(startFen, [], 'Nf3'), { uci: 'g1f3', san: 'Nf3', like: [] });
  assert.equal(meaningOf(startFen, [], 'nf3').uci, 'g1f3');
  assert.equal(meaningOf(startFen, [], 'e4').san, 'e4');
  assert.deepEqual(meaningOf(startFen, [], 'N').like, ['Na3', 'Nc3', 'Nf3', 'Nh3']);
  assert.deepEqual(meaningOf(startFen, [], 'Ne5'), { uci: null, san: null, like: [] });
  const open = ['e2e4', 'e7e5', 'g1f3', 'b8c6', 'f1c4', 'g8f6'];
  assert.equal(meaningOf(startFen, open, 'O-O').uci, 'e1g1');
  assert.equal(meaningOf(startFen, open, '0-0').uci, 'e1g1');
});
