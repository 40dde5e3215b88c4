// docs/operate/command-line.md has every command and option of the program, in the program's words, and no other.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commands, page, places, written } from './command_line.mjs';
import { read } from './documents.mjs';

const mend = 'mend it by: ADJOURN_BUILD=build/dev node tests/docs/command_line.mjs --write';

test('commands and options', () => {
  const text = read(page);
  const all = commands();
  assert.deepEqual(
    places(text).sort(),
    all.map(([words]) => words.join(' ')).sort(),
    'commands that are described, and those that there are',
  );
  for (const [words, tables] of all)
    assert.equal(written(text, words), tables, `adjourn ${words.join(' ')}; ${mend}`);
  assert.ok(all.length > 10);
});
