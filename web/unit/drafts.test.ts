import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TreeNode } from '../src/data/types';
import { enter } from '../src/pages/tree/treeCtrl';
import {
  closeNote,
  dropDraft,
  editNote,
  openNote,
  saveNote,
  writeNote,
} from '../src/pages/tree/steer/steerCtrl';
import { analysis, byHand, fakeCtx, openTree, remember, settled, type Fake } from './fake';

const go = (ctx: Fake, line: string[]): void => enter(ctx, { page: 'tree', id: 1, line, tab: 'moves' });

const pageWith = (direct = byHand<void>()): Fake =>
  fakeCtx({
    direct,
    node: byHand<TreeNode>(),
    analysis: () => Promise.resolve(analysis(1)),
    engines: () => Promise.resolve([]),
    changes: byHand<unknown>(),
  });

test('a note that is being written outlives the page, and is offered at its position only', async () => {
  remember();
  const before = pageWith();
  openTree(before, 1, ['e2e4']);
  openNote(before);
  writeNote(before.state.tree!, 'better than it looks');
  const after = pageWith(); // another page: the first one is gone
  go(after, []);
  await settled();
  const tree = after.state.tree!;
  assert.equal(tree.draft, null);
  go(after, ['e2e4']);
  assert.equal((tree.draft as { text: string } | null)?.text, 'better than it looks');
  assert.equal(tree.note, null, 'offered, not begun');
  openNote(after);
  assert.equal(tree.note, 'better than it looks');
});

test('who walks on while writing finds it again', () => {
  remember();
  const ctx = pageWith();
  const tree = openTree(ctx, 1);
  editNote(ctx, tree, { text: 'old', at: 5 });
  writeNote(tree, 'new');
  go(ctx, ['e2e4']);
  assert.equal(tree.note, null);
  go(ctx, []);
  openNote(ctx);
  assert.deepEqual([tree.note, tree.replacing], ['new', 5]);
});

test('what is saved, cancelled or discarded is no draft any more', async () => {
  remember();
  const direct = byHand<void>();
  const ctx = pageWith(direct);
  const tree = openTree(ctx, 1);
  const offered = (): string | null => {
    go(ctx, ['e2e4']);
    go(ctx, []);
    return tree.draft?.text ?? null;
  };
  const write = (text: string): void => {
    openNote(ctx);
    writeNote(tree, text);
  };
  write('one');
  void saveNote(ctx);
  direct.asked[0]!.give();
  await settled();
  assert.equal(offered(), null);
  write('two');
  closeNote(ctx, tree);
  assert.equal(offered(), null);
  write('three');
  assert.equal(offered(), 'three');
  dropDraft(ctx, tree);
  assert.equal(offered(), null);
  write('four');
  writeNote(tree, '  ');
  assert.equal(offered(), null);
});
