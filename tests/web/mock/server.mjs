// A mock of the server: the whole of docs/api/reference.md over a small growing tree.
import http from 'node:http';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { Analyses, Refusal, playAll, startFen } from './analyses.mjs';
import { keyOf } from './evaluate.mjs';
import { Hub } from './hub.mjs';
import { readGames } from './imports.mjs';
import { searchOpenings } from './openings.mjs';
import { security, serveFile } from './static.mjs';
import { parse } from 'yaml';
import * as views from './views.mjs';

// The real server's own description.
const openapi = () => parse(readFileSync(new URL('../../../docs/openapi.yaml', import.meta.url), 'utf8'));

export class MockServer {
  // rate: steps of growth a second; file: where the state survives a restart.
  constructor({ rate = 6, file = null, token = null } = {}) {
    this.all = new Analyses();
    this.all.startFen = startFen;
    this.hub = new Hub();
    this.file = file;
    this.token = token;
    this.started = Date.now();
    this.tick = 0;
    if (file && existsSync(file)) this.restore(JSON.parse(readFileSync(file, 'utf8')));
    this.timer = rate > 0 ? setInterval(() => this.grow(), 1000 / rate) : null;
    this.http = http.createServer((request, response) => void this.handle(request, response));
  }

  listen(port = 0) {
    return new Promise(resolve =>
      this.http.listen(port, '127.0.0.1', () => resolve(this.http.address().port)),
    );
  }

  stop() {
    clearInterval(this.timer);
    this.hub.stop();
    this.http.closeAllConnections();
    return new Promise(resolve => this.http.close(resolve));
  }

  restore(log) {
    for (const entry of log) {
      if (entry.op === 'create') this.all.create(entry.body, entry.at);
      else if (entry.op === 'grow') {
        const a = this.all.list.find(x => x.id === entry.id);
        for (const at of entry.ats) if (a) this.all.grow(a, at);
      } else if (entry.op === 'patch') this.patch(entry.id, entry.body);
      else if (entry.op === 'delete') this.all.list = this.all.list.filter(x => x.id !== entry.id);
      else if (entry.op === 'direct') this.direct(entry.id, entry.body, entry.at);
    }
    this.all.log = log;
  }

  record(entry) {
    const { log } = this.all;
    const last = log.at(-1);
    if (entry.op === 'grow' && last?.op === 'grow' && last.id === entry.id) last.ats.push(entry.at);
    else if (entry.op === 'grow') log.push({ op: 'grow', id: entry.id, ats: [entry.at] });
    else log.push(entry);
    if (this.file) writeFileSync(this.file, JSON.stringify(log));
  }

  grow() {
    const running = this.all.list.filter(a => this.all.state(a) === 'running');
    const a = running[this.tick++ % (running.length || 1)];
    this.hub.publish('engine', 'stockfish', null, this.engines()[0]);
    if (!a) return;
    const at = Date.now();
    const { touched } = this.all.grow(a, at);
    if (a.verifying) a.verifying--;
    this.record({ op: 'grow', id: a.id, at });
    this.changed(a, touched);
  }

  changed(a, touched) {
    this.hub.publish('analysis', a.id, a.id, this.all.json(a));
    const fens = [...touched].map(key => this.all.graph.positions.get(key).fen);
    this.hub.publish('node', a.id, a.id, {
      analysis: a.id,
      version: this.all.graph.version,
      fens: fens.length > 60 ? null : fens,
    });
  }

  engines() {
    const running = this.all.list.filter(a => this.all.state(a) === 'running');
    const processes = [0, 1].map(index => {
      const a = running[index % (running.length || 1)];
      const next = a?.open[index];
      const searching = Boolean(a && next);
      const root = a && this.all.graph.positions.get(a.root);
      return {
        index,
        state: searching ? 'searching' : 'idle',
        pid: 4711 + index,
        analysis: searching ? a.id : null,
        fen: searching ? this.all.graph.positions.get(next.key).fen : null,
        line: searching ? this.all.graph.pv(root, 3).map(s => s.san) : null,
        depth: searching ? 6 + ((this.tick + index * 3) % 9) : null,
        nodes: searching ? 120_000 + this.tick * 311 : null,
        nps: searching ? 880_000 + ((this.tick * 7919) % 60_000) : null,
        restarts: index,
        deaths_last_minute: 0,
        unstable: false,
        jobs: 40 + this.tick,
        busy: searching ? 0.98 : 0.4,
        problem: null,
      };
    });
    const options = { Threads: '1', Hash: '64' };
    const identity = { name: 'Mockfish 1.0', network: 'nn-0000000000.nnue', options };
    const noise = { sigma_cp: 8.9, pairs: 1200 };
    return [{ name: 'stockfish', default: true, identity, problem: null, noise, processes }];
  }

  patch(id, body) {
    const a = this.all.find(id);
    const known = [
      'name',
      'hold',
      'priority',
      'limit',
      'strategy',
      'budget',
      'stop',
      'accept',
      'window',
      'tags',
      'game',
      'rank',
    ];
    for (const key of Object.keys(body))
      if (!known.includes(key)) throw new Refusal(400, 'unknown_field', `There is no field ${key}.`, key);
    Object.assign(a, body, body.strategy && { strategy: { ...a.strategy, ...body.strategy } });
    if (body.game)
      a.game = Object.fromEntries(Object.entries({ ...a.game, ...body.game }).filter(([, text]) => text));
    this.all.list.sort((x, y) => y.priority - x.priority || x.rank - y.rank || x.id - y.id);
    return a;
  }

  direct(id, body, at = Date.now()) {
    const a = this.all.find(id);
    const { graph } = this.all;
    const whole = playAll(a.fen, body.moves, 'moves');
    const target = graph.at(whole.fen, a.moves.length + whole.steps.length);
    const last = whole.steps.at(-1);
    const touched = new Set([target.key]);
    if (['include', 'exclude', 'clear'].includes(body.action)) {
      if (!last) throw new Refusal(400, 'bad_value', 'The root is not a move.', 'moves');
      const before = playAll(a.fen, body.moves.slice(0, -1), 'moves');
      const parent = graph.at(before.fen, a.moves.length + whole.steps.length - 1);
      const key = `${parent.key}|${last.uci}`;
      touched.add(parent.key);
      if (body.action === 'include') {
        graph.addByHand(parent, last.uci, a.limit.depth ?? 14, at);
        a.excluded.delete(key);
        a.open.unshift({ key: target.key, cost: -1, forced: true });
      } else if (body.action === 'exclude') a.excluded.add(key);
      else a.excluded.delete(key);
      const edge = parent.edges?.find(e => e.uci === last.uci);
      if (edge) edge.excluded = a.excluded.has(key);
      graph.back(parent).forEach(k => touched.add(k));
    } else if (body.action === 'note') target.notes.push({ at, text: body.text });
    else if (body.action === 'deepen' || body.action === 'now')
      a.open.unshift({ key: target.key, cost: -2, forced: true });
    else throw new Refusal(400, 'bad_value', `There is no action ${body.action}.`, 'action');
    graph.version++;
    this.changed(a, touched);
    a.said.push({ at, ...body });
    return a.said.length;
  }

  async handle(request, response) {
    const url = new URL(request.url, 'http://mock');
    try {
      if (!url.pathname.startsWith('/api/')) {
        if (!serveFile(request, response, url.pathname)) response.writeHead(404, security).end();
        return;
      }
      if (this.token && request.headers.authorization !== `Bearer ${this.token}`)
        throw new Refusal(401, 'unauthorised', 'A token is needed.');
      await this.api(request, response, url);
    } catch (error) {
      const known = error instanceof Refusal;
      if (!known) console.error(error);
      const { status = 500, code = 'internal', message, where = '' } = error;
      this.json(response, { error: { code, message: known ? message : 'Something broke.', where } }, status);
    }
  }

  json(response, body, status = 200, headers = {}) {
    response.writeHead(status, {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      ...security,
      ...headers,
    });
    response.end(JSON.stringify(body));
  }

  async text(request) {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    return Buffer.concat(chunks).toString('utf8');
  }

  async body(request) {
    try {
      return JSON.parse(await this.text(request));
    } catch {
      throw new Refusal(400, 'bad_json', 'The body is not JSON.');
    }
  }

  async api(request, response, url) {
    const parts = url.pathname.split('/').slice(3);
    const q = name => url.searchParams.get(name);
    const { all } = this;
    const [what, idText, sub] = parts;
    const method = request.method;
    if (what === 'events')
      return this.hub.connect(
        response,
        {
          analysis: q('analysis') ? Number(q('analysis')) : null,
          nodes: q('nodes') ? Number(q('nodes')) : null,
          lean: q('fields') === 'changed',
        },
        request.headers['last-event-id'],
      );
    if (what === 'health')
      return this.json(response, {
        status: 'ok',
        version: '0.1.0',
        role: 'writer',
        time_zone: { name: 'Europe/Berlin', offset_minutes: 60 },
        uptime_seconds: Math.round((Date.now() - this.started) / 1000),
        store: { evaluations: all.graph.evaluations, positions: all.graph.positions.size },
        analyses: { running: 1, queued: 0 },
      });
    if (what === 'openapi.json') return this.json(response, openapi());
    if (what === 'webhooks') return this.json(response, { webhooks: [] });
    if (what === 'workers') return this.json(response, { machines: [], refusals: [] });
    if (what === 'engines' && idText === 'installed')
      return this.json(response, { installed: [], most_processes: 1 });
    if (what === 'engines') return this.json(response, { engines: this.engines() });
    if (what === 'openings')
      return this.json(response, { openings: searchOpenings(q('q') ?? '', Number(q('limit') ?? 20)) });
    if (what === 'collections' && method === 'GET') return this.json(response, { collections: [] });
    if (what === 'positions' && method === 'POST') {
      const { text } = await this.body(request);
      const [opening] = searchOpenings(text, 1);
      if (!opening) throw new Refusal(400, 'bad_value', `text: '${text}' is no position`, 'text');
      const { fen, steps } = playAll(startFen, opening.uci, 'text');
      const { eco, name } = opening;
      return this.json(response, { start_fen: startFen, moves: steps, fen, opening: { eco, name } });
    }
    if (what === 'positions') {
      const { pos, fen } = playAll(q('fen'), [], 'fen');
      const holds = all.list.filter(a => a.root === keyOf(pos));
      return this.json(response, {
        fen,
        evaluations: all.graph.known(fen)?.edges?.length ?? 0,
        analyses: holds.map(a => ({ id: a.id, name: a.name, line: [] })),
      });
    }
    if (what === 'import' && method === 'POST')
      return this.json(response, readGames(await this.text(request), q('format'), q('analysis')));
    if (what === 'radar')
      return this.json(response, { since: Number(q('since')), now: Date.now(), entries: [], more: 0 });
    if (what === 'summary') return this.json(response, views.summary(all, Number(q('since')), Date.now()));
    if (what !== 'analyses') throw new Refusal(404, 'not_found', 'No such call.');
    if (!idText) {
      if (method === 'GET') return this.json(response, { analyses: all.list.map(a => all.json(a)) });
      const a = this.create(await this.body(request));
      return this.json(response, { id: a.id }, 201, { Location: `/api/v1/analyses/${a.id}` });
    }
    const a = all.find(Number(idText));
    if (!sub) {
      if (method === 'PATCH') {
        const body = await this.body(request);
        this.patch(a.id, body);
        this.record({ op: 'patch', id: a.id, body });
        this.hub.publish('analysis', a.id, a.id, all.json(a));
      } else if (method === 'DELETE') {
        all.list = all.list.filter(x => x !== a);
        this.record({ op: 'delete', id: a.id });
        this.hub.publish('removed', a.id, null, { id: a.id });
        return response.writeHead(204).end();
      }
      return this.json(response, all.json(a));
    }
    if (sub === 'files' && method === 'GET') return this.json(response, { files: [] }); // none are kept here
    if (sub === 'files' && method === 'POST')
      return this.json(
        response,
        { id: 1, games: 1, seeds: 0, evaluations: 0, mended: 0, refused: 0, told: [] },
        201,
      );
    if (sub === 'looks') return this.json(response, { looks: [] }); // none can be begun here
    if (sub === 'node') return this.json(response, views.node(all, a, q('moves')));
    if (sub === 'tree')
      return this.json(
        response,
        views.tree(all, a, q('moves'), {
          plies: Number(q('plies') ?? 4),
          margin: Number(q('margin') ?? 50),
          limit: Number(q('limit') ?? 500),
        }),
      );
    if (sub === 'history') return this.json(response, { snapshots: a.snapshots.map(({ ideas, ...s }) => s) });
    if (sub === 'changes') return this.json(response, views.changes(all, a, Number(q('since')), Date.now()));
    if (sub === 'disagreements') return this.json(response, views.disagreements(all, a, q('moves')));
    if (sub === 'verdict') return this.json(response, views.verdict(all, a, q('moves')));
    if (sub === 'verify' && method === 'POST') {
      const { evaluations = 8 } = await this.body(request);
      if (all.state(a) !== 'running') throw new Refusal(409, 'not_now', `not now: it is ${all.state(a)}`);
      a.verifying = evaluations;
      return this.json(response, views.verifying(a));
    }
    if (sub === 'evaluations') return this.json(response, views.evaluations(all, a, q('moves')));
    if (sub === 'directives' && method === 'GET')
      return this.json(response, { directives: a.said.map(body => views.directive(a, body)) });
    if (sub === 'directives' && method === 'POST') {
      const body = await this.body(request);
      const at = Date.now();
      const id = this.direct(a.id, body, at);
      this.record({ op: 'direct', id: a.id, body, at });
      return this.json(response, { id, at }, 201);
    }
    if (sub === 'export') {
      const file = views.exportFile(all, a, {
        format: q('format'),
        moves: q('moves'),
        margin: Number(q('margin') ?? 30),
        plies: Number(q('plies') ?? 20),
      });
      response.writeHead(200, {
        ...security,
        'Content-Type': file.type,
        'Content-Disposition': `attachment; filename="${file.name}"`,
      });
      return response.end(file.body);
    }
    throw new Refusal(404, 'not_found', 'No such call.');
  }

  create(body) {
    const known =
      'name position engine limit strategy budget stop accept tags game window priority hold'.split(' ');
    for (const key of Object.keys(body))
      if (!known.includes(key)) throw new Refusal(400, 'unknown_field', `There is no field ${key}.`, key);
    if (body.engine && body.engine !== 'stockfish')
      throw new Refusal(400, 'unknown_engine', `There is no engine ${body.engine}.`, 'engine');
    if (!body.limit) throw new Refusal(400, 'bad_value', 'A limit is needed.', 'limit');
    const a = this.all.create(body);
    if (this.file) writeFileSync(this.file, JSON.stringify(this.all.log));
    this.hub.publish('analysis', a.id, a.id, this.all.json(a));
    return a;
  }
}
