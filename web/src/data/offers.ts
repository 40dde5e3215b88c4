// What this server can do, read from its own description of its API: which strategies there are and
// which files it writes. A newer or older server is shown as it is. Pure.
import type { ExportFormat } from './types';

export interface Offers {
  strategies: string[]; // the first one is the default
  formats: ExportFormat[];
}

// What every server has had from the beginning.
export const leastOffers: Offers = { strategies: ['halving'], formats: ['pgn', 'json'] };

type Part = Record<string, unknown>;
const isPart = (value: unknown): value is Part => typeof value === 'object' && value !== null;

// The value at the end of a path of names; undefined where the path ends early.
function at(value: unknown, ...names: string[]): unknown {
  return names.reduce<unknown>((inner, name) => (isPart(inner) ? inner[name] : undefined), value);
}

const words = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((word): word is string => typeof word === 'string') : [];

const known: readonly ExportFormat[] = ['pgn', 'epd', 'polyglot', 'json'];

export function readOffers(openapi: unknown): Offers {
  const strategies = words(
    at(openapi, 'components', 'schemas', 'WantedStrategy', 'properties', 'kind', 'enum'),
  );
  const parameters = at(openapi, 'paths', '/analyses/{id}/export', 'get', 'parameters');
  const format = (Array.isArray(parameters) ? parameters : []).find(p => at(p, 'name') === 'format');
  const written = words(at(format, 'schema', 'enum'));
  const formats = known.filter(name => written.includes(name));
  return {
    strategies: strategies.length ? strategies : leastOffers.strategies,
    formats: formats.length ? formats : leastOffers.formats,
  };
}
