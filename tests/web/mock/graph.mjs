// The mock's shared graph of positions: edges with engine scores, backed-up values, counts.
import { opposite } from 'chessops/util';
import { hash, keyOf, noise, parse, ranked } from './evaluate.mjs';

export class Graph {
  constructor() {
    this.positions = new Map(); // key → position
    this.version = 1;
    this.evaluations = 0;
  }

  // A position, made if it is new. `ply`: its distance from the nearest root.
  at(fen, ply) {
    const pos = parse(fen);
    const key = keyOf(pos);
    let node = this.positions.get(key);
    if (!node) {
      node = { key, fen, ply, turn: pos.turn, edges: null, idea: null, parents: new Map(), notes: [], at: 0 };
      this.positions.set(key, node);
    }
    node.ply = Math.min(node.ply, ply);
    return node;
  }

  known(fen) {
    return this.positions.get(keyOf(parse(fen))) ?? null;
  }

  // Scores the moves of a position: the best and those within `distance`, and one outside.
  expand(node, { distance, depth, base, quick, at }) {
    if (node.edges?.some(e => e.source === 'engine')) return [];
    const list = ranked(node.fen, base, quick);
    const sign = node.turn === 'white' ? 1 : -1;
    const chosen = list.filter((m, i) => i === 0 || (sign * (list[0].cp - m.cp) <= distance && i < 7));
    if (chosen.length < list.length) chosen.push(list[chosen.length]);
    for (const move of chosen) this.addEdge(node, move, 'engine', depth, at);
    node.legal = list.length;
    node.at = at;
    this.back(node);
    return node.edges.filter(e => chosen.some(m => m.uci === e.uci));
  }

  addEdge(node, move, source, depth, at) {
    node.edges ??= [];
    if (node.edges.some(e => e.uci === move.uci)) return;
    const target = this.at(move.fen, node.ply + 1);
    target.parents.set(node.key, move);
    this.evaluations++;
    node.edges.push({
      uci: move.uci,
      san: move.san,
      target: target.key,
      cp: move.cp,
      mate: move.mate,
      first: move.cp,
      depth: depth + (hash(move.fen) % 3),
      nodes: 20_000 + (hash(move.key) % 900_000),
      at,
      source,
    });
  }

  addByHand(node, uci, depth, at) {
    const list = ranked(node.fen, node.idea ?? 20, false);
    const move = list.find(m => m.uci === uci);
    if (move) this.addEdge(node, move, 'person', depth, at);
    node.legal ??= list.length;
    this.back(node);
    return move;
  }

  value(node, edge) {
    if (edge.mate) return edge.cp;
    const target = this.positions.get(edge.target);
    return target.idea !== null && target.ply > node.ply ? target.idea : edge.cp;
  }

  // Backs a changed position up, as far as values change.
  back(node) {
    const queue = [node];
    const touched = new Set();
    while (queue.length && touched.size < 5000) {
      const at = queue.shift();
      const sign = at.turn === 'white' ? 1 : -1;
      const values = (at.edges ?? []).filter(e => !e.excluded).map(e => this.value(at, e));
      const idea = values.length ? sign * Math.max(...values.map(v => sign * v)) : null;
      if (idea === at.idea && at !== node) continue;
      at.idea = idea;
      touched.add(at.key);
      for (const key of at.parents.keys()) {
        const parent = this.positions.get(key);
        if (parent.ply < at.ply) queue.push(parent);
      }
    }
    this.version++;
    return touched;
  }

  // Expanded positions at and below, at most `cap`.
  size(key, cap = 10_000) {
    const seen = new Set();
    const stack = [key];
    while (stack.length && seen.size < cap) {
      const next = stack.pop();
      const node = this.positions.get(next);
      if (!node?.edges || seen.has(next)) continue;
      seen.add(next);
      for (const edge of node.edges) stack.push(edge.target);
    }
    return seen.size;
  }

  // A later, deeper search of one edge of this position: the numbers move.
  revise(node, at, step) {
    const edge = node.edges?.[hash(node.key + step) % node.edges.length];
    if (!edge || edge.mate) return null;
    edge.cp += Math.round(9 * noise(edge.target + step));
    edge.depth += 1;
    edge.at = at;
    this.evaluations++;
    return this.back(node);
  }

  best(node) {
    const sign = node.turn === 'white' ? 1 : -1;
    const open = (node.edges ?? []).filter(e => !e.excluded);
    return open.sort((a, b) => sign * (this.value(node, b) - this.value(node, a)))[0] ?? null;
  }

  pv(node, cap = 14) {
    return this.bestEdges(node, cap).map(({ uci, san }) => ({ uci, san }));
  }

  bestEdges(node, cap) {
    const line = [];
    const seen = new Set();
    let at = node;
    while (at && line.length < cap && !seen.has(at.key)) {
      seen.add(at.key);
      const edge = this.best(at);
      if (!edge) break;
      line.push(edge);
      at = this.positions.get(edge.target);
    }
    return line;
  }
}

// Win, draw and loss that an engine would tell with such a score; searches from before it was kept have none.
export function chances({ cp, target }) {
  if (hash(`${target} kept`) % 6 === 5) return {};
  if (Math.abs(cp) >= 10_000) return { wdl: cp > 0 ? [1000, 0, 0] : [0, 0, 1000] };
  const wins = cp => Math.round(1000 / (1 + Math.exp((120 - cp) / 65)));
  const [white, black] = [wins(cp), wins(-cp)];
  return { wdl: [white, 1000 - white - black, black] };
}

// The machine that made a search, where it is known.
export const machine = ({ target }) => (hash(`${target} machine`) % 3 ? { machine: 'kitchen' } : {});

export const score = cp => (cp === null ? null : Math.abs(cp) >= 10_000 ? { mate: cp > 0 ? 1 : -1 } : { cp });
export { opposite };
