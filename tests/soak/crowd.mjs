#!/usr/bin/env node
// tests/soak/crowd.mjs [SECONDS_EACH] [BUILD_DIRECTORY]: a server at work, and crowds of bad clients, one kind after the
// other. Meanwhile one good client asks, and what it waits and what the server holds is measured. Prints a table, and
// ends with 1 if an answer was wrong or missing, the memory of a crowd stays, or a descriptor is left.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const top = path.join(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), '..', '..');
const seconds = Number(process.argv[2] ?? 20);
const build = path.resolve(process.argv[3] ?? path.join(top, 'build/release'));
const program = path.join(build, 'adjourn');
const engine = path.join(build, 'hash_engine');
if (!(seconds > 0) || !fs.existsSync(program) || !fs.existsSync(engine)) {
  console.error(
    `usage: crowd.mjs [SECONDS_EACH] [BUILD_DIRECTORY with adjourn and hash_engine]; no ${program} or ${engine}`,
  );
  process.exit(2);
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'adjourn-crowd-'));
const configuration = path.join(folder, 'adjourn.toml');
fs.writeFileSync(
  configuration,
  `[[engine]]\nname = "hash"\ncommand = ["${engine}"]\ncount = 4\noptions = { AnswerMs = 100, Jitter = 50 }\n`,
);
const server = spawn(
  program,
  ['serve', '--data', path.join(folder, 'data'), '--config', configuration, '--listen', '127.0.0.1:0'],
  { stdio: ['ignore', 'pipe', fs.openSync(path.join(folder, 'log'), 'a')] },
);
let said = '';
const port = await new Promise((found, failed) => {
  server.stdout.on('data', text => {
    said += text;
    const match = said.match(/http:\/\/127\.0\.0\.1:(\d+)/);
    if (match) found(Number(match[1]));
  });
  server.on('exit', code => failed(new Error(`serve ended with ${code}: ${said}`)));
});
server.removeAllListeners('exit');

const memory = () =>
  Number(fs.readFileSync(`/proc/${server.pid}/status`, 'utf8').match(/VmRSS:\s+(\d+)/)[1]) / 1024;
const descriptors = () => fs.readdirSync(`/proc/${server.pid}/fd`).length;

// On a connection of its own: one that arrives while the crowd is there.
function ask(method, target, body) {
  return new Promise((done, failed) => {
    const text = body === undefined ? '' : JSON.stringify(body);
    const headers = text === '' ? {} : { 'Content-Type': 'application/json', 'Content-Length': text.length };
    const call = http.request(
      {
        host: '127.0.0.1',
        port,
        method,
        path: `/api/v1/${target}`,
        agent: false,
        timeout: 30_000,
        headers,
      },
      answer => {
        answer.resume();
        answer.on('end', () => done(answer.statusCode));
        answer.on('error', failed);
      },
    );
    call.on('timeout', () => call.destroy(new Error('no answer within 30 s')));
    call.on('error', failed);
    call.end(text);
  });
}

const head = 'Host: 127.0.0.1\r\n';
function open(first, { reads = true } = {}) {
  const socket = net.connect(port, '127.0.0.1', () => first && socket.write(first));
  socket.on('error', () => {});
  if (reads) socket.resume();
  else socket.pause();
  return socket;
}
const many = (count, make) => Array.from({ length: count }, (_, i) => make(i));
const events = `GET /api/v1/events HTTP/1.1\r\n${head}\r\n`;
// Each returns what one client does; of the sockets that the server closes 200 a second are replaced.
const crowds = [
  ['nobody', 0, () => null],
  ['1,000 idle connections', 1000, () => open('')],
  ['200 event streams, 100 of them never read', 200, i => open(events, { reads: i % 2 === 0 })],
  [
    '200 heads, a byte a second',
    200,
    () => {
      const socket = open('GET /api/v1/health HTTP/1.1\r\nX-Slow: ');
      const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write('x')), 1000);
      socket.on('close', () => clearInterval(timer));
      return socket;
    },
  ],
  [
    '200 bodies that never come whole',
    200,
    () =>
      open(
        `POST /api/v1/analyses HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: 200000\r\n\r\n{`,
      ),
  ],
  ['50 × 100 requests at once', 50, () => open(`GET /api/v1/health HTTP/1.1\r\n${head}\r\n`.repeat(100))],
  [
    '50 bodies that are too large',
    50,
    () =>
      open(
        `POST /api/v1/analyses HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: 900000000\r\n\r\n`,
      ),
  ],
  [
    '50 heads cut off',
    50,
    () =>
      open('GET /api/v1/analyses HTT').on('connect', function () {
        this.end();
      }),
  ],
  [
    '100 clients that vanish after asking',
    100,
    () => {
      const socket = open(`GET /api/v1/analyses/1/tree HTTP/1.1\r\n${head}\r\n`);
      setTimeout(() => socket.resetAndDestroy(), 50);
      return socket;
    },
  ],
  ['50 × 4 KiB of noise', 50, i => open(Buffer.from(many(4096, k => (k * 7919 + i * 104729) % 251)))],
];

const wrong = new Map();
const note = what => wrong.set(what, (wrong.get(what) ?? 0) + 1);
async function measure(until, name) {
  const waits = [];
  let most = 0;
  for (let i = 0; Date.now() < until; ++i) {
    const asked = performance.now();
    try {
      const status = await ask('GET', ['health', 'analyses', 'analyses/1', 'analyses/1/node'][i % 4]);
      if (status !== 200) note(`${name}: status ${status}`);
    } catch (error) {
      note(`${name}: ${error.message}`);
    }
    waits.push(performance.now() - asked);
    most = Math.max(most, memory());
    await pause(20); // so that it is one client's load, and no more
  }
  waits.sort((a, b) => a - b);
  const at = share => waits[Math.min(waits.length - 1, Math.floor(share * waits.length))];
  return {
    asked: waits.length,
    half: at(0.5),
    p99: at(0.99),
    slowest: at(1),
    most,
  };
}

await ask('POST', 'analyses', {
  position: { moves: '1. e4 e5' },
  limit: { depth: 8 },
  strategy: { kind: 'halving', move_distance: 60, refine: 12 },
});
await measure(Date.now() + 3000, 'at first'); // until what is made at a first request is made
const before = descriptors();
console.log('| who else is there | asked | half within, ms | 99 % | slowest | memory, MiB |');
console.log('|---|---|---|---|---|---|');
for (const [name, count, client] of crowds) {
  const sockets = new Set();
  const fill = most => {
    for (; most > 0 && sockets.size < count; most -= 1) {
      const socket = client(sockets.size);
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    }
  };
  fill(count);
  const timer = setInterval(() => fill(20), 100);
  const found = await measure(Date.now() + seconds * 1000, name);
  clearInterval(timer);
  for (const socket of sockets) socket.destroy();
  const number = (value, digits = 1) => value.toFixed(digits);
  console.log(
    `| ${name} | ${found.asked} | ${number(found.half)} | ${number(found.p99)} | ${number(found.slowest)} | ${number(found.most, 0)} |`,
  );
}
const until = Date.now() + 30_000;
while (descriptors() > before && Date.now() < until) await pause(100); // until the server has noticed
const left = descriptors() - before;
server.kill('SIGTERM');
const code = await new Promise(done =>
  server.exitCode === null ? server.on('exit', done) : done(server.exitCode),
);
for (const [what, times] of wrong) console.log(`\nwrong: ${what}, ${times} times`);
console.log(
  `\n${wrong.size === 0 ? 'Every answer was right' : 'Not every answer was right'}; ${Math.max(0, left)} descriptors left, the server ended with ${code}.`,
);
fs.rmSync(folder, { recursive: true, force: true });
process.exit(wrong.size > 0 || left > 0 || code !== 0 ? 1 : 0);
