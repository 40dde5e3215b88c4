// The mock's server-sent events: coalesced, numbered, resumable from a short memory.
export class Hub {
  constructor() {
    this.clients = new Set();
    this.recent = [];
    this.id = 0;
    this.epoch = Date.now().toString(36);
    this.pending = new Map();
    this.timer = setInterval(() => this.flush(), 120);
    this.pinger = setInterval(() => this.clients.forEach(c => c.response.write(': ping\n\n')), 15_000);
  }

  publish(kind, subject, analysis, data) {
    this.pending.set(`${kind}/${subject}`, { kind, analysis, data });
  }

  flush() {
    for (const event of this.pending.values()) {
      const numbered = { ...event, id: `${this.epoch}-${++this.id}` };
      this.recent.push(numbered);
      for (const client of this.clients) this.send(client, numbered);
    }
    this.pending.clear();
    this.recent.splice(0, Math.max(0, this.recent.length - 300));
  }

  send(client, { id, kind, analysis, data }) {
    if (client.analysis !== null && analysis !== null && analysis !== client.analysis) return;
    client.response.write(`id: ${id}\nevent: ${kind}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  connect(response, analysis, lastId) {
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
    const client = { response, analysis };
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
