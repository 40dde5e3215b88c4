// The examples of the documents work. Blocks marked `sh` and `python` are run, from the first to the last of a document in one place;
// `json` is read, and where <!-- json: Name --> stands before it checked against that schema of docs/openapi.yaml;
// `toml` has to be a configuration that the program takes. A shell block that cannot be run is marked `bash`, and
// <!-- not run: reason --> before it says why. <!-- before: command --> is run first; <!-- exit N --> is
// the exit code of the block, if not 0. A refused call of the API ends with 22.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import path from 'node:path';
import { test } from 'node:test';
import { blocks, documents, read, root } from './documents.mjs';
import { Sandbox } from './sandbox.mjs';

// The packages of the browser tests.
const packages = createRequire(path.join(root, 'tests/web/package.json'));
const Ajv = packages('ajv/dist/2020.js').default;
const { parse } = packages('yaml');

const schemas = JSON.stringify(parse(read('docs/openapi.yaml')).components.schemas);
const ajv = new Ajv({ allErrors: true, strict: false, validateFormats: false });
ajv.addSchema({ $defs: JSON.parse(schemas.replaceAll('"#/components/schemas/', '"#/$defs/')) }, 'adjourn');

const guided = documents().filter(file => file === 'README.md' || /^docs\/(guide|operate|api)\//.test(file));
const described = documents().filter(file => file.startsWith('docs/') || !file.includes('/'));

const lineBefore = (text, block) => text.split('\n')[block.line - 2] ?? '';

// All blocks of a document as one script, so that a later one has the variables of those before. It says where it is.
function scriptOf(text, found) {
  const parts = [...text.matchAll(/<!-- before: (.+) -->/g)].map(([, command]) => command);
  for (const block of found) {
    const expected = /<!-- exit (\d+)/.exec(lineBefore(text, block))?.[1];
    const body =
      block.word === 'python' ? `python3 - <<'END OF PYTHON'\n${block.text}\nEND OF PYTHON` : block.text;
    parts.push(
      `echo "line ${block.line}:" >&2`,
      expected
        ? `code=0\n(\n${body}\n) || code=$?\n[ $code -eq ${expected} ] || { echo "exit code $code"; exit 1; }`
        : body,
    );
  }
  return parts.join('\n');
}

for (const file of guided) {
  const text = read(file);
  const found = blocks(text).filter(block => ['sh', 'python'].includes(block.word));
  if (!found.length) continue;
  test(`${file}: its commands`, async () => {
    const box = await Sandbox.make();
    try {
      const { status, output } = box.run(scriptOf(text, found));
      assert.equal(status, 0, `${file}, after the last line that is named:\n${output}`);
    } finally {
      box.close();
    }
  });
}

test('json', () => {
  let named = 0;
  for (const file of described) {
    const text = read(file);
    for (const block of blocks(text).filter(({ word }) => word === 'json')) {
      const where = `${file}:${block.line}`;
      let value;
      assert.doesNotThrow(() => (value = JSON.parse(block.text)), where);
      const name = /<!-- json: (\w+) -->/.exec(lineBefore(text, block))?.[1];
      if (!name) continue;
      named++;
      const validate = ajv.getSchema(`adjourn#/$defs/${name}`);
      assert.ok(validate, `${where}: there is no schema ${name}`);
      assert.ok(validate(value), `${where}: ${ajv.errorsText(validate.errors, { separator: '\n' })}`);
    }
  }
  assert.ok(named > 4, `only ${named} examples name their schema`);
});

test('configurations', async () => {
  const box = await Sandbox.make();
  try {
    let count = 0;
    for (const file of described)
      for (const block of blocks(read(file)).filter(({ word }) => word === 'toml')) {
        count++;
        assert.equal(box.refusal(block.text), '', `${file}:${block.line}`);
      }
    assert.ok(count > 2);
    assert.notEqual(box.refusal('lisen = "127.0.0.1:1"'), '');
  } finally {
    box.close();
  }
});

test('what is not run says why', t => {
  const without = [];
  for (const file of guided)
    for (const block of blocks(read(file)).filter(({ word }) =>
      ['bash', 'console', 'shell'].includes(word),
    )) {
      if (!block.reason) without.push(`${file}:${block.line}`);
      else t.diagnostic(`not run: ${file}:${block.line}: ${block.reason}`);
    }
  assert.deepEqual(without, []);
});
