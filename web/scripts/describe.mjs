// TypeScript of a description of an API (OpenAPI 3.1): types, limits and choices. Pure.

const nameOf = ref => ref.split('/').at(-1);

function literal(value) {
  return typeof value === 'string' ? `'${value}'` : String(value);
}

const union = parts => [...new Set(parts)].join(' | ');
const inList = type => (/[|&]/.test(type) ? `(${type})` : type);

// The TypeScript of a schema. What has no counterpart (patterns, ranges) is left out.
function typeOf(schema) {
  if (schema === true) return 'unknown';
  const parts = [];
  if (schema.$ref) parts.push(nameOf(schema.$ref));
  if ('const' in schema) parts.push(literal(schema.const));
  else if (schema.enum) parts.push(inList(union(schema.enum.map(literal))));
  const choices = (schema.oneOf ?? schema.anyOf ?? []).filter(one => one.type || one.$ref || one.enum);
  if (choices.length) parts.push(inList(union(choices.map(typeOf))));
  const own = ownType(schema);
  if (own && !(parts.length && own === 'object')) parts.push(own);
  return parts.join(' & ') || 'unknown';
}

function ownType(schema) {
  if (schema.enum || 'const' in schema) return '';
  const fields = Object.entries(schema.properties ?? {}).filter(([, inner]) => inner !== true);
  if (fields.length) return objectType(schema, fields);
  if (typeof schema.additionalProperties === 'object')
    return `Record<string, ${typeOf(schema.additionalProperties)}>`;
  const kinds = [schema.type].flat().filter(Boolean);
  return union(kinds.map(kind => plainType(kind, schema)));
}

function plainType(kind, schema) {
  if (kind === 'integer') return 'number';
  if (kind === 'array') return `${inList(typeOf(schema.items ?? true))}[]`;
  return kind; // string, number, boolean, null, object
}

function objectType({ required = [], type }, fields) {
  const lines = fields.map(([name, inner]) => {
    const field = `${name}${required.includes(name) ? '' : '?'}: ${typeOf(inner)};`;
    return inner.description ? `/** ${inner.description.trim().replace(/\s+/g, ' ')} */ ${field}` : field;
  });
  const text = `{ ${lines.join('\n')} }`;
  return [type].flat().includes('null') ? `${text} | null` : text;
}

// Least and most of every number that a request takes: "strategy.refine" → [0, 200].
function limitsOf(document) {
  const limits = {};
  const { schemas } = document.components;
  const walk = (at, schema) => {
    if (!schema || schema === true) return;
    if (schema.$ref) walk(at, schemas[nameOf(schema.$ref)]);
    if (typeof schema.minimum === 'number' && typeof schema.maximum === 'number')
      limits[at] = [schema.minimum, schema.maximum];
    if (typeof schema.maxLength === 'number') limits[at] = [schema.minLength ?? 0, schema.maxLength];
    if (typeof schema.maxItems === 'number') limits[`${at}.length`] = [schema.minItems ?? 0, schema.maxItems];
    if (schema.items) walk(at, schema.items);
    for (const [name, inner] of Object.entries(schema.properties ?? {}))
      walk(at ? `${at}.${name}` : name, inner);
    for (const one of schema.oneOf ?? []) if (one.$ref) walk(at, one);
  };
  walk('', schemas.NewAnalysis);
  for (const operation of operationsOf(document))
    for (const parameter of operation.parameters ?? [])
      if (parameter.name) walk(`${operation.operationId}.${parameter.name}`, parameter.schema);
  return limits;
}

const operationsOf = document =>
  Object.values(document.paths).flatMap(item =>
    ['get', 'post', 'patch', 'delete'].flatMap(m => item[m] ?? []),
  );

// The words that a request may choose from, in the order of the description.
function choicesOf(document) {
  const exported = operationsOf(document).find(o => o.operationId === 'exportAnalysis') ?? {};
  return {
    strategies: document.components.schemas.StrategyKind.enum,
    formats: exported.parameters?.find(p => p.name === 'format').schema.enum,
  };
}

export function describe(document) {
  const constants = value => `${JSON.stringify(value, null, 1)} as const`;
  return [
    '// Made from docs/openapi.yaml by scripts/described.mjs: change that, not this.',
    ...Object.entries(document.components.schemas).map(
      ([name, schema]) => `export type ${name} = ${typeOf(schema)};`,
    ),
    `export const limits = ${constants(limitsOf(document))};`,
    `export const choices = ${constants(choicesOf(document))};`,
    '',
  ].join('\n');
}
