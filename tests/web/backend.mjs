// The server under test, one of two:
//   ADJOURN_URL   one that runs already (it cannot be restarted from here);
//   ADJOURN_CMD   a command as a JSON array, for example
//                 ["build/release/adjourn","serve","--listen","127.0.0.1:8499","--data","/tmp/x"];
//                 ADJOURN_CMD_URL is where it then answers. serve_and_run.mjs sets both.
// Both are reached through a small relay that can be cut, as a lost network is.
import http from 'node:http';
import net from 'node:net';
import { spawn } from 'node:child_process';
import { once } from 'node:events';

export async function freePort() {
  const probe = net.createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}

function answers(url) {
  return new Promise(resolve => {
    http
      .get(`${url}/api/v1/health`, response => {
        response.resume();
        resolve(response.statusCode === 200);
      })
      .on('error', () => resolve(false));
  });
}

async function untilAnswers(url, child) {
  for (let i = 0; i < 600; i++) {
    if (await answers(url)) return;
    if (child && child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`);
    await new Promise(r => setTimeout(r, 100));
  }
  throw new Error(`no answer from ${url}`);
}

// A command that can be killed and started again.
class Process {
  constructor(command, url) {
    Object.assign(this, { command, url });
  }
  async start() {
    const [program, ...args] = this.command;
    this.child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    await untilAnswers(this.url, this.child);
  }
  async kill(signal = 'SIGKILL') {
    const { child } = this;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }
}

// Passes everything on, with Host and Origin as the server expects them.
class Relay {
  constructor(target) {
    this.target = new URL(target);
    this.sockets = new Set();
    this.server = http.createServer((request, response) => this.pass(request, response));
    this.server.on('connection', socket => {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
    });
  }
  pass(request, response) {
    const headers = { ...request.headers, host: this.target.host };
    if (headers.origin) headers.origin = this.target.origin;
    const onward = http.request(
      {
        host: this.target.hostname,
        port: this.target.port,
        path: request.url,
        method: request.method,
        headers,
      },
      answer => {
        response.writeHead(answer.statusCode, answer.headers);
        response.flushHeaders();
        answer.pipe(response);
        answer.on('error', () => response.destroy());
        answer.on('aborted', () => response.destroy());
      },
    );
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  }
  async listen(port = 0) {
    this.server.listen(port, '127.0.0.1');
    await once(this.server, 'listening');
    this.port = this.server.address().port;
    return `http://127.0.0.1:${this.port}`;
  }
  async cut() {
    this.server.close();
    this.sockets.forEach(s => s.destroy());
    await once(this.server, 'close');
  }
  mend() {
    return this.listen(this.port);
  }
}

export async function startServer() {
  const { ADJOURN_URL: external, ADJOURN_CMD: command } = process.env;
  if (!external && !command)
    throw new Error('no server: node serve_and_run.mjs starts one, ADJOURN_URL names one');
  const process_ = external ? null : new Process(JSON.parse(command), process.env.ADJOURN_CMD_URL);
  await process_?.start();
  const target = external ?? process_.url;
  const relay = new Relay(target.replace(/\/$/, ''));
  const url = await relay.listen();
  return {
    url,
    cut: () => relay.cut(),
    mend: () => relay.mend(),
    restart: process_
      ? async (while_ = async () => {}) => {
          await process_.kill();
          await while_();
          await process_.start();
        }
      : null,
    stop: async () => {
      await relay.cut();
      await process_?.kill('SIGTERM');
    },
  };
}
