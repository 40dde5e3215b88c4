// How the page does on a large tree: node perf.mjs [MOVES], default 200000. Best on the real server:
//   ADJOURN_WEB_SCRIPT=perf.mjs ADJOURN_ANSWER_MS=0 node serve_and_run.mjs
// Prints one table: what was measured, the result, the aim. Not part of the tests: it measures time.
import { launch, open } from './browser.mjs';
import { startServer } from './backend.mjs';
import { api, make, node, until } from './helpers.mjs';

const wanted = Number(process.argv[2] ?? 200_000);
const server = await startServer(['--empty', '--rate', '400']);
const more = { strategy: { kind: 'halving', move_distance: 100, refine: 0, floor: 60 } };
const { id } = await make(server, ['e2e4', 'e7e5'], more);
let evaluations = 0;
await until(
  `${wanted} moves`,
  async () => {
    const a = await api(server).get(`/analyses/${id}`);
    evaluations = a.evaluations.new + a.evaluations.reused;
    return evaluations >= wanted;
  },
  3600,
);
await api(server).patch(`/analyses/${id}`, { hold: true });

const browser = await launch();
const { page } = await open(browser, `${server.url}/#/`);
const quantile = (list, q) =>
  [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(q * list.length))];

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
        (table()?.getAttribute('aria-busy') === 'false' && !table().classList.contains('stale')) ||
        document.querySelector('[data-testid=callout], [data-testid=terminal]')
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

const begun = performance.now();
for (let i = 0; i < 50; i++) await node(server, id);
const call = (performance.now() - begun) / 50;

// The picture with as many moves as it draws, zoomed for a second: frames that came.
await page.keyboard.press('Home');
await page.goto(`${server.url}/#/analysis/${id}?tab=picture`);
await page.locator('canvas:not(.stale)').waitFor();
await page.getByLabel('Plies').selectOption('8');
await page.getByLabel(/Within/).selectOption('100');
await page.waitForTimeout(1500);
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

const row = (what, value, aim) => console.log(`${what.padEnd(46)} ${value.padStart(12)}   ${aim}`);
row('moves in the tree', String(evaluations), `≥ ${wanted}`);
row('first rows painted', `${paint.toFixed(0)} ms`, '< 1000 ms');
row('walking a move, median', `${quantile(times, 0.5).toFixed(1)} ms`, '< 50 ms');
row('walking a move, 95 of 100', `${quantile(times, 0.95).toFixed(1)} ms`, '');
row('one node call (of which the walk has one)', `${call.toFixed(1)} ms`, '');
row('script heap after 1,000 steps', `${heap.toFixed(1)} MB`, '< 300 MB');
row('document nodes after 1,000 steps', String(nodes), '');
row('a frame of the picture, median', `${quantile(frame, 0.5).toFixed(1)} ms`, '≤ 16.7 ms');
row('a frame of the picture, 95 of 100', `${quantile(frame, 0.95).toFixed(1)} ms`, '');
await browser.close();
await server.stop();
