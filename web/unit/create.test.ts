import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Store } from '../src/data/store';
import { startFen } from '../src/chess/chess';
import {
  initialCreate,
  play,
  rootMoves,
  setPosition,
  step,
  toRequest,
  type CreateState,
} from '../src/pages/create/createState';
import { choices, limits } from '../src/data/described';
import { fieldOf } from '../src/setup/setupState';
import { planText, readPlan } from '../src/setup/rules';
import type { NewAnalysis } from '../src/data/types';
import { games as cutGames } from '../src/chess/games';
import { readInput, readPgn } from '../src/pages/create/positionInput';
import { estimate, summary, windows } from '../src/pages/create/summary';

const said = (change: Partial<CreateState> = {}): string =>
  summary({ ...initialCreate(), ...change }, new Store(), 0).join(' ');

// What is asked for, or at which fields something is wrong.
const bodyOf = (create: CreateState): NewAnalysis => {
  const request = toRequest(create);
  assert.ok('body' in request);
  return request.body;
};
const wrongIn = (create: CreateState): string[] => {
  const request = toRequest(create);
  assert.ok('errors' in request);
  return Object.keys(request.errors).sort();
};

test('moves are read as SAN, UCI, with numbers, comments and variations', () => {
  const line = ['e2e4', 'c7c5', 'g1f3'];
  for (const text of [
    '1. e4 c5 2. Nf3',
    '1.e4 c5 2.Nf3 *',
    'e2e4 c7c5 g1f3',
    'e2e4,c7c5,g1f3',
    '1. e4 {best by test} c5 (1... e5 2. Nf3 (2. f4)) 2. Nf3! $1',
    '[Event "x"]\n[White "A"]\n\n1. e4 c5 2. Nf3 1/2-1/2',
  ]) {
    const { kind, fen, moves } = readInput(text) as Record<string, unknown>;
    assert.deepEqual({ kind, fen, moves }, { kind: 'position', fen: startFen, moves: line }, text);
  }
});

test('a wrong move is named, and what is legal before it is taken', () => {
  const read = readInput('1. e4 e5 2. Ke3 Nc6');
  assert.ok(read.kind === 'position');
  assert.deepEqual(read.moves, ['e2e4', 'e7e5']);
  assert.equal(read.note, 'Move 2, “Ke3”, is not legal. The moves before it are taken.');
  const none = readInput('1. Ke3');
  assert.ok(none.kind === 'wrong' && /Move 1, “Ke3”, is not legal here/.test(none.message));
  const game = readPgn('[White "A"]\n\n1. d4 d5 2. Ke3 *');
  assert.ok(game.kind === 'position' && game.moves.length === 2 && /Move 2, “Ke3”/.test(game.note ?? ''));
  const address = readInput('https://lichess.org/Kf3xTq1A');
  assert.ok(address.kind === 'wrong' && /This address holds no position/.test(address.message));
});

test('a FEN is read, with or without clocks and moves behind it', () => {
  const board = '8/5pk1/4p1p1/3pP2p/1p1P1P1P/1P2K1P1/8/8';
  const read = { kind: 'position', fen: `${board} w - - 0 41`, moves: [] };
  assert.deepEqual(readInput(`${board} w - - 0 41`), read);
  assert.equal((readInput(`${board} w - -`) as { fen: string }).fen, `${board} w - - 0 1`);
  assert.deepEqual((readInput(`${board} w - - 0 41 Ke2 f6`) as { moves: string[] }).moves, ['e3e2', 'f7f6']);
  const wrong = readInput('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQQBNR w - - 0 1');
  assert.ok(wrong.kind === 'wrong' && /king/.test(wrong.message));
});

test('several games are offered; a broken one is left out', () => {
  const pgn =
    '[White "A"]\n[Black "B"]\n\n1. d4 *\n\n[White "C"]\n[Black "D"]\n\n1. e5 *\n\n[White "E"]\n[Black "F"]\n\n1. c4 e5 *\n';
  const read = readInput(pgn);
  assert.ok(read.kind === 'games');
  assert.deepEqual(
    read.games.map(g => g.label),
    ['A – B (1 ply)', 'E – F (2 plies)'],
  );
  const cut = readInput(pgn.replace('1. c4 e5', '1. c4 c4'));
  assert.ok(cut.kind === 'games' && !cut.games[0]!.note && /“c4”/.test(cut.games[1]!.note ?? ''));
});

test('what has no moves is no game, unless it sets up a position', () => {
  const nothing = readPgn('\u0000 no game at all');
  assert.ok(nothing.kind === 'wrong' && /no moves/.test(nothing.message));
  assert.equal(readPgn('').kind, 'wrong');
  const game = readPgn(
    '[White "Short"]\n[Black "Timman"]\n[Event "?"]\n[Date "1991.??.??"]\n\n' +
      '1. e4 {[%clk 1:59:10]} Nf6 {[%clk 1:58:00]} 2. e5 {[%clk 1:50:00]} *',
  );
  assert.deepEqual('game' in game && game.game, {
    white: 'Short',
    black: 'Timman',
    date: '1991',
    clock: '1:50:00 – 1:58:00',
  });
  const set = readPgn('[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n*');
  assert.ok(set.kind === 'position' && set.fen.startsWith('4k3'));
  assert.equal(readInput('[Variant "Atomic"]\n\n1. e4 *').kind, 'wrong');
});

test('playing on the board cuts what came after', () => {
  const create = initialCreate();
  setPosition(create, startFen, ['e2e4', 'e7e5', 'g1f3']);
  step(create, 1);
  play(create, 'e7e5'); // the same move: the rest stays
  assert.deepEqual(create.moves, ['e2e4', 'e7e5', 'g1f3']);
  step(create, 1);
  play(create, 'c7c5');
  assert.deepEqual(create.moves, ['e2e4', 'c7c5']);
  assert.deepEqual(rootMoves(create), ['e2e4', 'c7c5']);
});

test('the request has only what was asked for', () => {
  const create = initialCreate();
  setPosition(create, startFen, ['e2e4']);
  const strategy = { kind: 'anchored', move_distance: 20, refine: 6, floor: 5 };
  assert.deepEqual(bodyOf(create), { position: { moves: ['e2e4'] }, limit: { depth: 12 }, strategy });
  Object.assign(create, { name: ' Mine ', totalNodes: '1000000000', engineMinutes: '90', refine: '' });
  Object.assign(create, { windowOn: true, hold: true, priority: '2' });
  const { budget, window, name, strategy: asked, hold } = bodyOf(create);
  assert.deepEqual(budget, { nodes: 1_000_000_000, engine_seconds: 5400 });
  assert.deepEqual([window, name, asked?.refine, hold], ['22:00-07:00', 'Mine', 0, true]);
  // A copy keeps what the page does not show of a strategy.
  const strategyMore = { kind: 'halving' as const, move_distance: 7, refine: 1, floor: 0, per_cp: 0.25 };
  assert.deepEqual(bodyOf({ ...initialCreate(), strategyMore }).strategy, { ...strategy, per_cp: 0.25 });
});

test('plans and stop rules are asked for where they are wanted', () => {
  const create = { ...initialCreate(), planMode: 'plies' as const, plan: '40 40, 20', stopLead: '2.5' };
  const plan = [{ window: 40 }, { window: 40 }, { window: 20 }];
  assert.deepEqual(bodyOf(create).strategy?.plan, plan);
  assert.deepEqual(bodyOf(create).stop, { lead: 2.5 });
  assert.match(said(create), /within 40 cp, then 20 cp of the best, to ply 6/);
  assert.match(said(create), /leads by 2.5 σ on 2 levels in a row/);
  create.strategy = 'dropout'; // has no windows
  assert.equal(bodyOf(create).strategy?.plan, undefined);
  Object.assign(create, { stopLead: '101', stopLevels: '0', strategy: 'uniform', plan: '3:20' });
  assert.deepEqual(wrongIn(create), ['stop.lead', 'stop.levels', 'strategy.plan']);
});

test('a plan is read and written as the command line has it', () => {
  const plan = readPlan('40,40; 20 , 10');
  assert.ok(typeof plan !== 'string');
  assert.equal(planText(plan), '40, 40, 20, 10');
  for (const wrong of ['', '40, x', '10001', '40, 40, 3:20', '40, -3'])
    assert.equal(typeof readPlan(wrong), 'string', wrong);
  assert.equal(typeof readPlan(Array(101).fill('5').join()), 'string');
});

test('errors stand at their fields', () => {
  const wrong = { limitValue: '-3', distance: 'x', positions: '1.5', windowOn: true, windowTo: '22:00' };
  const fields = ['budget.positions', 'limit', 'strategy.move_distance', 'window'];
  assert.deepEqual(wrongIn({ ...initialCreate(), ...wrong }), fields);
  for (const [where, field] of [
    ['position.moves[3]', 'position'],
    ['limit.depth', 'limit'],
    ['strategy.floor', 'strategy.floor'],
    ['strategy.plan[2].window', 'strategy.plan'],
    ['elsewhere', ''],
  ] as const)
    assert.equal(fieldOf(where), field);
});

test('the summary says it in words', () => {
  const text = said({ positions: '2000', windowOn: true });
  assert.match(
    text,
    /within 20 cp, then 10 cp, then 5 cp of the best, to ply 6: usually 20 to 300 positions\./,
  );
  assert.match(text, /At most 2.000 positions, only 22:00–07:00 by the server’s clock\./);
  // The limit is one of seconds, the field one of minutes.
  assert.match(said({ engineMinutes: '90' }), /At most 1 h 30 of engine time\./);
  const tooLong = String(limits['budget.engine_seconds'][1] / 60 + 1);
  assert.doesNotMatch(said({ engineMinutes: tooLong }), /engine time/);
});

test('the summary of anchored tells of its long search, that of halving does not', () => {
  assert.match(
    said(),
    /^One long search, a tree, and a search of the best moves together\. Follow moves within 20 cp, then 10/,
  );
  assert.match(
    said({ planMode: 'plies', plan: '40, 10' }),
    /^One long search.* Follow moves within 40 cp, then/,
  );
  assert.match(
    said(),
    /Most searches go to depth 12, those of the first moves deeper with each level, the long one depth 17 and more\./,
  );
  assert.match(
    said({ limitKind: 'nodes', limitValue: '5000' }),
    /look at 5.000 nodes, .*at more .*, the long one 40\.0k nodes and more\./,
  );
  assert.match(
    said({ limitKind: 'movetime_ms', limitValue: '2000' }),
    /take 2000 ms, .*longer .*, the long one 16 s and more\./,
  );
  const halving = { strategy: 'halving' } as const;
  assert.match(said(halving), /^Follow moves .* Each search goes to depth 12\./);
  const until = '2026-11-25T07:00';
  assert.match(said({ until }), /Until 2026-11-25 07:00\. The last long search is made to end by then\./);
  for (const change of [{ engineMinutes: '90' }, { windowOn: true }])
    assert.match(said(change), /to end by then\./);
  for (const change of [{ ...halving, until }, { totalNodes: '5000' }])
    assert.doesNotMatch(said(change), /to end by then/);
});

test('what the form refuses is not reckoned with', () => {
  for (const refine of ['1e99', '1e9', '99999999999999999999', '-1', 'abc', '201']) {
    assert.doesNotMatch(said({ refine }), /to ply/);
  }
  assert.match(said({ positions: 'abc', totalNodes: '-5', engineMinutes: '1e99' }), /No limit on positions/);
});

test('every strategy says what it does, an unheard-of one too', () => {
  for (const strategy of [...choices.strategies, 'newer' as 'uniform']) {
    if (strategy === 'halving' || strategy === 'anchored') continue; // have words of their own
    const [follow] = summary({ ...initialCreate(), strategy }, new Store(), 0);
    const plies = ['uniform', 'conspiracy', 'newer'].includes(strategy);
    assert.match(follow!, plies ? /to ply 6/ : /level 6/);
    if (strategy === 'prove') assert.match(follow!, /all answers to it/);
    else assert.match(follow!, /within 20 cp of the best/);
  }
});

test('the estimate grows with the window and the ply, and holds for trees that were measured', () => {
  // [plies, positions] at distance 20, floor 5: Ruy Lopez, Najdorf, a pawn ending
  for (const [plies, ...measured] of [
    [6, 16, 385, 100],
    [8, 82, 650, 189],
    [12, 109, 940],
  ] as number[][]) {
    const [from, to] = estimate(20, 5, plies!);
    for (const n of measured) assert.ok(n >= from * 0.7 && n <= to * 1.5, `${n} in ${from}–${to}`);
  }
  assert.ok(estimate(30, 5, 6)[1] > estimate(20, 5, 6)[1]);
  assert.deepEqual(estimate(0, 0, 1), [1, 4]);
  assert.deepEqual(windows(20, 5, 6), [20, 20, 10, 5, 5, 5]);
  assert.deepEqual(windows(3, 5, 2), [3, 3]);
});

test('each game of a PGN has its own text and a name', () => {
  const games = [
    '[Event "x"]\n\n1. e4 {with a line\n[that looks like a tag]} e5 ; and {this\n\n*\n',
    '[White "A"]\n[Black "B"]\n[ChapterName "The Exchange"]\n\n1. d4 *\n',
    '[White "A"]\n\n*',
  ];
  assert.deepEqual(
    cutGames(games.join('\n')).map(g => g.text),
    games,
  );
  assert.deepEqual(cutGames(' \n\n'), []);
  const read = readPgn(games.slice(0, 2).join('\n'));
  assert.ok(read.kind === 'games');
  assert.deepEqual(
    read.games.map(g => [g.title, g.pgn.trim()]),
    [
      ['x', games[0]!.trim()],
      ['The Exchange', games[1]!.trim()],
    ],
  );
});
