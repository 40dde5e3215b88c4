import assert from 'node:assert/strict';
import { test } from 'node:test';
// @ts-expect-error a script without types
import { describe } from '../scripts/describe.mjs';

const made = (schemas: object, paths: object = {}): string =>
  (describe as (document: object) => string)({
    components: {
      schemas: {
        StrategyKind: { enum: ['a'] },
        NewAnalysis: { properties: {} },
        ...schemas,
      },
    },
    paths,
  }).replace(/\s+/g, ' ');

test('a schema becomes the type of what it describes', () => {
  const text = made({
    Word: { enum: ['a', 'b', null] },
    Name: { type: ['string', 'null'] },
    List: { type: 'array', items: { type: ['string', 'integer'] } },
    Either: { anyOf: [{ $ref: '#/components/schemas/Word' }, { type: 'null' }] },
    Step: { type: 'object', required: ['x'], properties: { x: { type: 'integer' }, y: { const: 0 } } },
    More: { $ref: '#/components/schemas/Step', required: ['z'], properties: { z: { type: 'number' } } },
    One: {
      type: 'object',
      oneOf: [{ required: ['d'] }, { required: ['n'] }],
      properties: { d: { type: 'integer' }, n: { type: 'integer' } },
    },
    Table: { type: 'object', additionalProperties: { type: 'boolean' } },
  });
  for (const type of [
    "Word = ('a' | 'b' | null);",
    'Name = string | null;',
    'List = (string | number)[];',
    'Either = (Word | null);',
    'Step = { x: number; y?: 0; };',
    'More = Step & { z: number; };',
    'One = { d?: number; n?: number; };',
    'Table = Record<string, boolean>;',
  ])
    assert.ok(text.includes(`export type ${type}`), `${type} in ${text}`);
});

test('the limits of requests are told by the place in the request', () => {
  const number = (minimum: number, maximum: number) => ({ type: 'number', minimum, maximum });
  const text = made(
    {
      Limit: { properties: { depth: number(1, 245) } },
      NewAnalysis: {
        properties: {
          limit: { $ref: '#/components/schemas/Limit' },
          name: { type: 'string', maxLength: 200 },
          least: { type: 'number', minimum: 1 },
        },
      },
    },
    { '/x': { get: { operationId: 'getX', parameters: [{ name: 'plies', schema: number(1, 64) }] } } },
  );
  const limits = /limits = (.*?) as const/.exec(text)?.[1] ?? '';
  assert.deepEqual(JSON.parse(limits), { 'limit.depth': [1, 245], name: [0, 200], 'getX.plies': [1, 64] });
});
