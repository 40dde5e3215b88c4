// The mock's answers about positions: node, tree, changes, evaluations, export.
import { makeFen } from 'chessops/fen';
import { keyOf, noise } from './evaluate.mjs';
import { Refusal, playAll, sanText, score } from './analyses.mjs';
import { chances, machine } from './graph.mjs';
import { nameOf } from './openings.mjs';

const identity = 'Mockfish 1.0';

export function lineOf(a, text) {
  const moves = text ? text.split(',') : [];
  return playAll(a.fen, moves, 'moves');
}

function statusOf(all, a, node, edge, keysOnLine) {
  if (a.excluded.has(`${node.key}|${edge.uci}`)) return 'excluded';
  if (edge.mate) return 'terminal';
  if (keysOnLine.has(edge.target)) return 'repetition';
  const target = all.graph.positions.get(edge.target);
  if (target.edges) return 'expanded';
  const running = all.state(a) === 'running';
  const at = a.open.findIndex(o => o.key === edge.target);
  if (running && at >= 0 && at < 2) return 'searching';
  if (running && at >= 0 && at < 5) return 'queued';
  return 'leaf';
}

export function node(all, a, text) {
  const { pos, steps } = lineOf(a, text);
  const { graph } = all;
  const keys = new Set([a.root]);
  let fen = a.fen;
  for (const step of steps) {
    fen = playAll(fen, [step.uci], 'moves').fen;
    keys.add(keyOf(playAll(fen, [], '').pos));
  }
  const at = graph.positions.get(keyOf(pos));
  const common = {
    fen: makeFen(pos.toSetup()),
    line: steps,
    turn: pos.turn,
    terminal: pos.isCheckmate() ? 'checkmate' : pos.isStalemate() ? 'stalemate' : null,
    opening: a.start_fen === all.startFen ? nameOf([...a.moves, ...steps.map(s => s.uci)]) : null,
    version: graph.version,
  };
  if (!at || !at.edges)
    return {
      ...common,
      status: common.terminal ? 'terminal' : at && at.parents.size ? 'leaf' : 'unscored',
      idea: common.terminal === 'checkmate' ? { mate: 0, side: pos.turn } : null,
      alpha: common.terminal === 'checkmate' ? { mate: 0, side: pos.turn } : null,
      moves: [],
      rest: { count: 0, bound: null },
      pv: { idea: [], alpha: [] },
      parents: [],
      notes: at?.notes ?? [],
    };
  const moves = all.rankedEdges(a, at).map(edge => {
    const value = graph.value(at, edge);
    const status = statusOf(all, a, at, edge, keys);
    return {
      uci: edge.uci,
      san: edge.san,
      engine: {
        score: score(edge.cp),
        depth: edge.depth,
        nodes: edge.nodes,
        engine: identity,
        at: edge.at,
        ...chances(edge),
        ...machine(edge),
      },
      idea: score(value),
      alpha: status === 'repetition' ? { cp: 0 } : score(value + (noise(edge.target) > 0.75 ? 4 : 0)),
      status,
      positions: graph.size(edge.target, 3000),
      transposition: graph.positions.get(edge.target).parents.size > 1,
      source: edge.source,
    };
  });
  const pv = graph.pv(at);
  const lineKeys = [...keys];
  const parents = [...at.parents]
    .filter(([key]) => key !== lineKeys.at(-2))
    .map(([key, move]) => ({ fen: graph.positions.get(key).fen, uci: move.uci, san: move.san }));
  const sign = pos.turn === 'white' ? 1 : -1;
  const last = moves.at(-1)?.idea;
  return {
    ...common,
    status: 'expanded',
    idea: score(at.idea),
    alpha: score(at.idea),
    ...behind(graph, at),
    moves,
    rest: {
      count: Math.max(0, (at.legal ?? moves.length) - moves.length),
      bound: last && 'cp' in last ? { cp: last.cp - sign } : null,
    },
    pv: { idea: pv, alpha: pv },
    parents,
    notes: at.notes,
  };
}

// Of the search whose score alpha is, at the end of its line.
function behind(graph, at) {
  const last = graph.bestEdges(at, 1000).at(-1);
  return last?.cp === at.idea ? chances(last) : {};
}

export function tree(all, a, text, { plies, margin, limit }) {
  const { pos } = lineOf(a, text);
  const { graph } = all;
  const seen = new Set();
  let used = 0;
  let truncated = false;
  const build = (edge, key, depth) => {
    used++;
    const at = graph.positions.get(key);
    const repeat = seen.has(key);
    const value = edge ? edge.value : (at?.idea ?? null);
    const branch = {
      uci: edge?.uci ?? null,
      san: edge?.san ?? null,
      alpha: score(value),
      idea: score(value),
      status: at?.edges ? 'expanded' : 'leaf',
      positions: at ? graph.size(key, 3000) : 0,
      repeat,
      children: [],
    };
    if (repeat || !at?.edges || depth >= plies) return branch;
    seen.add(key);
    const sign = at.turn === 'white' ? 1 : -1;
    const edges = all.rankedEdges(a, at);
    const top = graph.value(at, edges[0]);
    for (const e of edges) {
      const own = graph.value(at, e);
      if (sign * (top - own) > margin) continue;
      if (used >= limit) {
        truncated = true;
        break;
      }
      branch.children.push(build({ ...e, value: own }, e.target, depth + 1));
    }
    return branch;
  };
  return { root: build(null, keyOf(pos), 0), truncated };
}

export function changes(all, a, since, now) {
  const root = all.graph.positions.get(a.root);
  const old = [...a.snapshots].reverse().find(s => s.at <= since) ?? null;
  const pv = all.graph.pv(root);
  const best = pv[0]?.san ?? null;
  const before = new Map((old?.moves ?? []).map(m => [m.uci, m.alpha]));
  const swings = [];
  const fresh = [];
  const walk = (node, line) => {
    if (line.length > 5 || swings.length > 60) return;
    for (const e of node.edges ?? []) {
      const target = all.graph.positions.get(e.target);
      const next = [...line, { uci: e.uci, san: e.san }];
      const was = old?.ideas.get(e.target) ?? null;
      const is = target.idea;
      if (was !== null && is !== null && was !== is)
        swings.push({ line: next, before: { cp: was }, after: { cp: is }, delta: is - was });
      if (target.at > since && target.edges) fresh.push({ line: next, alpha: score(is) });
      walk(target, next);
    }
  };
  walk(root, []);
  return {
    since,
    now,
    evaluations: a.new + a.reused - (old?.evaluations ?? 0),
    best: { before: old?.pv[0] ?? null, after: best },
    alpha: { before: old?.alpha ?? null, after: score(root.idea) },
    pv: { before: old?.pv ?? [], after: pv.map(s => s.san) },
    moves: all.rankedEdges(a, root).map(e => ({
      uci: e.uci,
      san: e.san,
      before: before.get(e.uci) ?? null,
      after: score(all.graph.value(root, e)),
    })),
    new_best: [],
    swings: swings.sort((x, y) => Math.abs(y.delta) - Math.abs(x.delta)).slice(0, 10),
    new_lines: fresh.slice(-10),
  };
}

export function disagreements(all, a, text) {
  const { steps } = lineOf(a, text);
  const before = steps.map(s => s.uci);
  const found = [];
  const look = line => {
    const here = node(all, a, [...before, ...line.map(s => s.uci)].join());
    for (const m of here.moves) {
      const gap = m.alpha.cp - m.engine.score.cp;
      const next = [...line, { uci: m.uci, san: m.san }];
      if (Math.abs(gap) >= 15) found.push({ line: next, engine: m.engine.score, alpha: m.alpha, gap });
      if (next.length < 3 && m.status === 'expanded') look(next);
    }
  };
  look([]);
  found.sort((x, y) => Math.abs(y.gap) - Math.abs(x.gap));
  return { disagreements: found.slice(0, 20), positions: found.length, truncated: false };
}

// What is left of the work that was given to verify.
export const verifying = ({ verifying: left }) => (left ? { evaluations: left, nodes: null } : null);

// The ends of the lines of the best two moves carry the answer; how near their values are tells how surely.
export function verdict(all, a, text) {
  const { pos, steps } = lineOf(a, text);
  const fen = makeFen(pos.toSetup());
  const at = all.graph.positions.get(keyOf(pos));
  const said = steps.length ? null : all.json(a).best?.uci;
  const edges = at?.edges ? all.rankedEdges(a, at).filter(e => !a.excluded.has(`${at.key}|${e.uci}`)) : [];
  const best = edges.find(e => e.uci === said) ?? edges[0];
  const none = { fen, best: null, rival: null, stands: null, meeting: null, bound: false, carries: [] };
  if (!best || edges.length < 2) return { ...none, verifying: verifying(a) };
  const rival = edges.find(e => e !== best);
  const gap = Math.abs(all.graph.value(at, best) - all.graph.value(at, rival));
  const cost = 0.2 + gap / 10;
  const percent = Math.round(100 * (1 - Math.exp(-cost) / 2));
  const meeting = score(Math.round((all.graph.value(at, best) + all.graph.value(at, rival)) / 2));
  const move = e => ({ uci: e.uci, san: e.san });
  const carries = [best, rival].map(first => {
    const target = all.graph.positions.get(first.target);
    const path = [first, ...all.graph.bestEdges(target, 3)];
    const last = path.pop();
    const line = path.map(move);
    const moves = line.map(step => step.uci);
    return {
      moves,
      line,
      fen: playAll(fen, moves, 'moves').fen,
      move: move(last),
      evaluation: 1,
      score: score(last.cp),
      needed: meeting,
      cost: cost / 2,
      effort: last.nodes,
      lifts_rival: first === rival,
    };
  });
  return {
    fen,
    best: move(best),
    rival: move(rival),
    stands: {
      percent,
      letter: 'ABCDEF'[Math.max(0, Math.min(5, 9 - Math.floor(percent / 10)))],
      tested: false,
    },
    cost,
    meeting,
    bound: false,
    carries,
    verifying: verifying(a),
  };
}

export function evaluations(all, a, text) {
  const { pos } = lineOf(a, text);
  const at = all.graph.positions.get(keyOf(pos));
  const done = [];
  return {
    fen: makeFen(pos.toSetup()),
    evaluations: (at?.edges ?? [])
      .filter(e => e.source === 'engine')
      .map((e, i) => {
        const excluded = [...done];
        done.push(e.uci);
        return {
          id: i + 1,
          engine: identity,
          fingerprint: '7f3a90c2',
          limit: a.limit,
          excluded,
          move: { uci: e.uci, san: e.san },
          score: score(e.first),
          bound: 'exact',
          depth: e.depth,
          seldepth: e.depth + 7,
          nodes: e.nodes,
          time_ms: Math.round(e.nodes / 900),
          pv: [e.san, ...all.graph.pv(all.graph.positions.get(e.target), 6).map(s => s.san)],
          at: e.at,
          ...chances({ ...e, cp: e.first }),
          ...machine(e),
        };
      }),
  };
}

export function exportFile(all, a, { format, moves, margin, plies }) {
  const { fen, steps } = lineOf(a, moves);
  if (format === 'json') {
    const body = JSON.stringify(tree(all, a, moves, { plies, margin, limit: 5000 }), null, 1);
    return { type: 'application/json', name: `${a.id}.json`, body };
  }
  if (format !== 'pgn')
    throw new Refusal(400, 'bad_value', `This server does not write ${format}.`, 'query.format');
  const { root } = tree(all, a, moves, { plies, margin, limit: 3000 });
  const text = (branch, ply, force) => {
    const [main, ...others] = branch.children;
    if (!main) return [];
    const one = (b, first) => {
      const n = Math.floor(ply / 2) + 1;
      const number = ply % 2 === 0 ? `${n}. ` : first ? `${n}... ` : '';
      const value = b.alpha && 'cp' in b.alpha ? (b.alpha.cp / 100).toFixed(2) : '#1';
      return `${number}${b.san} { [%eval ${value}] }`;
    };
    return [
      one(main, force),
      ...others.flatMap(b => ['(', one(b, true), ...text(b, ply + 1, false), ')']),
      ...text(main, ply + 1, others.length > 0),
    ];
  };
  const fields = fen.split(' ');
  const ply = (Number(fields[5]) - 1) * 2 + (fields[1] === 'b' ? 1 : 0);
  const headers = [
    ['Event', a.name],
    ['Site', '?'],
    ['Date', '2026.01.01'],
    ['White', '?'],
    ['Black', '?'],
    ['Result', '*'],
    ['FEN', fen],
    ['SetUp', '1'],
    ['Annotator', identity],
  ];
  const body =
    headers.map(([k, v]) => `[${k} "${v}"]`).join('\n') + '\n\n' + text(root, ply, true).join(' ') + ' *\n';
  return { type: 'application/x-chess-pgn', name: `adjourn-${a.id}${steps.length ? '-line' : ''}.pgn`, body };
}

export { sanText };

// What the tree makes of it is not known here.
export function directive(a, { at, action, moves, text, plies }) {
  const { steps } = playAll(a.fen, moves, 'moves');
  const move = ['include', 'exclude', 'clear'].includes(action) ? steps.pop() : undefined;
  return { at, action, line: steps, move, text, plies, holds: true, effect: null };
}

export function summary(all, since, now) {
  const analyses = all.list
    .map(a => ({ a, changes: changes(all, a, since, now) }))
    .filter(({ changes: { evaluations } }) => evaluations > 0)
    .map(({ a, changes: changed }) => {
      const { id, name, game, fen, state, settled } = all.json(a);
      const before = a.snapshots.filter(s => s.at <= since).length;
      return {
        id,
        name,
        game,
        fen,
        state,
        reason: null,
        settled: { before: Math.min(before, settled), after: settled },
        played: [],
        changes: changed,
      };
    });
  return { since, now, analyses, unchanged: all.list.length - analyses.length };
}
