import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { leastOffers, readOffers } from '../src/data/offers';

test('what the server describes is offered', () => {
  const described: unknown = JSON.parse(readFileSync('../server/data/openapi.json', 'utf8'));
  const offers = readOffers(described);
  assert.ok(offers.strategies.includes('halving'));
  assert.ok(offers.formats.includes('pgn') && offers.formats.includes('json'));
});

test('strategies come in the order of the server, formats in ours; unknown formats are left out', () => {
  const offers = readOffers({
    components: { schemas: { WantedStrategy: { properties: { kind: { enum: ['uniform', 'halving'] } } } } },
    paths: {
      '/analyses/{id}/export': {
        get: {
          parameters: [
            { name: 'moves' },
            { name: 'format', schema: { enum: ['json', 'tex', 'epd', 'pgn'] } },
          ],
        },
      },
    },
  });
  assert.deepEqual(offers, { strategies: ['uniform', 'halving'], formats: ['pgn', 'epd', 'json'] });
});

test('a description that tells nothing leaves the least', () => {
  for (const nothing of [null, {}, { paths: [], components: 'x' }, 7])
    assert.deepEqual(readOffers(nothing), leastOffers);
});
