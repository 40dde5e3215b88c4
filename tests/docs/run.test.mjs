// What `./run` and `./test` decide by themselves (cmake/setup.sh).
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { root } from './documents.mjs';

test('./run wants libpq-dev where an option or the configuration names a database', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'adjourn-run-'));
  const wants = (words, more = {}) =>
    spawnSync('bash', ['-euc', '. cmake/setup.sh; wants_postgresql "$@"', 'run', ...words], {
      cwd: root,
      env: { PATH: process.env.PATH, HOME: folder, ...more },
    }).status === 0;
  const write = (file, text) => {
    fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    fs.writeFileSync(path.join(folder, file), text);
    return path.join(folder, file);
  };
  try {
    assert.equal(wants([]), false);
    assert.equal(wants(['--store', 'postgres:///games']), true);
    assert.equal(wants(['--store=postgresql://club/games']), true);
    const file = write('db.toml', 'listen = "127.0.0.1:1"\n  store="postgresql://club/games"\n');
    assert.equal(wants(['--config', file]), true);
    assert.equal(wants([`--config=${file}`, '--engines', '1']), true);
    assert.equal(wants(['--config', file, '--data', folder]), false);
    assert.equal(wants(['--config', write('none.toml', '# store = "postgresql://club/games"\n')]), false);
    assert.equal(wants(['--config', path.join(folder, 'missing.toml')]), false);
    write('.config/adjourn/adjourn.toml', "store = 'postgresql:///games'\n");
    assert.equal(wants([]), true);
    assert.equal(wants([], { XDG_CONFIG_HOME: path.join(folder, 'other') }), false);
    assert.equal(wants([], { XDG_CONFIG_HOME: 'other' }), true); // not absolute: as the program has it
    assert.equal(wants(['--config', write('data.toml', '')]), false);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
});

// As Catch2 writes it.
test('./test fails a part of a test program that has none of the cases that it was to run', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'adjourn-test-'));
  const lacks = text => {
    const log = path.join(folder, 'log');
    fs.writeFileSync(log, text);
    return (
      spawnSync('bash', ['-euc', '. cmake/setup.sh; lacks_cases "$1"', 'test', log], { cwd: root }).status ===
      0
    );
  };
  const ran =
    'Filters: [deep]\n1.204 s: program: it is there\nAll tests passed (2 assertions in 1 test case)\n';
  try {
    assert.equal(lacks(ran), false);
    assert.equal(lacks(ran.replace('it is there', 'No test cases matched')), false);
    assert.equal(lacks("Filters: [deep]\nNo test cases matched '[deep]'\n======\nNo tests ran\n"), true);
    assert.equal(lacks(`Filters: "a" , "b"\nNo test cases matched '"b"'\n${ran}`), true); // one of several
    assert.equal(lacks('12: No tests ran\n'), true); // by ctest
    assert.equal(lacks('Invalid Filter: "a\n'), true);
    // ./test asks of what it runs.
    assert.match(fs.readFileSync(path.join(root, 'test'), 'utf8'), /lacks_cases "\$log" \|\| status=1/);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
});
