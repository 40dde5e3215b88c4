// A page without a browser: controllers get this context, with a server whose answers the test gives.
import type { Api } from '../src/data/api';
import type { Clock } from '../src/data/clock';
import type { Ctx } from '../src/ctx';
import { parseRoute } from '../src/router';
import { initialState } from '../src/state';
import { startFen } from '../src/chess/chess';
import { initialTree, type TreeState } from '../src/pages/tree/treeState';
import type { Analysis, NodeMove, TreeNode } from '../src/data/types';
import type { VNode } from '../src/ui/dom';

export const moment = 1_790_000_000_000; // Unix ms at which all tests begin

// Stands still until it is turned.
export class FakeClock implements Clock {
  private at = moment;
  private due: { at: number; work: () => void }[] = [];

  now = (): number => this.at;

  after = (ms: number, work: () => void): (() => void) => {
    const entry = { at: this.at + ms, work };
    this.due.push(entry);
    return () => {
      this.due = this.due.filter(e => e !== entry);
    };
  };

  turn(ms: number): void {
    const end = this.at + ms;
    for (;;) {
      const next = this.due.filter(e => e.at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.due = this.due.filter(e => e !== next);
      this.at = next.at;
      next.work();
    }
    this.at = end;
  }
}

export interface Fake extends Ctx {
  clock: FakeClock;
  wentTo: Parameters<Ctx['go']>[0][];
}

export function fakeCtx(api: Partial<Record<keyof Api, unknown>>): Fake {
  const ctx: Fake = {
    state: initialState(parseRoute('#/'), 'auto', moment),
    api: { looks: () => Promise.resolve([]), ...api } as unknown as Api,
    clock: new FakeClock(),
    hurry: () => undefined,
    redraw: () => undefined,
    wentTo: [],
    go: route => ctx.wentTo.push(route),
  };
  return ctx;
}

// A call whose answers are given by hand, in any order.
export function byHand<T>() {
  const asked: { give: (value: T) => void; fail: (error: Error) => void; args: unknown[] }[] = [];
  const call = (...args: unknown[]): Promise<T> =>
    new Promise((give, fail) => asked.push({ give, fail, args }));
  return Object.assign(call, { asked, args: () => asked.map(one => one.args) });
}

// All that is ready to run has run.
export const settled = (): Promise<void> => new Promise(done => setImmediate(done));

export const analysis = (id: number, more: Partial<Analysis> = {}): Analysis => ({
  id,
  name: `A${id}`,
  fen: startFen,
  start_fen: startFen,
  moves: [],
  played: 0,
  san: '',
  opening: null,
  engine: 'hash',
  limit: { depth: 12 },
  strategy: { kind: 'halving', move_distance: 20, refine: 6, floor: 5 },
  budget: {},
  stop: { proven: true, lead: 0, levels: 2 },
  accept: [],
  window: null,
  tags: [],
  game: {},
  priority: 0,
  rank: id,
  hold: false,
  state: 'running',
  reason: null,
  refine: 1,
  settled: 0,
  positions: 0,
  evaluations: { new: 0, reused: 0, unneeded: 0 },
  unneeded: 0,
  nodes: 0,
  engine_seconds: 0,
  in_flight: 0,
  eta_seconds: null,
  eta_range: null,
  created_at: moment,
  changed_at: moment,
  best: null,
  renewal: null,
  standing_search: null,
  sparkline: [],
  ...more,
});

export const node = (version: number, more: Partial<TreeNode> = {}): TreeNode => ({
  fen: startFen,
  line: [],
  turn: 'white',
  status: 'expanded',
  terminal: null,
  idea: null,
  alpha: null,
  moves: [],
  rest: { count: 20, bound: null },
  pv: { idea: [], alpha: [] },
  parents: [],
  opening: null,
  notes: [],
  version,
  ...more,
});

// A row of the table; without centipawns it is not scored.
export const move = (
  uci: string,
  cp: number | null,
  status: NodeMove['status'] = 'leaf',
  positions = 0,
): NodeMove => ({
  uci,
  san: uci,
  engine: null,
  idea: cp === null ? null : { cp },
  alpha: cp === null ? null : { cp },
  status,
  positions,
  transposition: false,
  source: 'engine',
});

export function openTree(ctx: Ctx, id: number, line: string[] = []): TreeState {
  const { state } = ctx;
  state.store.analyses.put(analysis(id), state.store.now());
  const tree = initialTree(id, line, 'moves', state.store, state.picture);
  state.tree = tree;
  state.route = { page: 'tree', id, line, tab: 'moves' };
  return tree;
}

// The browser's memory, which outlives the page; empty.
export function remember(): void {
  const kept = new Map<string, string>();
  globalThis.localStorage = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  } as unknown as Storage;
}

type Node = VNode | string | null | undefined;

// All words below a node, in order.
export function words(node: Node): string {
  if (!node) return '';
  if (typeof node === 'string') return node;
  return [node.text ?? '', ...(node.children ?? []).map(words)].filter(Boolean).join(' ');
}

export function find(node: Node, test: (n: VNode) => boolean): VNode[] {
  if (!node || typeof node === 'string') return [];
  return [...(test(node) ? [node] : []), ...(node.children ?? []).flatMap(child => find(child, test))];
}
