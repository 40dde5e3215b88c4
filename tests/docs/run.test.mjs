// `./run` installs PostgreSQL's library only where the server that it starts keeps its store in a database.
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
