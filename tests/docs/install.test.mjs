// Installed as docs/operate/install-update-remove.md has it: the program is there, and finds its page. Needs web/dist.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readFileSync, readdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { build, root } from './documents.mjs';
import { Sandbox } from './sandbox.mjs';

test('the installed program serves its page', async () => {
  const box = await Sandbox.make();
  try {
    const prefix = path.join(box.folder, 'prefix');
    const done = spawnSync('cmake', ['--install', build, '--prefix', prefix], {
      encoding: 'utf8',
    });
    assert.equal(done.status, 0, done.stderr);
    box.program(path.join(prefix, 'bin/adjourn'));
    const { status, output } = box.run(
      'adjourn serve\ncurl -s http://127.0.0.1:8462/ -o page.html\ngrep -q "<!doctype html>" page.html\n',
    );
    assert.equal(status, 0, output);
  } finally {
    box.close();
  }
});

// Else two clones would not give the same bytes, and everybody would read the path.
test('the built page does not say where it was built', () => {
  const dist = path.join(root, 'web/dist');
  const inside = readdirSync(dist, { recursive: true }).filter(name => /\.(js|map|css|html)$/.test(name));
  assert.ok(inside.some(name => name.endsWith('.map')));
  const telling = inside.filter(name => readFileSync(path.join(dist, name), 'utf8').includes(root));
  assert.deepEqual(telling, []);
});

// What ./package puts together, with this build: the launcher, the loader under the program's name, the libraries.
test('the launcher of the archive starts the program with its own loader, and passes on what it was given', async () => {
  const box = await Sandbox.make();
  try {
    const tree = path.join(box.folder, 'moved here');
    const run = (command, ...words) => {
      const done = spawnSync(command, words, { encoding: 'utf8' });
      assert.equal(done.status, 0, `${command} ${words.join(' ')}: ${done.stderr}`);
      return done.stdout;
    };
    mkdirSync(path.join(tree, 'lib/loader'), { recursive: true });
    const program = path.join(build, 'adjourn');
    for (const [, file] of run('ldd', program).matchAll(/(\/\S+) \(0x/g))
      copyFileSync(
        file,
        path.join(tree, 'lib', /\/ld-linux/.test(file) ? 'loader/adjourn' : path.basename(file)),
      );
    copyFileSync(program, path.join(tree, 'lib/adjourn'));
    cpSync(path.join(root, 'web/dist'), path.join(tree, 'share/adjourn/web'), {
      recursive: true,
    });
    run(
      'g++',
      '-std=c++20',
      '-static',
      path.join(root, 'server/program/package/launcher.cpp'),
      '-o',
      path.join(tree, 'adjourn'),
    );
    const link = path.join(box.folder, 'linked');
    symlinkSync(path.join(tree, 'adjourn'), link);

    const start = (...words) => spawnSync(link, words, { encoding: 'utf8', env: box.environment });
    assert.equal(start('--version').stdout, run(program, '--version'));
    const wrong = start('two words', '');
    assert.equal(wrong.status, 2);
    assert.match(wrong.stderr, /two words/);
    assert.match(start('doctor').stdout, new RegExp(`ok +page in ${tree}/share/adjourn/web`));
  } finally {
    box.close();
  }
});
