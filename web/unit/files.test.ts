// Games that people brought: where their moves stand in the analysis, and what is sent of a change.
import assert from 'node:assert/strict';
import test from 'node:test';
import { startFen } from '../src/chess/chess';
import {
  glyphText,
  hasBefore,
  hasVariation,
  lineBelow,
  lineTo,
  nodeAt,
  pathTo,
  readGame,
} from '../src/chess/gameTree';
import { ApiError } from '../src/data/api';
import type { GameEdit, KeptGame, ListedFile } from '../src/data/types';
import { edit, openGame, sendDraft, setEditing, write } from '../src/pages/tree/files/filesCtrl';
import { factsOf, initialFiles, playersOf } from '../src/pages/tree/files/filesState';
import { byHand, fakeCtx, openTree, settled } from './fake';

const afterE4E5 = 'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2';

// 1. e4 e5 (1... c5 2. c3) 2. Nf3 (2. f4 exf4)
const kept = (version: number, more: Partial<KeptGame> = {}): KeptGame => ({
  file: 3,
  number: 1,
  version,
  undo: version > 1,
  tags: [],
  start_fen: startFen,
  result: '*',
  moves: [
    { parent: 0, uci: 'e2e4', san: 'e4' },
    { parent: 1, uci: 'e7e5', san: 'e5' },
    { parent: 1, uci: 'c7c5', san: 'c5' },
    { parent: 3, uci: 'c2c3', san: 'c3' },
    { parent: 2, uci: 'g1f3', san: 'Nf3' },
    { parent: 2, uci: 'f2f4', san: 'f4' },
    { parent: 6, uci: 'e5f4', san: 'exf4' },
  ],
  ...more,
});

test('files: a move has its line below the root of the analysis, and a path by which edits name it', () => {
  const game = readGame(kept(1), afterE4E5);
  assert.deepEqual(lineBelow(game, 7), ['f2f4', 'e5f4']);
  assert.deepEqual(lineBelow(game, 2), []);
  assert.equal(lineBelow(game, 1), null, 'before the root');
  assert.equal(lineBelow(game, 4), null, 'beside it');
  assert.deepEqual(lineTo(game, 4), ['e2e4', 'c7c5', 'c2c3']);
  assert.equal(game.places.get('f2f4,e5f4'), 7);
  assert.equal(pathTo(game, 7), '0.0.1.0');
  assert.equal(pathTo(game, 0), '');
  for (const at of game.nodes.keys()) assert.equal(nodeAt(game, pathTo(game, at)), at);
  assert.equal(nodeAt(game, '0.0.5'), 2, 'as far as it leads');
  assert.deepEqual(
    [2, 3, 6, 7].map(at => hasVariation(game, at)),
    [false, true, true, false],
  );
  const before = [...game.nodes.keys()].filter(at => hasBefore(game, at));
  assert.deepEqual(before, [3, 5, 6], 'behind a variation, and where one begins');
  const all = readGame(kept(1), startFen);
  assert.deepEqual(lineBelow(all, 4), ['e2e4', 'c7c5', 'c2c3']);
});

test('files: signs are as in print, and tags without a value are not told', () => {
  assert.equal(glyphText([1, 16]), '! ±');
  assert.equal(glyphText([200]), ' $200');
  assert.equal(glyphText([]), '');
  const tags = { White: 'Ann', Black: '?', Event: 'Club', Date: '2025.??.??', Result: '*' };
  assert.equal(playersOf(tags), 'Ann');
  assert.equal(factsOf(tags), 'Club, 2025');
  assert.equal(playersOf({}), 'Game');
});

async function opened(line: string[], api: object = {}) {
  const edits = byHand<KeptGame>();
  const ctx = fakeCtx({ game: () => Promise.resolve(kept(1)), editGame: edits, ...api });
  const tree = openTree(ctx, 1, line);
  tree.tab = 'files';
  const files = (tree.files = initialFiles());
  await openGame(ctx, tree, files, { id: 3, name: 'mine.pgn' } as ListedFile, 1);
  const { open } = files;
  assert.ok(open);
  setEditing({ ctx, tree, files, open }, true);
  const change = async (at: number, wish: Parameters<typeof edit>[2]): Promise<void> => {
    edit({ ctx, tree, files, open }, at, wish);
    await settled();
  };
  return { ctx, tree, files, open, edits, change, sent: (i: number) => edits.asked[i]!.args[2] as GameEdit };
}

test('files: changes go one after the other, each about the version before', async () => {
  const o = await opened(['e2e4']);
  assert.equal(o.open.at, 1, 'the move on the board is chosen');
  void o.change(1, { action: 'nag', nag: 1 });
  write(o.open, 1, 'comment', 'best by test');
  sendDraft(o);
  sendDraft(o);
  await settled();
  assert.equal(o.edits.asked.length, 1);
  assert.deepEqual(o.sent(0), { game: 1, version: 1, path: '0', action: 'nag', nag: 1 });
  o.edits.asked[0]!.give(kept(2, { path: '0' }));
  await settled();
  assert.deepEqual(o.sent(1), { game: 1, version: 2, path: '0', action: 'comment', text: 'best by test' });
  o.edits.asked[1]!.give(kept(3, { path: '0' }));
  await settled();
  assert.equal(o.edits.asked.length, 2, 'a text is sent once');
  assert.equal(o.open.game.kept.version, 3);
});

test('files: a move that is played becomes a variation, one that is there already does not', async () => {
  const o = await opened(['e2e4']);
  o.files.board!.play!('c7c5');
  await settled();
  assert.equal(o.edits.asked.length, 0);
  o.files.board!.play!('e7e6');
  await settled();
  assert.deepEqual(o.sent(0), { game: 1, version: 1, path: '0', action: 'move', move: 'e7e6' });
});

test('files: where somebody else has changed the game, it is shown as it is, and that is told', async () => {
  const games = [kept(1), kept(5)];
  const o = await opened([], { game: () => Promise.resolve(games.shift()) });
  await o.change(1, { action: 'nag', nag: 2 });
  o.edits.asked[0]!.fail(new ApiError(409, 'conflict', 'There is a later version.', ''));
  await settled();
  assert.equal(o.open.game.kept.version, 5);
  assert.match(o.ctx.state.toasts.at(-1)!.text, /^Not changed: somebody else/);
});

test('files: what stood on the board is deleted: the board goes to the move before', async () => {
  const o = await opened(['e2e4', 'c7c5']);
  await o.change(3, { action: 'delete' });
  const moves = kept(1).moves!.slice(0, 2);
  o.edits.asked[0]!.give(kept(2, { path: '0', moves }));
  await settled();
  assert.deepEqual(o.ctx.wentTo.at(-1), { page: 'tree', id: 1, line: ['e2e4'], tab: 'files' });
});
