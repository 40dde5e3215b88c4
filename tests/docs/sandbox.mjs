// A place where the documents' commands are run as a user types them: a home of its own, `adjourn` and `stockfish` in the
// path, the latter being the deterministic engine, and a port of its own in place of 8462.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { once } from 'node:events';
import { build } from './documents.mjs';

export async function freePort() {
  const probe = net.createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}

// What takes hours with a real engine, or needs this very address, is made smaller or moved. Nothing else is changed.
const substitutions = port => [
  [/127\.0\.0\.1:8462/g, `127.0.0.1:${port}`],
  [/--refine \d+/g, '--refine 2'],
  [/timeout --signal=INT 8h/g, 'timeout --signal=INT 30'],
  [/--total-nodes \d+/g, '--total-nodes 20000000'],
  [/"refine": \d/g, '"refine": 1'],
];

export class Sandbox {
  static async make() {
    const box = new Sandbox();
    box.folder = mkdtempSync(path.join(tmpdir(), 'adjourn-docs-'));
    box.port = await freePort();
    const at = (...parts) => path.join(box.folder, ...parts);
    for (const folder of ['bin', 'home/.config/adjourn', 'work/build'])
      mkdirSync(at(folder), { recursive: true });
    box.program(path.join(build, 'adjourn'));
    // A refused call fails the example.
    box.script('bin/curl', ['exec /usr/bin/curl --fail-with-body "$@"']);
    // Building is what tests/fresh/run tries.
    box.script('work/run', ['[ "${1-}" = --build-only ] || exec adjourn serve --demonstration "$@"']);
    symlinkSync(path.join(build, 'hash_engine'), at('bin/stockfish'));
    symlinkSync(build, at('work/build/release'));
    box.config = at('home/.config/adjourn/adjourn.toml');
    writeFileSync(
      box.config,
      `listen = "127.0.0.1:${box.port}"\n[[engine]]\nname = "stockfish"\ncommand = ["stockfish"]\noptions = { AnswerMs = 0 }\n`,
    );
    box.environment = {
      PATH: `${at('bin')}:/usr/bin:/bin`,
      HOME: at('home'),
      LANG: 'C.UTF-8',
      TMPDIR: tmpdir(),
      ...(process.env.ASAN_OPTIONS && { ASAN_OPTIONS: process.env.ASAN_OPTIONS }),
    };
    return box;
  }

  // `adjourn` is this file from now on.
  program(file) {
    this.script('bin/adjourn', [
      // A server is started in the background: a reader has another terminal for it.
      'if [ "$1" = serve ]; then',
      `  "${file}" "$@" >"${path.join(this.folder, 'server.log')}" 2>&1 &`,
      `  echo $! >"${path.join(this.folder, 'server.pid')}"`,
      `  until /usr/bin/curl -so /dev/null http://127.0.0.1:${this.port}/api/v1/health; do`,
      `    kill -0 $! || { cat "${path.join(this.folder, 'server.log')}" >&2; exit 1; }`,
      '    sleep 0.1',
      '  done',
      '  exit 0',
      'fi',
      `exec "${file}" "$@"`,
    ]);
  }

  script(name, lines) {
    const file = path.join(this.folder, name);
    writeFileSync(file, ['#!/bin/bash', ...lines, ''].join('\n'));
    chmodSync(file, 0o755);
  }

  adapted(text) {
    return substitutions(this.port).reduce((now, [from, to]) => now.replace(from, to), text);
  }

  // Runs a script for bash, to the first command that fails. Returns {status, output}.
  run(script) {
    const file = path.join(this.folder, 'script');
    writeFileSync(file, this.adapted(script));
    const done = spawnSync('bash', ['-eu', '-o', 'pipefail', file], {
      cwd: path.join(this.folder, 'work'),
      env: this.environment,
      encoding: 'utf8',
      timeout: 300_000, // what takes longer hangs
    });
    return { status: done.status, output: `${done.stdout}${done.stderr}${done.error ?? ''}` };
  }

  // What the program says of a config file: '' if it is accepted.
  refusal(toml) {
    const file = path.join(this.folder, 'tried.toml');
    const token = path.join(this.folder, 'token');
    writeFileSync(token, 'a long random text\n', { mode: 0o600 });
    writeFileSync(file, toml.replace(/((?:token|secret)_file = )"[^"]+"/g, `$1"${token}"`));
    const done = spawnSync(
      path.join(build, 'adjourn'),
      ['export', '1', '--config', file, '--data', path.join(this.folder, 'none')],
      {
        env: this.environment,
        encoding: 'utf8',
      },
    );
    return done.status === 1 && done.stderr.includes('there is no data directory')
      ? ''
      : `${done.status}: ${done.stderr}`;
  }

  close() {
    const pid = path.join(this.folder, 'server.pid');
    try {
      process.kill(Number(readFileSync(pid, 'utf8')), 'SIGKILL');
    } catch {
      // it was not started, or has ended
    }
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
