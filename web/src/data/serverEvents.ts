// The events of the server's stream by their kinds. What has changed comes as those fields, with the one that names it.
import type { Analysis, Engine, Look, NodeEvent } from './types';

export type ServerEvent =
  | { kind: 'analysis'; data: Analysis }
  | { kind: 'node'; data: NodeEvent }
  | { kind: 'look'; data: Look }
  | { kind: 'look_changed'; data: Partial<Look> & { id: number } }
  | { kind: 'engine'; data: Engine }
  | { kind: 'analysis_changed'; data: Partial<Analysis> & { id: number } }
  | { kind: 'engine_changed'; data: Partial<Engine> & { name: string } }
  | { kind: 'removed'; data: { id: number } };

const kinds: readonly string[] = [
  'analysis',
  'analysis_changed',
  'node',
  'look',
  'look_changed',
  'engine',
  'engine_changed',
  'removed',
] satisfies ServerEvent['kind'][];

// null: `reset`, or a kind that a newer server knows.
export const serverEvent = (kind: string, data: unknown): ServerEvent | null =>
  kinds.includes(kind) ? ({ kind, data } as ServerEvent) : null;
