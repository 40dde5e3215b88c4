// Bundles unit/*.test.ts and runs them with node's own test runner.
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { writeDescribed } from './described.mjs';
import { fileURLToPath } from 'node:url';

const web = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const out = path.join(web, 'node_modules/.cache/adjourn-unit');
await rm(out, { recursive: true, force: true });
const tests = (await readdir(path.join(web, 'unit'))).filter(n => n.endsWith('.test.ts'));
await writeDescribed();
await build({
  absWorkingDir: web,
  entryPoints: tests.map(n => `unit/${n}`),
  outdir: out,
  bundle: true,
  platform: 'node',
  external: ['yaml'], // it is no module of the page's kind
  format: 'esm',
  target: 'node18',
  outExtension: { '.js': '.mjs' },
  // snabbdom asks for the window when it is loaded; there is none, and nothing is drawn.
  banner: { js: 'globalThis.window ??= undefined;' },
  logLevel: 'warning',
});
const run = spawnSync(
  process.execPath,
  ['--test', '--test-reporter=spec', ...tests.map(n => path.join(out, n.replace(/\.ts$/, '.mjs')))],
  { stdio: 'inherit', cwd: web },
);
process.exit(run.status ?? 1);
