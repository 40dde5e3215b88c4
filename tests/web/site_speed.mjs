// How quick a site is, opened from its folder:
//   node site_speed.mjs DIR [STEPS]
//   ADJOURN_WEB_SCRIPT=site_speed.mjs ADJOURN_ANSWER_MS=0 node serve_and_run.mjs MOVES [STEPS]
// The second makes one first: a tree grows until so many moves have a score, is exported, and looked at.
// Prints what writing it took, its size, the time to the first rows (median of five fresh profiles), and what a step takes
// from the click to the next position's rows, over STEPS (200) of them, from the root again where a line ends. Not part of
// the tests: it measures time.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startServer } from './backend.mjs';
import { launch, open } from './browser.mjs';
import { api, make, quiet, until } from './helpers.mjs';

const [, , what, steps = '200'] = process.argv;

async function made(moves, folder) {
  const server = await startServer();
  const strategy = {
    kind: 'halving',
    move_distance: 100,
    refine: 0,
    floor: 60,
  };
  const { id } = await make(server, ['e2e4', 'e7e5'], { strategy });
  const found = async () => (await api(server).get('/health')).store.evaluations; // each names a move
  await until(`${moves} moves`, async () => (await found()) >= moves, 3600);
  await quiet(server, id);
  const [program, , ...words] = JSON.parse(process.env.ADJOURN_CMD);
  const option = name => words[words.indexOf(name) + 1];
  const store = ['--config', '--data'].flatMap(name => [name, option(name)]);
  const wish = ['--format', 'site', '-o', folder, '--plies', '200', '--max-moves', String(moves)];
  const begun = performance.now();
  execFileSync(program, ['export', String(id), ...wish, ...store], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ADJOURN_WEB: option('--web') },
  });
  console.log(`written in ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  await server.stop();
}

const temporary = /^\d+$/.test(what) ? mkdtempSync(path.join(os.tmpdir(), 'adjourn-site-')) : null;
const folder = temporary ? path.join(temporary, 'site') : path.resolve(what);
if (temporary) await made(Number(what), folder);
console.log(`size: ${execFileSync('du', ['-sh', folder], { encoding: 'utf8' }).split('\t')[0]}`);
console.log(`load: ${os.loadavg()[0].toFixed(1)}`);
const url = `file://${folder}/index.html`;
const browser = await launch();
const sorted = list => [...list].sort((a, b) => a - b);
const at = (list, share) =>
  sorted(list)[Math.min(list.length - 1, Math.floor(list.length * share))].toFixed(0);

const firsts = [];
for (let i = 0; i < 5; i++) {
  const { context, page } = await open(browser, 'about:blank');
  const began = Date.now();
  await page.goto(url, { waitUntil: 'commit' });
  await page.locator('[data-testid=move]').first().waitFor();
  firsts.push(Date.now() - began);
  await context.close();
}
console.log(`first rows: ${at(firsts, 0.5)} ms (${at(firsts, 0)} to ${at(firsts, 1)})`);

const { page } = await open(browser, url);
await page.locator('[data-testid=move]').first().waitFor();
const times = await page.evaluate(async count => {
  let seed = 1;
  const random = n => (seed = (seed * 48271) % 2147483647) % n;
  const frame = () => new Promise(done => requestAnimationFrame(() => done()));
  const fen = () => document.querySelector('[data-testid=board]').dataset.fen;
  // The board and the table of another position than before.
  const shown = async before => {
    while (fen() === before || document.querySelector('[data-testid=waiting]')) await frame();
  };
  const home = location.hash;
  const found = [];
  for (let i = 0; i < count; i++) {
    const rows = [...document.querySelectorAll('[data-testid=move]')].slice(0, 4);
    const deep = rows.filter(row => row.querySelector('[data-status=expanded]'));
    const before = fen();
    const row = deep[random(Math.max(1, deep.length))];
    const began = performance.now();
    if (row) row.click();
    else location.hash = home;
    await shown(before);
    if (row) found.push(performance.now() - began);
  }
  return found;
}, Number(steps));
console.log(
  `a step, ${times.length} of them: median ${at(times, 0.5)} ms, p95 ${at(times, 0.95)} ms, p99 ${at(times, 0.99)} ms`,
);
await browser.close();
if (temporary) rmSync(temporary, { recursive: true, force: true });
