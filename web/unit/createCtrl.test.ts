import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enter, searchOpenings, set } from '../src/pages/create/createCtrl';
import type { Analysis } from '../src/data/types';
import { analysis, byHand, fakeCtx, settled } from './fake';

const silent = { openapi: byHand(), engines: byHand() };

test('what is typed before the copied analysis comes stays', async () => {
  const asked = byHand<Analysis>();
  const ctx = fakeCtx({ ...silent, analysis: asked });
  enter(ctx, 20);
  set(ctx, ctx.state.create!, { name: 'Mine' });
  asked.asked[0]!.give(analysis(20, { limit: { nodes: 5000 }, moves: ['e2e4'] }));
  await settled();
  const { name, limitKind, limitValue, moves } = ctx.state.create!;
  assert.deepEqual([name, limitKind, limitValue, moves], ['Mine', 'nodes', '5000', ['e2e4']]);
});

test('a copy that was edited is there on return; a plain new analysis is no copy', async () => {
  const asked = byHand<Analysis>();
  const ctx = fakeCtx({ ...silent, analysis: asked });
  enter(ctx, 20);
  asked.asked[0]!.give(analysis(20));
  await settled();
  set(ctx, ctx.state.create!, { name: 'Edited' });
  enter(ctx, null);
  assert.equal(ctx.state.create!.name, '');
  set(ctx, ctx.state.create!, { distance: '33' });
  enter(ctx, 20);
  await settled();
  assert.equal(ctx.state.create!.name, 'Edited');
  assert.equal(asked.asked.length, 1);
  enter(ctx, null);
  assert.equal(ctx.state.create!.distance, '33');
});

test('a copy that comes when another form is shown leaves that one alone', async () => {
  const asked = byHand<Analysis>();
  const ctx = fakeCtx({ ...silent, analysis: asked });
  enter(ctx, 20);
  enter(ctx, null);
  asked.asked[0]!.give(analysis(20));
  await settled();
  assert.equal(ctx.state.create!.name, '');
  enter(ctx, 20);
  assert.equal(ctx.state.create!.name, 'A20 (copy)');
});

test('openings: only the newest search is shown', async () => {
  const openings = byHand<unknown[]>();
  const ctx = fakeCtx({ ...silent, openings });
  enter(ctx, null);
  searchOpenings(ctx, ctx.state.create!, 'naj');
  ctx.clock.turn(200);
  searchOpenings(ctx, ctx.state.create!, 'najd');
  ctx.clock.turn(200);
  openings.asked[1]!.give([{ eco: 'B90', name: 'Najdorf', pgn: '', uci: [] }]);
  openings.asked[0]!.give([]);
  await settled();
  assert.equal(ctx.state.create!.opening.results?.length, 1);
});
