// Every setting that the description names is in the page's form, or known to be elsewhere.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'yaml';
import { setupOf, toPatch, toRequest, type Setup } from '../src/setup/setupState';
import { toLocalInput } from '../src/ui/format';
import { analysis, moment } from './fake';

interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
}

const document = parse(readFileSync('../docs/openapi.yaml', 'utf8')) as {
  components: { schemas: Record<string, Schema> };
};

// The places in a body of the schema: "strategy.floor".
function places(schema: Schema, place = ''): string[] {
  if (schema.$ref)
    return places(document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, place);
  if (!schema.properties || place === 'position') return [place];
  return Object.entries(schema.properties).flatMap(([name, inner]) =>
    places(inner, place ? `${place}.${name}` : name),
  );
}

const until = Math.ceil(moment / 60_000) * 60_000;

// What is typed, and what is sent for it.
const edits: Record<string, [Partial<Setup>, unknown]> = {
  name: [{ name: 'Other' }, 'Other'],
  'limit.depth': [{ limitValue: '9' }, 9],
  'limit.nodes': [{ limitKind: 'nodes', limitValue: '9' }, 9],
  'limit.movetime_ms': [{ limitKind: 'movetime_ms', limitValue: '9' }, 9],
  'strategy.kind': [{ strategy: 'conspiracy' }, 'conspiracy'],
  'strategy.move_distance': [{ distance: '33' }, 33],
  'strategy.floor': [{ floor: '3' }, 3],
  'strategy.refine': [{ refine: '7' }, 7],
  'strategy.plan': [{ planMode: 'plies', plan: '40' }, [{ window: 40 }]],
  'budget.positions': [{ positions: '5' }, 5],
  'budget.nodes': [{ totalNodes: '5' }, 5],
  'budget.engine_seconds': [{ engineMinutes: '2' }, 120],
  'budget.until': [{ until: toLocalInput(until) }, until],
  'stop.proven': [{ stopProven: false }, false],
  'stop.lead': [{ stopLead: '2.5' }, 2.5],
  'stop.levels': [{ stopLevels: '3' }, 3],
  window: [{ windowOn: true, windowFrom: '21:00' }, '21:00-07:00'],
  priority: [{ priority: '4' }, 4],
  fifty_moves: [{ fiftyMoves: false }, false],
  second_engine: [{ secondEngine: 'other' }, 'other'],
};

// Not in the form, and where they are instead.
const elsewhere: Record<string, string> = {
  hold: 'a button',
  rank: 'the order of the list',
  tags: 'the dialog of labels',
  game: 'the dialog of labels',
  my_side: 'the tab Repertoire',
  my_names: 'the tab Repertoire',
  accept: 'the dialog of imports; a copy has it from its model',
  accept_also: 'who adds at the same time as others: the command line',
  ...Object.fromEntries(
    ['per_ply', 'per_cp', 'other_side', 'side', 'draw', 'floor_sigma', 'anchor_threads', 'court'].map(
      name => [`strategy.${name}`, 'costs and what is for machines: the API; a copy has them from its model'],
    ),
  ),
  engine: 'the field of a new analysis: PATCH takes none',
  position: 'the board of a new analysis',
};

const at = (body: object, place: string): unknown =>
  place.split('.').reduce<unknown>((of, name) => (of as Record<string, unknown> | undefined)?.[name], body);

test('every setting that POST or PATCH takes is in the form, or known to be elsewhere', () => {
  const taken = ['NewAnalysis', 'AnalysisPatch'].flatMap(name =>
    places({ $ref: `#/components/schemas/${name}` }),
  );
  const all = new Set(taken.map(place => (place.startsWith('game.') ? 'game' : place)));
  assert.deepEqual([...all].sort(), [...Object.keys(edits), ...Object.keys(elsewhere)].sort());
});

test('what is typed into the form is sent, in a change and for a new analysis', () => {
  const a = analysis(1);
  const before = setupOf(a);
  for (const [place, [edit, value]] of Object.entries(edits)) {
    const errors = {};
    assert.deepEqual(at(toPatch({ ...before, ...edit }, before, a, errors), place), value, place);
    assert.deepEqual(at(toRequest({ ...before, ...edit }, errors), place), value, place);
    assert.deepEqual(errors, {}, place);
  }
});

test('the form shows what the analysis has', () => {
  const blank = setupOf(analysis(1));
  for (const [place, [edit, value]] of Object.entries(edits)) {
    const a = analysis(1);
    const path = place.split('.');
    if (path[0] === 'limit') a.limit = {};
    const last = path.pop() ?? '';
    const owner = path.reduce<Record<string, unknown>>(
      (of, name) => of[name] as Record<string, unknown>,
      a as unknown as Record<string, unknown>,
    );
    owner[last] = value;
    const shown = setupOf(a);
    for (const key of Object.keys(edit) as (keyof Setup)[]) assert.deepEqual(shown[key], edit[key], place);
    assert.notDeepEqual(shown, blank, place);
  }
});
