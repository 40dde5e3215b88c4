#!/usr/bin/env node
// tests/network/run.mjs: what docs/operate/workers.md says, typed on four machines: db, server,
// laptop and desk. Each is a network namespace with an address, names and a home of its own. A cable is pulled, too.
// Needs root, iproute2, curl, openssl, postgresql-15, stockfish, and a build (ADJOURN_BUILD, build/release) with libpq.
// Prints what was seen and how long it took; exits 1 if something was not seen.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const top = fileURLToPath(new URL('../..', import.meta.url));
const build = path.resolve(top, process.env.ADJOURN_BUILD ?? 'build/release');
const postgresql = '/usr/lib/postgresql/15/bin';
const patience = 120_000; // ms until something that has to happen must have happened

// The commands below that remark in a document, a block each.
function blocksOf(file, remark) {
  const text = readFileSync(path.join(top, file), 'utf8');
  const pattern = new RegExp(`<!-- not run: ${remark}[^\\n]* -->\\n\`\`\`bash\\n([\\s\\S]*?)\`\`\``, 'g');
  return [...text.matchAll(pattern)].map(found => found[1]);
}
const [serveByHttp, workByHttp, byDatabase] = blocksOf('docs/operate/workers.md', 'needs three machines');
const [makeDatabase, makeToken, serve, work] = byDatabase
  .trim()
  .split('\n')
  .map(line => line.replace(/ +#.*/, ''));

const folder = mkdtempSync(path.join(tmpdir(), 'adjourn-network-'));
chmodSync(folder, 0o755);
const bridge = 'adjourn0';
const names = ['db', 'server', 'laptop', 'desk'];
const running = [];

function sh(command) {
  const done = spawnSync('bash', ['-c', command], { encoding: 'utf8' });
  assert.equal(done.status, 0, `${command}: ${done.stderr}`);
  return done.stdout;
}

class Machine {
  constructor(name, number) {
    this.name = name;
    this.space = `adjourn-${name}`;
    this.address = `10.83.7.${number}`;
    this.home = path.join(folder, name);
    this.cable = `adjourn${number}`;
    mkdirSync(path.join(this.home, '.config/adjourn'), { recursive: true });
  }

  connect() {
    sh(`ip netns add ${this.space} && ip -n ${this.space} link set lo up &&
        ip link add ${this.cable} type veth peer name eth0 netns ${this.space} &&
        ip link set ${this.cable} master ${bridge} up &&
        ip -n ${this.space} addr add ${this.address}/24 dev eth0 && ip -n ${this.space} link set eth0 up`);
    mkdirSync(`/etc/netns/${this.space}`, { recursive: true });
    const hosts = machines.map(machine => `${machine.address} ${machine.name}\n`).join('');
    writeFileSync(`/etc/netns/${this.space}/hosts`, `127.0.0.1 localhost\n${hosts}`);
  }

  arguments(command) {
    const environment = [
      `HOME=${this.home}`,
      `PATH=${build}:/usr/games:/usr/bin:/bin:/usr/sbin`,
      'LANG=C.UTF-8',
    ];
    const words = `hostname ${this.name}; cd; ${command}`;
    return [
      'netns',
      'exec',
      this.space,
      'unshare',
      '--uts',
      'env',
      '-i',
      ...environment,
      'bash',
      '-c',
      words,
    ];
  }

  // What a command says, as a person types it here.
  type(command) {
    const done = spawnSync('ip', this.arguments(command), { encoding: 'utf8' });
    if (done.status !== 0) throw new Error(`${this.name}: ${command}: ${done.stdout}${done.stderr}`);
    return done.stdout;
  }

  // A program that goes on. What it says is in a file of its home.
  start(command) {
    const log = path.join(this.home, `log${running.length}`);
    const child = spawn('ip', this.arguments(`set -m; ${command.trim()} >${log} 2>&1`), {
      stdio: 'ignore',
      detached: true,
    });
    const program = { child, log, command, machine: this };
    running.push(program);
    return program;
  }

  // GET of the API of the server `at`, with the token of that file of the home.
  get(at, call, token = '') {
    const header = token ? `-H "Authorization: Bearer $(cat ~/${token})"` : '';
    return JSON.parse(this.type(`curl -sf ${header} http://${at}:8462/api/v1/${call}`));
  }

  post(at, call, body, token = '') {
    const header = token ? `-H "Authorization: Bearer $(cat ~/${token})"` : '';
    const json = `-H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;
    return JSON.parse(this.type(`curl -sf -X POST ${header} ${json} http://${at}:8462/api/v1/${call}`));
  }

  disconnect() {
    spawnSync('ip', ['netns', 'del', this.space]);
    rmSync(`/etc/netns/${this.space}`, { recursive: true, force: true });
  }
}

const machines = names.map((name, index) => new Machine(name, index + 1));
const [db, server, laptop, desk] = machines;

// Until `seen` gives something, which is returned; seconds are told with `what`.
async function until(what, seen) {
  const begin = Date.now();
  for (let problem; ; await wait(100)) {
    try {
      const value = seen();
      if (value) {
        console.log(`${((Date.now() - begin) / 1000).toFixed(1).padStart(6)} s  ${what}`);
        return value;
      }
    } catch (error) {
      problem = error;
    }
    if (Date.now() - begin > patience)
      throw new Error(`not seen: ${what}${problem ? ` (${problem.message})` : ''}`);
  }
}

const processesOf = space => sh(`ip netns pids ${space} || true`).split('\n').filter(Boolean).map(Number);

async function end(program, signal = 'SIGINT') {
  if (program.child.exitCode !== null || program.child.signalCode !== null) return;
  const over = once(program.child, 'exit');
  for (const pid of sh(
    `ps -o pid=,comm= --ppid $(pgrep -P ${program.child.pid} | tr '\n' ',')${program.child.pid}`,
  ).split('\n')) {
    const [number, name] = pid.trim().split(/\s+/);
    if (name === 'adjourn') process.kill(Number(number), signal);
  }
  await over;
}

const analysis = {
  name: 'over the network',
  position: { moves: '1. e4 e5 2. Nf3 Nc6' },
  limit: { depth: 11 },
  strategy: { kind: 'halving', move_distance: 30, refine: 0 },
};

const answeredBy = (list, name) => list.machines.find(worker => worker.name === name)?.answered ?? 0;

async function byHttp() {
  console.log('By HTTP');
  const served = server.start(serveByHttp);
  await until('the laptop sees the server', () => {
    copyFileSync(
      path.join(server.home, '.config/adjourn/token'),
      path.join(laptop.home, '.config/adjourn/token'),
    );
    return laptop.get('server', 'health', '.config/adjourn/token').status;
  });
  for (const machine of [laptop, desk]) {
    copyFileSync(path.join(server.home, '.config/adjourn/worker'), path.join(machine.home, 'worker'));
    chmodSync(path.join(machine.home, 'worker'), 0o600);
  }
  laptop.post('server', 'analyses', analysis, '.config/adjourn/token');
  const workers = [laptop, desk].map(machine => machine.start(workByHttp));
  await until('laptop and desk have answered', () => {
    const list = laptop.get('server', 'workers', '.config/adjourn/token');
    return answeredBy(list, 'laptop') > 5 && answeredBy(list, 'desk') > 5;
  });
  for (const program of [...workers, served]) await end(program);
}

function startDatabase() {
  const data = path.join(db.home, 'data');
  mkdirSync(data);
  sh(`chown -R nobody:nogroup ${db.home}`);
  const nobody = 'setpriv --reuid=nobody --regid=nogroup --clear-groups --';
  db.type(`${nobody} ${postgresql}/initdb -D ${data} -U postgres -A trust -E UTF8 >/dev/null`);
  writeFileSync(path.join(data, 'pg_hba.conf'), 'local all all trust\nhost all all 10.83.7.0/24 trust\n');
  db.start(`${nobody} ${postgresql}/postgres -D ${data} -h 0.0.0.0 -k ${db.home}`);
}

async function byDatabaseAndStandBy() {
  console.log('By the database');
  startDatabase();
  await until('the database accepts connections', () =>
    db.type(`${postgresql}/pg_isready -h ${db.home} -q && echo yes`),
  );
  db.type(`export PGHOST=${db.home} PGUSER=postgres PATH=${postgresql}:$PATH; ${makeDatabase}`);
  rmSync(path.join(server.home, '.config/adjourn/adjourn.toml'));
  for (const machine of [server, desk]) machine.type(makeToken);
  const first = server.start(serve);
  const works = machine => machine.get('127.0.0.1', 'health', 'token').status === 'ok';
  const said = program =>
    [...readFileSync(program.log, 'utf8').matchAll(/^Adjourn (is on|stands by)/gm)].at(-1);
  const standsBy = program => said(program)?.[1] === 'stands by';
  await until('the server works', () => works(server));
  const worker = laptop.start(work);
  const second = desk.start(serve);
  await until('the desk stands by', () => standsBy(second));
  const { id } = server.post('127.0.0.1', 'analyses', analysis, 'token');
  await until(
    'the laptop has answered',
    () => answeredBy(server.get('127.0.0.1', 'workers', 'token'), 'laptop') > 5,
  );
  const evaluations = machine => machine.get('127.0.0.1', `analyses/${id}`, 'token').evaluations.new;
  const before = evaluations(server);
  sh(`ip link set ${server.cable} down`);
  await until("the server's cable is pulled: the desk works", () => works(desk));
  await until('the tree grows there', () => evaluations(desk) > before);
  const answered = answeredBy(desk.get('127.0.0.1', 'workers', 'token'), 'laptop');
  await until(
    'the laptop answers for it',
    () => answeredBy(desk.get('127.0.0.1', 'workers', 'token'), 'laptop') > answered,
  );
  sh(`ip link set ${server.cable} up`);
  await until('the cable is back: the server stands by', () => standsBy(first));
  for (const program of [worker, first, second]) await end(program);
  console.log(laptop.type(serve.replace('serve --stand-by', 'check').replace(/ --listen.*/, '')).trim());
}

function missing() {
  if (process.getuid() !== 0) return 'needs root';
  if (spawnSync('ip', ['netns', 'add', 'adjourn-try']).status !== 0)
    return 'no network namespace can be made here';
  spawnSync('ip', ['netns', 'del', 'adjourn-try']);
  return spawnSync(`${postgresql}/postgres`, ['--version']).status === 0
    ? ''
    : "PostgreSQL's server is not installed";
}
if (missing()) {
  console.log(`skipped: machines in a network: ${missing()}`);
  process.exit(0);
}

let failed = 0;
try {
  sh(`ip link add ${bridge} type bridge && ip link set ${bridge} up`);
  for (const machine of machines) machine.connect();
  await byHttp();
  await byDatabaseAndStandBy();
} catch (error) {
  failed = 1;
  console.error(error.message);
  for (const { machine, command, log } of running) {
    console.error(`== ${machine.name}: ${command.trim()}`);
    try {
      console.error(readFileSync(log, 'utf8').split('\n').slice(-15).join('\n'));
    } catch {
      console.error('(it said nothing)');
    }
  }
} finally {
  for (const machine of machines) for (const pid of processesOf(machine.space)) process.kill(pid, 'SIGKILL');
  await wait(200); // the kernel takes the namespaces of ended processes
  for (const machine of machines) machine.disconnect();
  spawnSync('ip', ['link', 'del', bridge]);
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failed);
