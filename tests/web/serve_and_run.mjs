// The browser tests against the real server with the deterministic engine, in a data directory of their
// own. Arguments go on to run.mjs. Needs build/release/adjourn, build/release/hash_engine and web/dist;
// ADJOURN_BUILD names another build directory.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from './backend.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(here, '../..');
const build = path.resolve(root, process.env.ADJOURN_BUILD ?? 'build/release');
const folder = mkdtempSync(path.join(tmpdir(), 'adjourn-web-'));
const listen = `127.0.0.1:${await freePort()}`;
const config = path.join(folder, 'adjourn.toml');
writeFileSync(
  config,
  `listen = "${listen}"
[[engine]]
name = "hash"
command = [${JSON.stringify(path.join(build, 'hash_engine'))}]
count = ${process.env.ADJOURN_ENGINES ?? 2}
options = { AnswerMs = ${process.env.ADJOURN_ANSWER_MS ?? 25} }
`,
);
const command = [
  path.join(build, 'adjourn'),
  'serve',
  '--config',
  config,
  '--data',
  path.join(folder, 'data'),
  '--web',
  path.join(root, 'web/dist'),
];
const script = process.env.ADJOURN_WEB_SCRIPT ?? 'run.mjs';
const run = spawnSync(process.execPath, [path.join(here, script), ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, ADJOURN_CMD: JSON.stringify(command), ADJOURN_CMD_URL: `http://${listen}` },
});
rmSync(folder, { recursive: true, force: true });
process.exit(run.status ?? 1);
