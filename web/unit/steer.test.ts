import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../src/data/api';
import type { Analysis, NodeMove, TreeNode } from '../src/data/types';
import { direct, editNote, openNote, saveNote, writeNote } from '../src/pages/tree/steer/steerCtrl';
import { goTo, here, putNode } from '../src/pages/tree/treeState';
import { analysis, byHand, fakeCtx, node, openTree, settled } from './fake';

const leaf: NodeMove = {
  uci: 'e2e4',
  san: 'e4',
  engine: null,
  idea: { cp: 20 },
  alpha: { cp: 20 },
  status: 'leaf',
  positions: 0,
  transposition: false,
  source: 'engine',
};

test('a directive shows at once, and is taken back where it fails', async () => {
  const asked = byHand<void>();
  const nodes = byHand<TreeNode>();
  const ctx = fakeCtx({ direct: asked, node: nodes });
  const tree = openTree(ctx, 1);
  putNode(tree, [], node(1, { moves: [leaf] }));
  void direct(ctx, 'exclude', ['e2e4'], 'e4');
  assert.equal(here(tree)?.moves[0]?.status, 'excluded');
  void direct(ctx, 'exclude', ['e2e4'], 'e4');
  assert.equal(asked.asked.length, 1, 'asked once');
  asked.asked[0]!.fail(new ApiError(409, 'conflict', 'It has no effect.', ''));
  await settled();
  assert.equal(here(tree)?.moves[0]?.status, 'leaf');
  assert.equal(leaf.status, 'leaf');
  assert.equal(ctx.state.toasts[0]?.text, 'It has no effect.');
});

test('a note is saved once, and takes nothing away that is written elsewhere meanwhile', async () => {
  const asked = byHand<void>();
  const ctx = fakeCtx({ direct: asked, node: byHand<TreeNode>() });
  const tree = openTree(ctx, 1);
  editNote(ctx, tree, { text: 'old', at: 5 });
  writeNote(tree, 'new');
  void saveNote(ctx);
  void saveNote(ctx);
  assert.equal(asked.asked.length, 1);
  goTo(tree, ['e2e4']);
  openNote(ctx);
  writeNote(tree, 'another thought');
  asked.asked[0]!.give();
  await settled();
  assert.equal(tree.note, 'another thought');
  assert.deepEqual(
    asked.asked.map(call => call.args[1]),
    [
      { moves: [], action: 'note', text: 'new' },
      { moves: [], action: 'retract', at: 5 },
    ],
  );
});

test('steering says what became of the levels, and has a way back', async () => {
  const asked = byHand<{ id: number; at: number }>();
  const learned = byHand<Analysis>();
  const ctx = fakeCtx({ direct: asked, analysis: learned, node: byHand<TreeNode>() });
  const tree = openTree(ctx, 1);
  ctx.state.store.analyses.put(analysis(1, { settled: 7 }), ctx.state.store.now());
  putNode(tree, [], node(1, { moves: [leaf] }));
  void direct(ctx, 'exclude', ['e2e4'], 'e4');
  asked.asked[0]!.give({ id: 3, at: 77 });
  await settled();
  learned.asked[0]!.give(analysis(1, { settled: 0 }));
  await settled();
  const [told] = ctx.state.toasts;
  assert.equal(told?.text, 'e4 is excluded. The levels begin again: 7 levels rested on e4.');
  told!.action!.run();
  assert.deepEqual(asked.asked[1]!.args, [1, { moves: [], action: 'retract', at: 77 }]);
  void direct(ctx, 'deepen', ['e2e4'], 'e4');
  asked.asked[2]!.give({ id: 4, at: 78 });
  await settled();
  learned.asked[1]!.give(analysis(1, { settled: 0 }));
  await settled();
  assert.equal(ctx.state.toasts.at(-1)?.text, 'e4 is searched deeper.');
  ctx.state.toasts.at(-1)!.action!.run();
  assert.deepEqual(asked.asked[3]!.args, [1, { moves: ['e2e4'], action: 'retract', at: 78 }]);
});
