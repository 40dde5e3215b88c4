// How the page does on a large tree, on the real server with an engine that answers at once:
//   ADJOURN_WEB_SCRIPT=perf.mjs ADJOURN_ANSWER_MS=0 ADJOURN_ENGINES=3 node serve_and_run.mjs [MOVES] [--write]
// MOVES (200000): the tree grows until so many moves have a score. Prints one table: what was measured,
// the result, the aim; --write puts it into docs/measurements/benchmarks.md. Not part of the tests: it measures time.
import { readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { launch, open } from './browser.mjs';
import { startServer } from './backend.mjs';
import { api, make, node, until } from './helpers.mjs';

const wanted = Number(process.argv.slice(2).find(word => /^\d+$/.test(word)) ?? 200_000);
const server = await startServer();
const more = { strategy: { kind: 'halving', move_distance: 100, refine: 0, floor: 60 } };
const { id } = await make(server, ['e2e4', 'e7e5'], more);
let evaluations = 0; // each names a move that had no score
await until(
  `${wanted} moves`,
  async () => {
    evaluations = (await api(server).get('/health')).store.evaluations;
    return evaluations >= wanted;
  },
  3600,
);
await api(server).patch(`/analyses/${id}`, { hold: true });

const browser = await launch();
const { page } = await open(browser, `${server.url}/#/`);
const quantile = (list, q) =>
  [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(q * list.length))];

// Memory that only the tab's process holds.
async function privateMemory() {
  const { processInfo } = await (await browser.newBrowserCDPSession()).send('SystemInfo.getProcessInfo');
  const sizes = await Promise.all(
    processInfo
      .filter(p => p.type === 'renderer')
      .map(async ({ id: pid }) => {
        const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
        return [...text.matchAll(/^Private_\w+: +(\d+) kB/gm)].reduce((sum, m) => sum + Number(m[1]), 0);
      }),
  );
  return Math.max(...sizes) / 1000; // MB; an idle spare process is the smaller one
}

// First paint of the table on a fresh load, from the start of the navigation.
await page.goto(`${server.url}/#/analysis/${id}`);
await page.reload();
const paint = await page.evaluate(
  () =>
    new Promise(resolve => {
      const look = () =>
        document.querySelector('[data-testid=move]')
          ? requestAnimationFrame(() => resolve(performance.now()))
          : requestAnimationFrame(look);
      look();
    }),
);

// Walking: from the key to the frame in which the new position's rows are there.
const walk = key =>
  page.evaluate(async pressed => {
    const table = () => document.querySelector('[data-testid=moves]');
    const begun = performance.now();
    const before = location.hash;
    window.dispatchEvent(new KeyboardEvent('keydown', { key: pressed, cancelable: true }));
    if (location.hash === before) return null;
    await new Promise(resolve => {
      const look = () =>
        table() || document.querySelector('[data-testid=callout], [data-testid=terminal]')
          ? resolve()
          : requestAnimationFrame(look);
      requestAnimationFrame(look);
    });
    return performance.now() - begun;
  }, key);

const times = [];
let steps = 0;
let seed = 7;
const random = n => {
  seed = (seed * 1103515245 + 12345) % 2147483648;
  return seed % n;
};
while (steps < 1000) {
  const depth = await page.evaluate(() => location.hash.split('/')[3]?.split(',').length ?? 0);
  const downs = random(4);
  for (let i = 0; i < downs; i++) await page.keyboard.press('ArrowDown');
  const time = await walk(depth > 9 || random(4) === 0 ? 'ArrowLeft' : 'Enter');
  if (time !== null) times.push(time);
  else await walk('Home');
  steps++;
}
const session = await page.context().newCDPSession(page);
await session.send('HeapProfiler.collectGarbage');
const { metrics } = await (await session.send('Performance.enable'), session.send('Performance.getMetrics'));
const heap = metrics.find(m => m.name === 'JSHeapUsedSize').value / 1e6;
const nodes = metrics.find(m => m.name === 'Nodes').value;
const memory = await privateMemory();

const calls = [];
for (let i = 0; i < 50; i++) {
  const begun = performance.now();
  await node(server, id);
  calls.push(performance.now() - begun);
}
const { analyses } = await api(server).get('/analyses');
const begin = Math.min(...analyses.map(a => a.created_at));
const { snapshots } = await api(server).get(`/analyses/${analyses[0].id}/history`);
const end = Math.max(begin + 1000, ...snapshots.map(s => s.at));
const comparing = performance.now();
await api(server).get(`/analyses/${id}/changes?since=${Math.round((begin + end) / 2)}`);
const changes = performance.now() - comparing;

// The picture with as many moves as it draws, zoomed for a second: frames that came.
await page.keyboard.press('Home');
await page.goto(`${server.url}/#/analysis/${id}?tab=picture`);
await page.locator('canvas[aria-busy=false]').waitFor();
await page.getByLabel('Plies').selectOption('8');
await page.getByLabel(/Within/).selectOption('300');
const cells = await until('a full picture', async () => {
  const drawn = Number(await page.getByTestId('picture').getAttribute('data-cells'));
  return drawn > 3000 && drawn;
});
const frame = await page.evaluate(async () => {
  const canvas = document.querySelector('[data-testid=picture]');
  const box = canvas.getBoundingClientRect();
  const spent = [];
  for (let i = 0; i < 60; i++) {
    canvas.dispatchEvent(
      new WheelEvent('wheel', {
        deltaY: i < 30 ? -60 : 60,
        clientX: box.left + 300,
        clientY: box.top + 100,
        cancelable: true,
      }),
    );
    const start = performance.now();
    await new Promise(requestAnimationFrame);
    await new Promise(r => setTimeout(r));
    spent.push(performance.now() - start);
  }
  return spent;
});

const results = [
  ['moves in the tree', String(evaluations), `≥ ${wanted}`],
  ['first rows painted, from the start of a fresh load', `${paint.toFixed(0)} ms`, '< 1000 ms'],
  ['walking a move, key to painted rows, median', `${quantile(times, 0.5).toFixed(0)} ms`, '< 50 ms'],
  ['walking a move, 95 of 100', `${quantile(times, 0.95).toFixed(0)} ms`, ''],
  ['one `node` call at the root, the dearest, median', `${quantile(calls, 0.5).toFixed(1)} ms`, ''],
  ['script heap after 1,000 steps', `${heap.toFixed(0)} MB`, '< 300 MB'],
  ["all that the tab's process holds by itself then", `${memory.toFixed(0)} MB`, '< 300 MB'],
  ['document nodes after 1,000 steps', String(nodes), ''],
  [`a frame of the picture (${cells} moves), median`, `${quantile(frame, 0.5).toFixed(1)} ms`, '≤ 16.7 ms'],
  ['a frame of the picture, 95 of 100', `${quantile(frame, 0.95).toFixed(1)} ms`, ''],
  ['comparing two moments (`changes`)', `${changes.toFixed(0)} ms`, ''],
];
const table = [['what', 'measured', 'target'], ['---', '---', '---'], ...results]
  .map(cells_ => `| ${cells_.join(' | ')} |`)
  .join('\n');
console.log(table);
if (process.argv.includes('--write')) {
  const file = path.join(
    path.dirname(fileURLToPath(import.meta.url)),
    '../../docs/measurements/benchmarks.md',
  );
  const [begin, end] = ['<!-- page: tests/web/perf.mjs --write -->', '<!-- end of page -->'];
  const text = await readFile(file, 'utf8');
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${file} has no place for the table`);
  const machine = `${os.cpus().length} cores (${os.cpus()[0].model}), load ${os.loadavg()[0].toFixed(1)} while measuring, Chromium ${browser.version()}`;
  await writeFile(file, `${text.slice(0, from)}${begin}\n${machine}\n\n${table}\n${text.slice(to)}`);
}
await browser.close();
await server.stop();
