// The mock's server-sent events: coalesced, numbered, resumable from a short memory.
export class Hub {
  constructor() {
    this.clients = new Set();
    this.recent = [];
    this.id = 0;
    this.epoch = Date.now().toString(36);
    this.pending = new Map();
    this.told = new Map(); // of each kind and subject, what its latest event said
    this.timer = setInterval(() => this.flush(), 120);
    this.pinger = setInterval(() => this.clients.forEach(c => c.response.write(': ping\n\n')), 15_000);
  }

  publish(kind, subject, analysis, data) {
    this.pending.set(`${kind}/${subject}`, { kind, analysis, data });
  }

  flush() {
    for (const event of this.pending.values()) {
      const key = `${event.kind}/${event.data.id ?? event.data.name}`;
      const changed = this.changes(this.told.get(key), event);
      if (changed === null) continue; // nothing
      if (event.kind !== 'node') this.told.set(key, event.data);
      const numbered = { ...event, changed, id: `${this.epoch}-${++this.id}` };
      this.recent.push(numbered);
      for (const client of this.clients) this.send(client, numbered);
    }
    this.pending.clear();
    this.recent.splice(0, Math.max(0, this.recent.length - 300));
  }

  // The fields that are not as before; undefined: all may be new; null: none is.
  changes(before, { kind, data }) {
    if (!before || (kind !== 'analysis' && kind !== 'engine')) return undefined;
    const fields = Object.entries(data).filter(([k, v]) => JSON.stringify(v) !== JSON.stringify(before[k]));
    return fields.length
      ? { [kind === 'engine' ? 'name' : 'id']: data.id ?? data.name, ...Object.fromEntries(fields) }
      : null;
  }

  send(client, { id, kind, analysis, data, changed }) {
    if (client.analysis !== null && analysis !== null && analysis !== client.analysis) return;
    if (kind === 'node' && client.nodes !== null && analysis !== client.nodes) return;
    if (client.lean && changed) {
      client.response.write(`id: ${id}\nevent: ${kind}_changed\ndata: ${JSON.stringify(changed)}\n\n`);
      return;
    }
    client.response.write(`id: ${id}\nevent: ${kind}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  connect(response, { analysis, nodes, lean }, lastId) {
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
    const client = { response, analysis, nodes, lean };
    if (lastId) {
      const at = this.recent.findIndex(e => e.id === lastId);
      if (at < 0) response.write('event: reset\ndata: {}\n\n');
      else for (const event of this.recent.slice(at + 1)) this.send(client, event);
    } else response.write(': hello\n\n');
    this.clients.add(client);
    response.on('close', () => this.clients.delete(client));
  }

  stop() {
    clearInterval(this.timer);
    clearInterval(this.pinger);
    this.clients.forEach(c => c.response.end());
  }
}
