#!/usr/bin/env node
// tests/soak/soak.mjs [MINUTES] [BUILD_DIRECTORY]: a server at work with engines that do everything wrong now and
// then, four clients that browse and two that misbehave; what it holds is measured all the time. Prints a table, writes
// a picture into docs/img if it ran for an hour or more, and ends with 1 if something grew, failed or was lost.
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const top = path.join(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), '..', '..');
const minutes = Number(process.argv[2] ?? 120);
const build = path.resolve(process.argv[3] ?? path.join(top, 'build/release'));
const program = path.join(build, 'adjourn');
const engine = path.join(build, 'hash_engine');
if (!(minutes > 0) || !fs.existsSync(program) || !fs.existsSync(engine)) {
  console.error(
    `usage: soak.mjs [MINUTES] [BUILD_DIRECTORY with adjourn and hash_engine]; no ${program} or ${engine}`,
  );
  process.exit(2);
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'adjourn-soak-'));
const data = path.join(folder, 'data');
const configuration = path.join(folder, 'adjourn.toml');
fs.writeFileSync(
  configuration,
  `[[engine]]
name = "hash"
command = ["${engine}", "--faults=2"]
count = 6
options = { AnswerMs = 100, Jitter = 50 }
`,
);
const log = fs.openSync(path.join(folder, 'log'), 'a');
const server = spawn(
  program,
  ['serve', '--data', data, '--config', configuration, '--listen', '127.0.0.1:0'],
  {
    stdio: ['ignore', 'pipe', log],
  },
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

const start = Date.now();
const end = start + minutes * 60_000;
let running = true;
const going = () => running && Date.now() < end && server.exitCode === null;
const counts = { requests: 0, failures: 0, events: 0, attacks: 0, removed: 0 };
const failures = new Map();
let slowest = 0; // ms, since the last sample
let random = 1;
const below = most => (random = (random * 48271) % 2147483647) % most;

function request(method, target, body) {
  return new Promise((done, failed) => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const asked = performance.now();
    const call = http.request(
      {
        host: '127.0.0.1',
        port,
        method,
        path: target.startsWith('/') ? target : `/api/v1/${target}`,
        agent: false,
        timeout: 30_000,
        headers:
          text === undefined
            ? {}
            : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) },
      },
      answer => {
        const parts = [];
        answer.on('data', part => parts.push(part));
        answer.on('error', failed);
        answer.on('end', () => {
          counts.requests += 1;
          slowest = Math.max(slowest, performance.now() - asked);
          const json = answer.headers['content-type']?.startsWith('application/json');
          done({ status: answer.statusCode, json, text: Buffer.concat(parts).toString() });
        });
      },
    );
    call.on('timeout', () => call.destroy(new Error('no answer within 30 s')));
    call.on('error', failed);
    call.end(text);
  });
}

function fail(what) {
  counts.failures += 1;
  failures.set(what, (failures.get(what) ?? 0) + 1);
}

// One of `expected`, or it counts as a failure. 503: an analysis that was just made is read still.
async function ask(method, target, body, expected = [200]) {
  try {
    const { status, json, text } = await request(method, target, body);
    if (!expected.includes(status)) {
      fail(`${method} ${target.replace(/\d+/g, 'N').replace(/\?.*/, '')}: ${status} ${text.slice(0, 120)}`);
      return null;
    }
    return json ? JSON.parse(text) : text;
  } catch (error) {
    if (going()) fail(`${method} ${target.replace(/\d+/g, 'N').replace(/\?.*/, '')}: ${error.message}`);
    return null;
  }
}

// A person's day: analyses come, are looked at, steered, paused, and go. At most `most` at a time, of a fixed set of
// openings, so that after some time most questions have been answered before.
const openings = [
  '1. e4 e5',
  '1. d4 d5',
  '1. c4',
  '1. e4 c5 2. Nf3',
  '1. d4 Nf6 2. c4 e6',
  '1. Nf3',
  '1. e4 c6',
  '1. e4 e6',
];
const most = 6;
async function owner() {
  while (going()) {
    const list = (await ask('GET', 'analyses')) ?? { analyses: [] };
    const all = list.analyses ?? list;
    if (all.length < most) {
      const opening = openings[below(openings.length)];
      const wanted = {
        position: { moves: opening },
        limit: { depth: 8 + below(3) },
        strategy: { kind: ['halving', 'anchored', 'dropout'][below(3)], refine: 3 },
      };
      await ask('POST', 'analyses', wanted, [201]);
    } else {
      const one = all[below(all.length)];
      const what = below(4);
      if (what < 2) await ask('PATCH', `analyses/${one.id}`, { hold: what === 0 }, [200, 404]);
      if (what >= 2 && (one.state === 'settled' || one.state === 'exhausted' || below(20) === 0)) {
        await ask('DELETE', `analyses/${one.id}`, undefined, [200, 204, 404]);
        counts.removed += 1;
      }
    }
    await pause(500 + below(1500));
  }
}

async function browser() {
  while (going()) {
    const list = await ask('GET', 'analyses');
    const all = list?.analyses ?? list ?? [];
    if (all.length > 0) {
      const { id } = all[below(all.length)];
      let line = [];
      for (let ply = 0; ply < 6 && going(); ++ply) {
        const query = line.length > 0 ? `?moves=${line.join(',')}` : '';
        const node = await ask('GET', `analyses/${id}/node${query}`, undefined, [200, 404, 503]);
        const moves = node?.moves ?? [];
        if (moves.length === 0) break;
        line.push(moves[below(Math.min(3, moves.length))].uci);
        await pause(50);
      }
      await ask('GET', `analyses/${id}/history`, undefined, [200, 404, 503]);
      await ask('GET', `analyses/${id}/export?format=pgn`, undefined, [200, 404, 503]);
      await ask('GET', '/metrics');
      await ask('GET', '/');
    }
    await pause(100 + below(400));
  }
}

// Follows the events for a while, and goes without a word.
async function follower() {
  while (going()) {
    await new Promise(done => {
      const call = http.get({ host: '127.0.0.1', port, path: '/api/v1/events', agent: false }, answer => {
        if (answer.statusCode !== 200) fail(`GET events: ${answer.statusCode}`);
        answer.on('data', part => (counts.events += part.toString().split('\nevent:').length - 1));
        answer.on('error', () => {});
      });
      call.on('error', () => {});
      setTimeout(
        () => {
          call.destroy();
          done();
        },
        5_000 + below(20_000),
      );
    });
  }
}

// What no client should do. Nothing is expected but that the others notice nothing.
const attacks = [
  socket => socket.write('GET /api/v1/health HTTP/1.1\r\nHost: '), // half a head
  socket => socket.write(Buffer.from(Array.from({ length: 2000 }, () => below(256)))),
  socket =>
    socket.write(
      'POST /api/v1/analyses HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 500000\r\n\r\n{"',
    ),
  socket => socket.write('GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'), // and never reads
  socket => socket.write(`GET /api/v1/health HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`.repeat(200)),
  socket => socket.write(`GET /${'a'.repeat(100_000)} HTTP/1.1\r\n\r\n`),
  socket => socket.write(`GET /api/v1/analyses/1/export HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`), // vanishes before the answer
  () => {}, // connects and says nothing
];
async function attacker() {
  while (going()) {
    const socket = net.connect(port, '127.0.0.1');
    socket.on('error', () => {});
    const attack = attacks[below(attacks.length)];
    socket.on('connect', () => attack(socket));
    socket.pause();
    counts.attacks += 1;
    const stay = below(10) === 0 ? 8_000 : below(200);
    setTimeout(() => (below(2) ? socket.destroy() : (socket.resetAndDestroy?.() ?? socket.destroy())), stay);
    await pause(20 + below(100));
  }
}

const samples = [];
function status() {
  const text = fs.readFileSync(`/proc/${server.pid}/status`, 'utf8');
  const number = name => Number(text.match(new RegExp(`${name}:\\s+(\\d+)`))[1]);
  return { rss: number('VmRSS') / 1024, threads: number('Threads') };
}
const size = file =>
  fs.existsSync(path.join(data, file)) ? fs.statSync(path.join(data, file)).size / 1048576 : 0;
async function observer() {
  while (going()) {
    slowest = 0;
    await pause(Math.min(10_000, (minutes * 60_000) / 60));
    if (server.exitCode !== null || !going()) return;
    const metrics = await ask('GET', '/metrics');
    const value = name => Number(metrics?.match(new RegExp(`^${name} (\\S+)`, 'm'))?.[1] ?? NaN);
    const children = fs.readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8');
    const all = fs.readdirSync('/proc').filter(entry => /^\d+$/.test(entry));
    let engines = 0;
    for (const entry of all) {
      try {
        if (fs.readFileSync(`/proc/${entry}/cmdline`, 'utf8').startsWith(engine)) engines += 1;
      } catch {
        // gone meanwhile
      }
    }
    samples.push({
      minute: (Date.now() - start) / 60_000,
      ...status(),
      descriptors: fs.readdirSync(`/proc/${server.pid}/fd`).length,
      wal: size('adjourn.db-wal'),
      store: size('adjourn.db'),
      engines,
      children: children.trim().split(/\s+/).length,
      evaluations: value('adjourn_evaluations_stored'),
      slowest,
    });
  }
}

function row(sample) {
  const figure = (value, digits = 0) => value.toFixed(digits).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
  return `| ${figure(sample.minute)} | ${figure(sample.rss)} | ${sample.descriptors} | ${sample.threads} | ${sample.engines} | ${figure(sample.wal, 1)} | ${figure(sample.store)} | ${figure(sample.evaluations)} | ${figure(sample.slowest)} |`;
}

function plot() {
  const width = 720;
  const height = 90;
  const curves = [
    ['memory, MiB', 'rss'],
    ['descriptors', 'descriptors'],
    ['WAL, MiB', 'wal'],
    ['evaluations', 'evaluations'],
  ];
  const parts = curves.map(([title, key], index) => {
    const top = 24 + index * (height + 34);
    const largest = Math.max(...samples.map(sample => sample[key]), 1);
    const points = samples.map(
      sample =>
        `${(60 + (sample.minute / minutes) * width).toFixed(1)},${(top + height - (sample[key] / largest) * height).toFixed(1)}`,
    );
    return `<text x="60" y="${top - 6}">${title}, up to ${Math.round(largest).toLocaleString('en')}</text>
<path d="M60 ${top}V${top + height}H${60 + width}" fill="none" stroke="#888"/>
<polyline points="${points.join(' ')}" fill="none" stroke="#1f6feb" stroke-width="1.5"/>`;
  });
  const all = 24 + curves.length * (height + 34) + 10;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width + 90} ${all}" font-family="sans-serif" font-size="13">
<rect width="100%" height="100%" fill="white"/>
${parts.join('\n')}
<text x="60" y="${all - 8}">0 to ${minutes} minutes</text>
</svg>
`;
}

process.on('SIGINT', () => (running = false));
const clients = [owner(), browser(), browser(), browser(), follower(), attacker(), attacker(), observer()];
await Promise.all(clients);

const died = server.exitCode !== null;
const stopping = Date.now();
const code = died
  ? server.exitCode
  : await new Promise(done => {
      server.on('exit', done);
      server.kill('SIGTERM');
    });
const stopped = Date.now() - stopping;
const check = spawnSync(program, ['check', '--data', data], { encoding: 'utf8' });

console.log(
  '| minute | memory, MiB | descriptors | threads | engine processes | WAL, MiB | store, MiB | evaluations | slowest answer, ms |',
);
console.log('|---|---|---|---|---|---|---|---|---|');
const shown = 12;
for (let i = 1; i <= shown && samples.length > 0; ++i) {
  console.log(row(samples[Math.ceil((i * samples.length) / shown) - 1]));
}
console.log(
  `\n${counts.requests} requests, ${counts.events} events, ${counts.attacks} attacks, ${counts.removed} analyses removed; stopped in ${stopped} ms with code ${code}; check: ${check.stdout.trim().split('\n').at(-1)}`,
);

// Grows: more in the last quarter than in the second, by more than what the facts since then take.
const problems = [...failures].map(([what, times]) => `${times} × ${what}`);
const part = (from, to) => samples.slice(Math.floor(samples.length * from), Math.ceil(samples.length * to));
const largest = (list, key) => Math.max(...list.map(sample => sample[key]));
if (samples.length >= 8) {
  const [before, after] = [part(0.25, 0.5), part(0.75, 1)];
  const facts = largest(after, 'evaluations') - largest(before, 'evaluations');
  const allowed = { rss: 16 + (facts * 500) / 1048576, descriptors: 32, threads: 0, wal: 4, engines: 3 };
  for (const [key, more] of Object.entries(allowed)) {
    const growth = largest(after, key) - largest(before, key);
    if (growth > more) problems.push(`${key} grew by ${growth.toFixed(1)}`);
  }
}
if (died)
  problems.push(
    `the server ended by itself: ${fs.readFileSync(path.join(folder, 'log'), 'utf8').slice(-2000)}`,
  );
if (code !== 0) problems.push(`serve ended with ${code}`);
if (stopped > 5_000) problems.push(`stopped in ${stopped} ms`);
if (check.status !== 0) problems.push(`check: ${check.stdout}${check.stderr}`);
for (const problem of problems) console.log(`PROBLEM ${problem}`);
if (minutes >= 60) fs.writeFileSync(path.join(top, 'docs', 'img', 'soak.svg'), plot());
if (problems.length === 0) fs.rmSync(folder, { recursive: true });
else console.log(`kept: ${folder}`);
process.exit(problems.length === 0 ? 0 : 1);
