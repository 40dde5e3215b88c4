// The mock's analyses: what is asked for, how far it has come, and how it grows.
import { makeFen } from 'chessops/fen';
import { makeSan, parseSan } from 'chessops/san';
import { normalizeMove } from 'chessops/chess';
import { parseUci } from 'chessops/util';
import { judge, keyOf, parse, uciOf } from './evaluate.mjs';
import { Graph, score } from './graph.mjs';
import { nameOf } from './openings.mjs';

export const startFen = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

export class Refusal extends Error {
  constructor(status, code, message, where = '') {
    super(message);
    Object.assign(this, { status, code, where });
  }
}

// Plays UCI or SAN moves; throws a Refusal that names the move.
export function playAll(fen, moves, where) {
  let pos;
  try {
    pos = parse(fen);
  } catch (error) {
    throw new Refusal(
      400,
      'illegal_position',
      `This is not a legal position: ${error.message}.`,
      'position.fen',
    );
  }
  const steps = [];
  moves.forEach((text, i) => {
    const raw = parseUci(text);
    const move = raw ? normalizeMove(pos, raw) : parseSan(pos, text);
    if (!move || !pos.isLegal(move))
      throw new Refusal(400, 'illegal_move', `${text} is not legal here.`, `${where}[${i}]`);
    steps.push({ uci: uciOf(pos, move), san: makeSan(pos, move) });
    pos.play(move);
  });
  return { pos, fen: makeFen(pos.toSetup()), steps };
}

export function sanText(fen, sans) {
  const fields = fen.split(' ');
  let ply = (Number(fields[5]) - 1) * 2 + (fields[1] === 'b' ? 1 : 0);
  return sans
    .map((san, i) => {
      const n = Math.floor(ply / 2) + 1;
      const text = ply % 2 === 0 ? `${n}. ${san}` : i === 0 ? `${n}... ${san}` : san;
      ply++;
      return text;
    })
    .join(' ');
}

const levels = [0, 1, 5, 16, 42, 100, 220, 450, 900, 1800, 4000, 9000, 20000];

export class Analyses {
  constructor(clock = () => Date.now()) {
    this.graph = new Graph();
    this.list = [];
    this.next = 1;
    this.clock = clock;
    this.log = []; // what restores the state after a restart
  }

  create(body, at = this.clock()) {
    const start = body.position.fen ?? startFen;
    const moves = body.position.moves ?? [];
    const { fen, steps, pos } = playAll(start, moves, 'position.moves');
    const root = this.graph.at(fen, steps.length);
    const strategy = { kind: 'halving', move_distance: 20, refine: 0, floor: 5, ...body.strategy };
    const a = {
      id: this.next++,
      name: body.name ?? nameOf(steps.map(s => s.uci))?.name ?? 'Position',
      start_fen: start,
      fen,
      moves: steps.map(s => s.uci),
      san: sanText(
        start,
        steps.map(s => s.san),
      ),
      opening: start === startFen ? nameOf(steps.map(s => s.uci)) : null,
      engine: body.engine ?? 'stockfish',
      limit: body.limit,
      strategy,
      budget: body.budget ?? {},
      stop: { proven: true, lead: 0, levels: 2, ...body.stop },
      accept: body.accept ?? [],
      window: body.window ?? null,
      tags: body.tags ?? [],
      game: body.game ?? {},
      priority: body.priority ?? 0,
      rank: 1 + Math.max(0, ...this.list.map(x => x.rank)),
      hold: body.hold ?? false,
      created_at: at,
      root: root.key,
      base: Math.round(judge(pos) * 0.3),
      open: [{ key: root.key, cost: 0 }],
      met: new Set([root.key]),
      positions: 0,
      new: 0,
      reused: 0,
      settled: 0,
      snapshots: [],
      swings: new Map(),
      excluded: new Set(),
      said: [], // directives
    };
    this.list.push(a);
    this.log.push({ op: 'create', at, body });
    return a;
  }

  find(id) {
    const a = this.list.find(x => x.id === id);
    if (!a) throw new Refusal(404, 'not_found', `There is no analysis ${id}.`, '');
    return a;
  }

  state(a) {
    if (a.hold) return 'paused';
    if (a.strategy.refine && a.settled >= a.strategy.refine) return 'settled';
    if (!a.open.length || (a.budget.positions && a.positions >= a.budget.positions)) return 'exhausted';
    const open = this.list.filter(x => !x.hold && !(x.strategy.refine && x.settled >= x.strategy.refine));
    return open.indexOf(a) < 6 ? 'running' : 'queued';
  }

  // One step of growth: a position expanded, or now and then one searched deeper.
  grow(a, at = this.clock()) {
    const before = new Map();
    const root = this.graph.positions.get(a.root);
    const step = a.new + a.reused;
    a.open.sort((x, y) => x.cost - y.cost);
    const next = a.open.shift();
    if (!next) return { touched: new Set() };
    const node = this.graph.positions.get(next.key);
    let touched;
    const edges = this.graph.expand(node, {
      distance: a.strategy.move_distance * 2,
      depth: a.limit.depth ?? 14,
      base: node.idea ?? next.base ?? a.base,
      quick: a.quick,
      at,
    });
    if (edges.length) a.new += edges.length;
    else a.reused += node.edges?.length ?? 0;
    a.positions++;
    const sign = node.turn === 'white' ? 1 : -1;
    const top = node.edges?.length ? Math.max(...node.edges.map(e => sign * e.cp)) : 0;
    (node.edges ?? []).forEach((edge, rank) => {
      const gap = Math.max(0, top - sign * edge.cp);
      if (gap > a.strategy.move_distance && !next.forced) return;
      if (edge.mate || a.met.has(edge.target)) return;
      a.met.add(edge.target);
      a.open.push({
        key: edge.target,
        cost: next.cost + 1 + gap / 8 + Math.log2(1 + rank) / 2,
        base: edge.cp,
      });
    });
    this.openBest(a, root, next.cost);
    touched = new Set([node.key, ...node.parents.keys(), a.root]);
    if (step % 5 === 4) {
      const old = this.graph.value(root, this.graph.best(root));
      this.graph.revise(node, at, step)?.forEach(key => touched.add(key));
      const now = this.graph.value(root, this.graph.best(root));
      if (old !== now) before.set('root', [old, now]);
    }
    const level =
      levels.findLastIndex?.(n => n <= a.positions) ?? levels.filter(n => n <= a.positions).length - 1;
    while (a.settled < level) {
      a.settled++;
      this.snapshot(a, at);
    }
    return { touched };
  }

  // The end of the best line is always worth a search.
  openBest(a, root, cost) {
    let at = root;
    const seen = new Set();
    while (at.edges && !seen.has(at.key)) {
      seen.add(at.key);
      const edge = this.graph.best(at);
      if (!edge || edge.mate) return;
      at = this.graph.positions.get(edge.target);
    }
    if (at.edges || a.open.some(o => o.key === at.key)) return;
    a.met.add(at.key);
    a.open.push({ key: at.key, cost, base: at.idea ?? undefined });
  }

  snapshot(a, at) {
    const root = this.graph.positions.get(a.root);
    a.snapshots.push({
      refine: a.settled,
      limit: a.limit,
      strategy: a.strategy,
      at,
      evaluations: a.new + a.reused,
      positions: a.positions,
      engine_seconds: a.new * 0.21,
      alpha: score(root.idea),
      idea: score(root.idea),
      moves: this.rankedEdges(a, root)
        .slice(0, 8)
        .map(e => ({
          uci: e.uci,
          san: e.san,
          alpha: score(this.graph.value(root, e)),
          idea: score(this.graph.value(root, e)),
        })),
      pv: this.graph.pv(root).map(s => s.san),
      ideas: new Map([...this.graph.positions].slice(0, 4000).map(([k, p]) => [k, p.idea])),
    });
  }

  remaining(a, state) {
    if (state !== 'running' || a.settled < 3 || !a.strategy.refine)
      return { eta_seconds: null, eta_range: null };
    const seconds = Math.max(5, Math.round((levels[a.settled + 1] - a.positions) / 3));
    return { eta_seconds: seconds, eta_range: [Math.round(seconds / 2), seconds * 2] };
  }

  rankedEdges(a, node) {
    const sign = node.turn === 'white' ? 1 : -1;
    const key = e => (a.excluded.has(`${node.key}|${e.uci}`) ? -1e9 : sign * this.graph.value(node, e));
    return [...(node.edges ?? [])].sort((x, y) => key(y) - key(x));
  }

  json(a) {
    const root = this.graph.positions.get(a.root);
    const best = this.graph.best(root);
    const state = this.state(a);
    const value = best && score(this.graph.value(root, best));
    return {
      id: a.id,
      name: a.name,
      fen: a.fen,
      start_fen: a.start_fen,
      moves: a.moves,
      played: 0,
      san: a.san,
      opening: a.opening,
      engine: a.engine,
      limit: a.limit,
      strategy: a.strategy,
      budget: a.budget,
      stop: a.stop,
      accept: a.accept,
      window: a.window,
      tags: a.tags,
      game: a.game,
      priority: a.priority,
      rank: a.rank,
      hold: a.hold,
      state,
      reason: state === 'paused' ? 'paused by hand' : null,
      refine: Math.min(a.settled + 1, a.strategy.refine || 99),
      settled: a.settled,
      positions: a.positions,
      evaluations: { new: a.new, reused: a.reused, unneeded: Math.floor(a.new / 40) },
      unneeded: Math.floor(a.new / 40),
      nodes: a.new * 312_345,
      engine_seconds: Math.round(a.new * 2.1) / 10,
      in_flight: state === 'running' ? 4 : 0,
      ...this.remaining(a, state),
      created_at: a.created_at,
      changed_at: a.snapshots.at(-1)?.at ?? a.created_at,
      best: best && { uci: best.uci, san: best.san, alpha: value, idea: value },
      standing_search: null,
      sparkline: a.snapshots.map(s => s.alpha?.cp ?? 0),
    };
  }
}

export { keyOf, score };
