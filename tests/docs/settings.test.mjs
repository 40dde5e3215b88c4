// Keys of the config file and environment variables: each one that the program reads is described, and no other.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { files, firstCells, read } from './documents.mjs';

const configuration = 'docs/operate/configuration.md';
const webhooks = 'docs/operate/webhooks.md';
const commandLine = 'docs/operate/command-line.md';
const developing = 'docs/internals/developing.md';

const product = /^(chess|analysis|storage|engine_bridge|server|bench)\//;
const sources = keep => files().filter(file => /\.(cpp|hpp|c)$/.test(file) && keep(file));

test('keys of the config file', () => {
  const readers = sources(file => product.test(file)).filter(file =>
    /\bparse_config\(std::string_view/.test(read(file)),
  );
  const reader = readers.find(file => file.endsWith('.cpp'));
  assert.ok(reader, 'no source reads the config');
  const keys = [...read(reader).matchAll(/\bname == "(\w+)"/g)].map(match => match[1]);
  const text = read(configuration);
  const described = [
    ...firstCells(text, '## Keys'),
    ...firstCells(text, '## Engines'),
    ...firstCells(read(webhooks), '## Keys'),
  ];
  assert.deepEqual([...described].sort(), [...keys].sort());
  assert.ok(keys.length > 5);
});

// Variables of a program are named where it calls getenv, those of scripts by their form.
const variablesOf = (list, pattern) =>
  new Set(list.flatMap(file => [...read(file).matchAll(pattern)].map(match => match[1])));

test('environment variables of the program', () => {
  const called = variablesOf(
    sources(file => product.test(file)),
    /\bgetenv\("(\w+)"\)/g,
  );
  const passed = variablesOf(
    sources(file => product.test(file)),
    /\bxdg\("(\w+)"/g,
  );
  assert.deepEqual(firstCells(read(commandLine), '## Environment').sort(), [...called, ...passed].sort());
  assert.ok(called.size > 2);
});

test('environment variables of the tests', () => {
  const scripts = files().filter(file => /\.mjs$|(^|\/)(test|run)$|^cmake\/.*\.sh$/.test(file));
  const all = new Set([
    ...variablesOf(
      sources(file => file.startsWith('tests/')).filter(file => !/fuzz\//.test(file)),
      /\bgetenv\("(ADJOURN_\w+)"\)/g,
    ),
    ...variablesOf(scripts, /process\.env\.(ADJOURN_\w+)/g),
    ...variablesOf(scripts, /\$\{(ADJOURN_\w+)/g),
  ]);
  assert.deepEqual(firstCells(read(developing), '## Environment of the tests').sort(), [...all].sort());
  assert.ok(all.size > 5);
});
