// Exported files read by chessops, which shares no code with us: node --test exports.test.mjs, after
// a release build; ADJOURN_BUILD names another build directory. The program analyses on the deterministic engine.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Chess } from 'chessops/chess';
import { makeFen, parseFen } from 'chessops/fen';
import { parseComment, parsePgn, startingPosition } from 'chessops/pgn';
import { makeSan, parseSan } from 'chessops/san';
import { parseUci } from 'chessops/util';

// run.mjs takes the browser tests of every *.test.mjs; here are none.
export const tests = {};

const own = fileURLToPath(import.meta.url);
const root = path.resolve(path.dirname(own), '../..');
const build = path.resolve(root, process.env.ADJOURN_BUILD ?? 'build/release');
const program = path.join(build, 'adjourn');
const engine = path.join(build, 'hash_engine');

const positions = {
  'a line': '1. e4 e5 2. Nf3 Nc6 3. Bb5',
  'a shuffle': '8/8/4k3/8/8/3QK3/8/8 w - - 30 90',
  Chess960: 'bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9',
  'Chess960, from its start': 'nrbqkbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBQKBRN w GBgb - 0 1',
};

const adjourn = (...args) =>
  execFileSync(program, args, { maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] });

// With a directory of its own and the options for a store there.
const within = work => {
  const directory = mkdtempSync(path.join(tmpdir(), 'adjourn-exports-'));
  const config = path.join(directory, 'adjourn.toml');
  const own = `name = "hash"\ncommand = ["${engine}"]\ncount = 2\noptions = { AnswerMs = 1 }\n`;
  writeFileSync(config, `[[engine]]\n${own}`);
  try {
    return work(directory, ['--data', path.join(directory, 'data'), '--config', config]);
  } finally {
    rmSync(directory, { recursive: true });
  }
};

// The analysis of a position and its four exports.
const exported = position =>
  within((directory, common) => {
    const result = JSON.parse(
      adjourn('analyse', position, ...common, '--refine', '3', '--distance', '40', '--json'),
    );
    const file = path.join(directory, 'out');
    const of = format => {
      const wanted = ['--margin', '60', '--from', 'root', '--format', format];
      adjourn('export', String(result.id), ...common, ...wanted, '-o', file);
      return readFileSync(file);
    };
    return {
      pgn: of('pgn').toString(),
      json: JSON.parse(of('json')),
      epd: of('epd').toString(),
      book: of('polyglot'),
    };
  });

// White's score of a move as [%eval] has it, which counts mates from the position after the move: the side that
// mates has made one of its moves. undefined: it has mated.
const evalOf = (score, turn) => {
  if (!('mate' in score)) return { pawns: score.cp / 100 };
  const winner = score.mate > 0 ? 'white' : 'black';
  const left = Math.abs(score.mate) - (winner === turn ? 1 : 0);
  return left ? { mate: Math.sign(score.mate) * left } : undefined;
};

// Goes through the game and the JSON tree side by side; returns the number of moves.
const compare = (node, moves, position) => {
  assert.equal(node.children.length, moves.length);
  let count = 0;
  moves.forEach((move, i) => {
    const child = node.children[i];
    const played = parseSan(position, child.data.san);
    assert.ok(played, `${child.data.san} in ${makeFen(position.toSetup())}`);
    assert.equal(makeSan(position, played), child.data.san);
    assert.equal(child.data.san, move.san);
    const next = position.clone();
    next.play(parseUci(move.uci));
    const same = position.clone();
    same.play(played);
    assert.equal(makeFen(next.toSetup()), makeFen(same.toSetup()), move.uci);
    const comment = parseComment(child.data.comments.join(' ').replace(/\s+/g, ' ')); // lines break anywhere
    const wanted = evalOf(move.alpha, position.turn);
    if (!wanted) assert.equal(comment.evaluation, undefined);
    else if ('mate' in wanted) assert.equal(comment.evaluation.mate, wanted.mate);
    else assert.ok(Math.abs(comment.evaluation.pawns - wanted.pawns) < 0.001);
    if (wanted) assert.equal(comment.evaluation.depth, move.engine.depth);
    assert.equal(move.transposes !== null, /transposes to/.test(comment.text));
    count += 1 + compare(child, move.moves, next);
  });
  return count;
};

// Every move of the one is in the other where it was, with all that is said of it.
const kept = (node, whole) => {
  let last = -1;
  for (const child of node.children) {
    const at = whole.children.findIndex((other, i) => i > last && other.data.san === child.data.san);
    assert.ok(at > last, `${child.data.san} is there, in its place`);
    last = at;
    const { comments = [], nags = [] } = whole.children[at].data;
    const words = comments.map(comment => comment.replace(/\s+/g, ' ')); // lines break anywhere
    for (const comment of child.data.comments ?? []) assert.ok(words.includes(comment), comment);
    for (const nag of child.data.nags ?? []) assert.ok(nags.includes(nag), `$${nag}`);
    kept(child, whole.children[at]);
  }
};

// The game of a file, reviewed, and reviewed again.
const reviewed = file =>
  within((directory, common) =>
    [file, path.join(directory, 'first')].map((given, i) => {
      const out = path.join(directory, ['first', 'second'][i]);
      adjourn('review', given, ...common, '--depth', '6', '-o', out);
      return readFileSync(out, 'utf8');
    }),
  );

if (process.argv.includes('--test') || process.argv[1] === own) {
  const { test } = await import('node:test');
  for (const [name, position] of Object.entries(positions)) {
    test(`exports of ${name}`, () => {
      const { pgn, json, epd, book } = exported(position);
      const games = parsePgn(pgn);
      assert.equal(games.length, 1);
      const [game] = games;
      const start = startingPosition(game.headers).unwrap();
      assert.equal(start.rules, 'chess');
      assert.equal(
        makeFen(start.toSetup()),
        makeFen(Chess.fromSetup(parseFen(json.fen).unwrap()).unwrap().toSetup()),
      );
      const count = compare(game.moves, json.moves, start);
      assert.equal(count, json.count);
      assert.ok(count > 10);

      // EPD: chessops reads the position, and the best move in it.
      let records = 0;
      for (const line of epd.trim().split('\n')) {
        const [board, turn, castling, passant] = line.split(' ');
        const setup = parseFen(`${board} ${turn} ${castling} ${passant} 0 1`).unwrap();
        const at = Chess.fromSetup(setup).unwrap();
        const best = / bm ([^;]+);/.exec(line)[1];
        assert.ok(parseSan(at, best), `${best} in ${line}`);
        assert.match(line, / acd \d+;/);
        assert.match(line, / ce -?\d+;| dm \d+;/);
        ++records;
      }
      // Polyglot: sorted, one entry a move.
      assert.equal(book.length, 16 * json.count);
      let before = -1n;
      const keys = new Set();
      for (let at = 0; at < book.length; at += 16) {
        const key = book.readBigUInt64BE(at);
        assert.ok(key >= before);
        assert.ok(book.readUInt16BE(at + 10) > 0);
        before = key;
        keys.add(key);
      }
      assert.equal(keys.size, records);
    });
  }

  test('a reviewed game is the one that went in, and more', () => {
    const file = path.join(root, 'tests/data/sample/pgn/ours_pupil.pgn');
    const [given] = parsePgn(readFileSync(file, 'utf8'));
    const many = (text, sign) => text.split(sign).length - 1;
    const [first, second] = reviewed(file);
    for (const text of [first, second]) {
      const [game] = parsePgn(text);
      kept(given.moves, game.moves);
      for (const [name, value] of given.headers) assert.equal(game.headers.get(name), value);
      assert.ok(many(text, '[%eval') > 5);
    }
    // What the first said makes room for what the second says.
    assert.equal(many(second, 'Accuracy:'), 1);
    assert.equal(many(second, '[%eval'), many(first, '[%eval'));
  });
}
