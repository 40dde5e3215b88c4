// docs/openapi.yaml against what the build made of it and the server's error table:
// ADJOURN_BUILD=build/… node --test openapi.test.mjs.
import assert from 'node:assert/strict';
import { readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

// run.mjs takes the browser tests of every *.test.mjs; here are none.
export const tests = {};

const own = fileURLToPath(import.meta.url);
const root = path.resolve(path.dirname(own), '../..');
const copy = path.join(root, process.env.ADJOURN_BUILD ?? 'build/dev', 'server/api/openapi.json');
const read = file => readFileSync(file, 'utf8');

const least = { position: {}, limit: { depth: 1 } };

// Whole bodies, right and wrong ones with the reason in the name.
const requests = {
  NewAnalysis: {
    right: {
      least,
      'any text': { position: { text: 'Königsindisch' }, limit: { depth: 1 } },
      all: {
        name: 'x',
        position: { fen: '8/8/8/8/8/4k3/4p3/4K3 w - - 0 1', moves: ['e2e4', 'c5'] },
        engine: 'stockfish',
        limit: { movetime_ms: 86400000 },
        strategy: { kind: 'halving', move_distance: 0, floor: 10000, refine: 200 },
        budget: { positions: 1, nodes: 1e15, engine_seconds: 0.001, until: 1790000000000 },
        window: '22:00-24:00',
        priority: -100,
        hold: true,
      },
      costs: { ...least, strategy: { kind: 'dropout', per_cp: 0.1, other_side: 0.25 } },
      plan: {
        ...least,
        strategy: { kind: 'uniform', plan: [{ window: 40 }, { window: 40 }, { window: 20 }] },
      },
      stop: { ...least, stop: { lead: 2, levels: 3, proven: false } },
      'window null': { position: { moves: '1. e4' }, limit: { nodes: 1e12 }, window: null },
    },
    wrong: {
      'lead below 0': { ...least, stop: { lead: -1 } },
      'no such strategy': { ...least, strategy: { kind: 'minmax' } },
      'cost below its least': { ...least, strategy: { kind: 'dropout', per_ply: -1 } },
      'plan with widths': { ...least, strategy: { plan: [{ window: 40, width: 3 }] } },
      'plan without window': { ...least, strategy: { plan: [{}] } },
      'no limit': { position: {} },
      'no position': { limit: { depth: 1 } },
      'two limits': { position: {}, limit: { depth: 1, nodes: 1 } },
      'empty limit': { position: {}, limit: {} },
      'unknown limit': { position: {}, limit: { depth: 1, time: 1 } },
      'depth 246': { position: {}, limit: { depth: 246 } },
      'unknown field': { ...least, rank: 1 },
      'unknown in position': { position: { pgn: '' }, limit: { depth: 1 } },
      'unknown in strategy': { ...least, strategy: { width: 1 } },
      'unknown in budget': { ...least, budget: { depth: 1 } },
      'nodes 0': { ...least, budget: { nodes: 0 } },
      'refine 201': { ...least, strategy: { refine: 201 } },
      'positions 0': { ...least, budget: { positions: 0 } },
      'window 25:00': { ...least, window: '25:00-07:00' },
      'name null': { ...least, name: null },
    },
  },
  AnalysisPatch: {
    right: { nothing: {}, some: { hold: false, rank: 1.5, strategy: { refine: 3 }, window: null } },
    wrong: { position: { position: {} }, 'rank text': { rank: '1' }, 'priority 101': { priority: 101 } },
  },
  NewDirective: {
    right: {
      include: { moves: 'e4', action: 'include' },
      exclude: { moves: ['e4'], action: 'exclude' },
      clear: { moves: [], action: 'clear' },
      now: { moves: '', action: 'now' },
      deepen: { moves: ['e4'], action: 'deepen' },
      'deepen further': { moves: ['e4'], action: 'deepen', plies: 100 },
      note: { moves: [], action: 'note', text: 'x' },
      retract: { moves: [], action: 'retract', at: 1763801234567 },
    },
    wrong: {
      'no action': { moves: [] },
      'no moves': { action: 'now' },
      'retract of nothing': { moves: [], action: 'retract' },
      'include nothing': { moves: [], action: 'include' },
      'note without text': { moves: [], action: 'note' },
      'text without note': { moves: [], action: 'now', text: 'x' },
      'plies 0': { moves: [], action: 'deepen', plies: 0 },
      'unknown action': { moves: [], action: 'forget' },
      uci: { moves: [], action: 'now', uci: 'e2e4' },
    },
  },
};

const once = make => {
  let made;
  return () => (made ??= make());
};

export const parsed = once(async () => {
  const { parse } = await import('yaml');
  return parse(read(path.join(root, 'docs/openapi.yaml')));
});

export const validators = once(async () => {
  const { default: Ajv } = await import('ajv/dist/2020.js');
  // Other words than JSON Schema's are refused, so that a slip of the pen is no silent "anything goes".
  const ajv = new Ajv({ strictSchema: true, strictTypes: false, allErrors: true, validateFormats: false });
  const schemas = JSON.stringify((await parsed()).components.schemas);
  ajv.addSchema({ $defs: JSON.parse(schemas.replaceAll('"#/components/schemas/', '"#/$defs/')) }, 'adjourn');
  return name => {
    const validate = ajv.getSchema(`adjourn#/$defs/${name}`);
    assert.ok(validate, `there is no schema ${name}`);
    return value => (validate(value) ? '' : ajv.errorsText(validate.errors, { separator: '\n' }));
  };
});

// Every object in the document with its JSON pointer.
function* objects(value, at = '#') {
  if (value === null || typeof value !== 'object') return;
  yield [at, value];
  for (const [name, inner] of Object.entries(value))
    yield* objects(inner, `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
}

// Fields of a value that its schema does not name. Answers may have more; ours do not, so that the description
// tells all of them.
export function* undescribed(document, schema, value, at = '$') {
  if (value === null || typeof value !== 'object') return;
  const parts = [];
  const gather = part => {
    if (part.$ref) gather(document.components.schemas[part.$ref.split('/').at(-1)]);
    parts.push(part);
    for (const one of [...(part.oneOf ?? []), ...(part.anyOf ?? [])]) gather(one);
  };
  gather(schema);
  if (Array.isArray(value)) {
    const items = parts.find(part => part.items)?.items;
    for (const [i, item] of value.entries())
      if (items) yield* undescribed(document, items, item, `${at}[${i}]`);
    return;
  }
  const named = parts.flatMap(part => Object.entries(part.properties ?? {}));
  const known = Object.fromEntries(
    named.map(([name]) => [
      name,
      { anyOf: named.filter(([other]) => other === name).map(([, inner]) => inner) },
    ]),
  );
  const more = parts.find(part => typeof part.additionalProperties === 'object')?.additionalProperties;
  for (const [name, inner] of Object.entries(value)) {
    const described = known[name] ?? more;
    if (described) yield* undescribed(document, described, inner, `${at}.${name}`);
    else if (Object.keys(known).length) yield `${at}.${name}`;
  }
}

async function register() {
  const { test } = await import('node:test');

  test('the server has the same description', async () => {
    const text = read(copy);
    assert.deepEqual(JSON.parse(text), await parsed());
    assert.ok(Buffer.byteLength(text) < 200 * 1024);
  });

  test('every reference leads somewhere, and every part is used', async () => {
    const document = await parsed();
    const all = new Map(objects(document));
    const used = new Set();
    for (const [at, { $ref }] of all)
      if ($ref !== undefined) {
        assert.ok(all.has($ref), `${at}: ${$ref}`);
        used.add($ref);
      }
    for (const kind of ['schemas', 'responses', 'parameters'])
      for (const name of Object.keys(document.components[kind]))
        assert.ok(used.has(`#/components/${kind}/${name}`), `${kind}/${name} is not used`);
  });

  test('every schema compiles, operations have names of their own, path parameters are declared', async () => {
    const document = await parsed();
    const schema = await validators();
    for (const name of Object.keys(document.components.schemas)) schema(name);
    const names = new Set();
    for (const [where, item] of Object.entries(document.paths))
      for (const method of ['get', 'post', 'put', 'patch', 'delete'].filter(m => item[m])) {
        const { operationId, responses } = item[method];
        assert.ok(operationId && !names.has(operationId), `${method} ${where}`);
        names.add(operationId);
        const takes_id = item.parameters?.some(p => /\/(AnalysisId|MachineId)$/.test(p.$ref ?? '')) ?? false;
        assert.equal(takes_id, where.includes('{id}'), where);
        const takes_name = where.includes('{name}') || where.includes('{seat}');
        assert.equal('404' in responses, takes_id || takes_name, `404 of ${method} ${where}`);
        assert.equal('415' in responses, 'requestBody' in item[method], `415 of ${method} ${where}`);
      }
  });

  test("errors are those of the server's table", async () => {
    const document = await parsed();
    const table = [
      ...read(path.join(root, 'server/http/requests/message.cpp')).matchAll(/Row\{[^,]+, (\d+), "(\w+)"\}/g),
    ];
    assert.ok(table.length > 10);
    assert.deepEqual(
      document.components.schemas.ErrorCode.enum,
      table.map(([, , word]) => word),
    );
    const words_of = reply => {
      const schema =
        document.components.responses[reply.$ref?.split('/').at(-1)]?.content['application/json'].schema;
      return (
        schema &&
        document.components.schemas[schema.$ref.split('/').at(-1)].properties.error.properties.code.enum
      );
    };
    for (const [where, item] of Object.entries(document.paths))
      for (const { responses } of Object.values(item))
        for (const [status, reply] of Object.entries(responses ?? {})) {
          const words = words_of(reply);
          const of_status = table.filter(row => row[1] === status).map(row => row[2]);
          if (words) assert.deepEqual(words, of_status, `${status} of ${where}`);
        }
  });

  test('a field that is not described is found, however deep', async () => {
    const document = await parsed();
    const found = (name, value) => [...undescribed(document, document.components.schemas[name], value)];
    const node = {
      moves: [{ uci: 'e2e4', engine: { score: { cp: 1, depth: 1 } } }],
      pv: { alpha: [], third: [] },
    };
    assert.deepEqual(found('Node', node), ['$.moves[0].engine.score.depth', '$.pv.third']);
    assert.deepEqual(found('Engines', { engines: [{ name: 'x', cpu: 1 }] }), ['$.engines[0].cpu']);
  });

  test('scores', async () => {
    const check = (await validators())('Score');
    const right = [{ cp: -3 }, { mate: -3 }, { mate: 0, side: 'black' }, { tb: 'cursed_win', dtz: 101 }];
    const wrong = [
      {},
      { cp: 1.5 },
      { mate: 0 },
      { tb: 'won', dtz: 1 },
      { tb: 'win' },
      { cp: 1, mate: 1 },
      null,
    ];
    for (const score of right) assert.equal(check(score), '', JSON.stringify(score));
    for (const score of wrong) assert.notEqual(check(score), '', JSON.stringify(score));
  });

  test('requests', async () => {
    const schema = await validators();
    for (const [name, { right, wrong }] of Object.entries(requests)) {
      for (const [what, body] of Object.entries(right))
        assert.equal(schema(name)(body), '', `${name}: ${what}`);
      for (const [what, body] of Object.entries(wrong))
        assert.notEqual(schema(name)(body), '', `${name}: ${what}`);
    }
    for (const item of Object.values((await parsed()).paths))
      for (const { requestBody } of Object.values(item)) {
        const content = requestBody?.content['application/json'];
        for (const [what, { value }] of Object.entries(content?.examples ?? {}))
          assert.equal(schema(content.schema.$ref.split('/').at(-1))(value), '', what);
      }
  });
}

if (process.argv[1] && realpathSync(process.argv[1]) === own) await register();
