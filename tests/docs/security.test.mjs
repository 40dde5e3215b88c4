// docs/operate/security.md: each threat has a test that exists, or says that it is not answered.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '../..');

function sources(directory) {
  return fs.readdirSync(directory, { withFileTypes: true }).flatMap(entry => {
    const name = path.join(directory, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : sources(name);
    return name.endsWith('.cpp') ? [name] : [];
  });
}

test('security: each threat names a test that exists', () => {
  const named = new Set(
    sources(path.join(root, 'tests')).flatMap(file =>
      [...fs.readFileSync(file, 'utf8').matchAll(/TEST_CASE\(\s*((?:"[^"]*"\s*)+)/g)].map(match =>
        [...match[1].matchAll(/"([^"]*)"/g)].map(part => part[1]).join(''),
      ),
    ),
  );
  const rows = fs
    .readFileSync(path.join(root, 'docs/operate/security.md'), 'utf8')
    .split('\n')
    .filter(line => line.startsWith('| ') && !line.startsWith('| threat'))
    .map(line => line.split('|').map(cell => cell.trim()));
  assert.ok(rows.length > 10);
  for (const [, threat, answer, tests] of rows) {
    const names = [...tests.matchAll(/`([^`]+)`/g)].map(match => match[1]);
    if (names.length === 0) assert.match(answer, /not answered|found|a test for each/, threat);
    for (const name of names) assert.ok(named.has(name), `${threat}: no test is named "${name}"`);
  }
});
