// `cmake --install` as docs/operate/install-update-remove.md has it: the program is there, and finds its page. Needs web/dist.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { build } from './documents.mjs';
import { Sandbox } from './sandbox.mjs';

test('the installed program serves its page', async () => {
  const box = await Sandbox.make();
  try {
    const prefix = path.join(box.folder, 'prefix');
    const done = spawnSync('cmake', ['--install', build, '--prefix', prefix], { encoding: 'utf8' });
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
