// The events of the server's stream by their kinds.
import type { Analysis, Engine, NodeEvent } from './types';

export type ServerEvent =
  | { kind: 'analysis'; data: Analysis }
  | { kind: 'node'; data: NodeEvent }
  | { kind: 'engine'; data: Engine }
  | { kind: 'removed'; data: { id: number } };

const kinds: readonly string[] = ['analysis', 'node', 'engine', 'removed'] satisfies ServerEvent['kind'][];

// null: `reset`, or a kind that a newer server knows.
export const serverEvent = (kind: string, data: unknown): ServerEvent | null =>
  kinds.includes(kind) ? ({ kind, data } as ServerEvent) : null;
