import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enter, enterOpening, nextOpening, searchOpenings, set, typed } from '../src/pages/create/createCtrl';
import { toRequest } from '../src/pages/create/createState';
import { submit } from '../src/pages/create/makeCtrl';
import { looksLikeName } from '../src/pages/create/positionInput';
import { ApiError } from '../src/data/api';
import type { Analysis } from '../src/data/types';
import { analysis, byHand, fakeCtx, settled } from './fake';

globalThis.requestAnimationFrame ??= () => 0; // the first wrong field gets the focus then

// The form of a new analysis, on its page.
function opened(api: object = {}, copy: number | null = null) {
  const ctx = fakeCtx({ engines: byHand(), ...api });
  ctx.state.route = { page: 'new', copy };
  enter(ctx, copy);
  return { ctx, create: ctx.state.create! };
}

test('what is typed before the copied analysis comes stays, and is there on return; a plain one is no copy', async () => {
  const asked = byHand<Analysis>();
  const { ctx } = opened({ analysis: asked }, 20);
  set(ctx, ctx.state.create!, { name: 'Mine' });
  asked.asked[0]!.give(analysis(20, { limit: { nodes: 5000 }, moves: ['e2e4'] }));
  await settled();
  const { name, limitKind, limitValue, moves } = ctx.state.create!;
  assert.deepEqual([name, limitKind, limitValue, moves], ['Mine', 'nodes', '5000', ['e2e4']]);
  enter(ctx, null);
  assert.equal(ctx.state.create!.name, '');
  set(ctx, ctx.state.create!, { distance: '33' });
  enter(ctx, 20);
  await settled();
  assert.equal(ctx.state.create!.name, 'Mine');
  assert.equal(asked.asked.length, 1);
  enter(ctx, null);
  assert.equal(ctx.state.create!.distance, '33');
});

test('a copy that comes when another form is shown leaves that one alone', async () => {
  const asked = byHand<Analysis>();
  const { ctx } = opened({ analysis: asked }, 20);
  enter(ctx, null);
  asked.asked[0]!.give(analysis(20));
  await settled();
  assert.equal(ctx.state.create!.name, '');
  enter(ctx, 20);
  assert.equal(ctx.state.create!.name, 'A20 (copy)');
});

const najdorf = { eco: 'B90', name: 'Najdorf', pgn: '1. e4', uci: ['e2e4'] };

test('openings: Enter before the list is there takes its first when it comes, and begins nothing else', async () => {
  const openings = byHand<unknown[]>();
  const { ctx, create } = opened({ openings });
  searchOpenings(ctx, create, 'naj');
  assert.ok(enterOpening(ctx, create));
  ctx.clock.turn(200);
  assert.ok(enterOpening(ctx, create));
  assert.deepEqual(create.moves, []);
  openings.asked[0]!.give([najdorf]);
  await settled();
  assert.deepEqual(create.moves, ['e2e4']);
  assert.ok(!enterOpening(ctx, create)); // from here on it is the form's
});

test('openings: Enter takes nothing of an older list, and nothing where there is no such name', async () => {
  const openings = byHand<unknown[]>();
  const readPosition = byHand<unknown>();
  const { ctx, create } = opened({ openings, readPosition });
  typed(ctx, create, 'naj');
  ctx.clock.turn(200);
  openings.asked[0]!.give([{ ...najdorf, uci: [] }]);
  await settled();
  typed(ctx, create, 'caro');
  assert.ok(enterOpening(ctx, create));
  assert.deepEqual(create.moves, []);
  ctx.clock.turn(200);
  openings.asked[1]!.give([]);
  await settled();
  readPosition.asked[0]!.fail(new ApiError(400, 'bad_value', 'no such thing', 'text'));
  await settled();
  assert.ok(enterOpening(ctx, create)); // nothing is begun
  assert.match(create.inputProblem!, /No opening of that name/);
  const made = toRequest(create);
  assert.ok('errors' in made && made.errors['position']);
});

test('openings: the board shows what the list stands at; nothing begins while a name is looked for', async () => {
  const openings = byHand<unknown[]>();
  const { ctx, create } = opened({ openings });
  typed(ctx, create, 'naj');
  await submit(ctx, create);
  assert.match(create.errors['position']!, /still being looked for/);
  ctx.clock.turn(200);
  openings.asked[0]!.give([najdorf, { eco: 'A40', name: 'Other', pgn: '1. d4', uci: ['d2d4'] }]);
  await settled();
  assert.deepEqual(create.moves, ['e2e4']);
  nextOpening(ctx, create, 1);
  assert.deepEqual(create.moves, ['d2d4']);
  assert.ok(enterOpening(ctx, create));
  assert.equal(create.input, 'Other');
});

test('names are told from moves', () => {
  for (const name of ['Najdorf', 'C65', 'a45', 'queen’s gambit', 'Königsindisch', 'bird', 'Evans'])
    assert.ok(looksLikeName(name), name);
  const moves =
    'e4 e5|1. e4|Nf3|Sf3|Cf3|♘f3|O-O|0-0|exd5|position startpos|8/8/8/8/8/8/8/8 w - -|Nbd2|e2e4|[Event "x"]';
  for (const text of [...moves.split('|'), '"8/8/8/8/8/8/8/8 w - -"']) assert.ok(!looksLikeName(text), text);
});

test('who presses twice begins one analysis, and can try again; who has left stays where they are', async () => {
  const made = byHand<number>();
  const { ctx, create } = opened({ create: made });
  void submit(ctx, create);
  made.asked[0]!.fail(new ApiError(0, 'unreachable', 'The server does not answer.', ''));
  await settled();
  assert.equal(create.errors[''], 'The server does not answer.');
  void submit(ctx, create);
  void submit(ctx, create);
  assert.deepEqual(create.errors, {});
  assert.equal(made.asked.length, 2);
  made.asked[1]!.give(7);
  await settled();
  assert.equal(create.busy, false);
  assert.deepEqual(ctx.wentTo, [{ page: 'tree', id: 7, line: [], tab: 'moves' }]);
  void submit(ctx, create);
  ctx.state.route = { page: 'queue' };
  made.asked[2]!.give(8);
  await settled();
  assert.equal(ctx.wentTo.length, 1);
});

test('of moves the legal part is the position: Enter begins nothing, the button does', async () => {
  const readPosition = byHand<unknown>();
  const made = byHand<number>();
  const { ctx, create } = opened({ readPosition, create: made });
  typed(ctx, create, '1. e4 e5 2. Nf3 Nc6 3. Bb6');
  ctx.clock.turn(200);
  readPosition.asked[0]!.fail(new ApiError(400, 'bad_value', 'text: move 3. …', 'text'));
  await settled();
  assert.match(create.inputProblem!, /Move 3, “Bb6”, is not legal\. The moves before it are taken/);
  assert.deepEqual(create.moves, ['e2e4', 'e7e5', 'g1f3', 'b8c6']);
  assert.ok(enterOpening(ctx, create)); // nothing is begun
  void submit(ctx, create);
  assert.deepEqual((made.asked[0]!.args[0] as { position: unknown }).position, { moves: create.moves });
  typed(ctx, create, 'https://lichess.org/Kf3xTq1A');
  assert.ok('errors' in toRequest(create));
  typed(ctx, create, '1. e4');
  assert.equal(create.inputProblem, null);
});

test('what the page cannot read is asked of the server; a late answer is of no text that is gone', async () => {
  const readPosition = byHand<unknown>();
  const { ctx, create } = opened({ readPosition });
  typed(ctx, create, '1. e4 e5 2. Nf3');
  ctx.clock.turn(200);
  assert.equal(readPosition.asked.length, 0); // read here
  typed(ctx, create, '1. e4 e5 2. Sf3');
  assert.match(create.inputProblem!, /Move 2, “Sf3”/);
  ctx.clock.turn(200);
  const moves = [{ uci: 'e2e4' }, { uci: 'e7e5' }, { uci: 'g1f3' }];
  readPosition.asked[0]!.give({ start_fen: create.fen, moves });
  await settled();
  assert.equal(create.inputProblem, null);
  assert.deepEqual(create.moves, ['e2e4', 'e7e5', 'g1f3']);
  typed(ctx, create, '1. e4 e5 2. Sc3');
  ctx.clock.turn(200);
  typed(ctx, create, '1. d4');
  readPosition.asked[1]!.give({ start_fen: create.fen, moves });
  await settled();
  assert.deepEqual(create.moves, ['d2d4']);
});

const chapters =
  '[White "A"]\n[Black "B"]\n\n1. e4 e5 *\n\n[Event "Mate"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n' +
  '[ChapterName "Pawns"]\n[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n1. Kd2 *\n';
type Wanted = { name: string; position: { fen?: string; moves?: string[] } };

test('a file of games becomes an analysis for each, which has its game; what is over is left out', async () => {
  const wanted: Wanted[] = [];
  const files: { id: number; pgn: string }[] = [];
  const create = (body: Wanted): Promise<number> => Promise.resolve(wanted.push(body));
  const addFile = (id: number, { pgn }: { pgn: string }): Promise<unknown> => {
    files.push({ id, pgn });
    return Promise.resolve({ games: 1, seeds: 2, told: [] });
  };
  const { ctx, create: draft } = opened({ create, addFile });
  typed(ctx, draft, chapters);
  set(ctx, draft, { each: true });
  await submit(ctx, draft);
  assert.deepEqual(
    wanted.map(({ name, position }) => [name, position.moves]),
    [
      ['A – B', ['e2e4', 'e7e5']],
      ['Pawns', ['e1d2']],
    ],
  );
  assert.deepEqual(
    files.map(({ id, pgn }) => [id, /1\. \S+/.exec(pgn)?.[0]]),
    [
      [1, '1. e4'],
      [2, '1. Kd2'],
    ],
  );
  assert.match(ctx.state.toasts.at(-1)!.text, /2 analyses are made\. .*left out: Mate\./);
  assert.deepEqual(ctx.wentTo.at(-1), { page: 'queue' });
});

test('from the start of each; where one cannot be made, the next try goes on with it', async () => {
  const wanted: Wanted[] = [];
  const create = (body: Wanted): Promise<number> => {
    if (wanted.push(body) === 2) return Promise.reject(new ApiError(503, 'unavailable', 'not now', ''));
    return Promise.resolve(wanted.length);
  };
  const { ctx, create: draft } = opened({ create, addFile: () => Promise.resolve({}) });
  typed(ctx, draft, chapters);
  set(ctx, draft, { each: true, rootAt: 'start', name: 'Book' });
  await submit(ctx, draft);
  assert.equal(draft.errors[''], 'Mate: not now');
  assert.equal(draft.made, 1);
  await submit(ctx, draft);
  assert.deepEqual(
    wanted.map(({ name, position }) => [name, position.moves, position.fen?.slice(0, 3)]),
    [
      ['Book: A – B', undefined, undefined],
      ['Book: Mate', undefined, undefined],
      ['Book: Mate', undefined, undefined],
      ['Book: Pawns', undefined, '4k3'.slice(0, 3)],
    ],
  );
});

test('one analysis of a file keeps the whole file; of what was typed otherwise there is none', async () => {
  const files: unknown[] = [];
  const addFile = (id: number, file: unknown): Promise<unknown> => {
    files.push([id, file]);
    return Promise.reject(new ApiError(503, 'unavailable', 'the store is away', ''));
  };
  const { ctx, create: draft } = opened({ create: () => Promise.resolve(7), addFile });
  typed(ctx, draft, chapters);
  await submit(ctx, draft);
  assert.deepEqual(files, [[7, { name: 'games.pgn', pgn: chapters }]]);
  assert.match(ctx.state.toasts.at(-1)!.text, /is made, but its games are not kept: the store is away/);
  enter(ctx, null);
  const other = ctx.state.create!;
  typed(ctx, other, chapters);
  typed(ctx, other, '1. e4 e5');
  await submit(ctx, other);
  assert.equal(files.length, 1);
});
