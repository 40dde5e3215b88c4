// The format of the page's TypeScript and of all scripts, by prettier: --check or --write.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const files = [
  'web/{src,unit}/**/*.ts',
  'web/scripts/*.mjs',
  'tests/{web,docs,soak,network}/**/*.mjs',
  '!web/src/data/described.ts',
];
const prettier = path.join(here, 'node_modules/.bin/prettier');
const options = ['--config', 'web/.prettierrc.json', '--log-level', 'warn', ...process.argv.slice(2)];
const run = spawnSync(prettier, [...options, ...files], {
  cwd: path.resolve(here, '../..'),
  stdio: 'inherit',
});
process.exit(run.status ?? 1);
