// The events of the server's stream by their kinds. What has changed comes as those fields, with the one that names it.
import type { Analysis, Engine, NodeEvent } from './types';

export type ServerEvent =
  | { kind: 'analysis'; data: Analysis }
  | { kind: 'node'; data: NodeEvent }
  | { kind: 'engine'; data: Engine }
  | { kind: 'analysis_changed'; data: Partial<Analysis> & { id: number } }
  | { kind: 'engine_changed'; data: Partial<Engine> & { name: string } }
  | { kind: 'removed'; data: { id: number } };

const kinds: readonly string[] = [
  'analysis',
  'analysis_changed',
  'node',
  'engine',
  'engine_changed',
  'removed',
] satisfies ServerEvent['kind'][];

// null: `reset`, or a kind that a newer server knows.
export const serverEvent = (kind: string, data: unknown): ServerEvent | null =>
  kinds.includes(kind) ? ({ kind, data } as ServerEvent) : null;
