// How soon a small tree is there on a slow line (1.6 Mbit/s, 150 ms for each request, processor slowed by 4), on the
// real server with an engine that answers at once:
//   ADJOURN_WEB_SCRIPT=slow.mjs ADJOURN_ANSWER_MS=0 node serve_and_run.mjs [LOADS] [MOVES]
// LOADS (5): fresh loads, each with an empty cache; MOVES (none): UCI, the position in view. Prints each load and the
// median. Not part of the tests: it measures time.
import os from 'node:os';
import { launch, open } from './browser.mjs';
import { startServer } from './backend.mjs';
import { make, quiet, untilMoves } from './helpers.mjs';

const loads = Number(process.argv[2] ?? 5);
const line = process.argv[3] ?? '';
const server = await startServer();
const { id } = await make(server, ['e2e4', 'e7e5'], {
  strategy: { kind: 'halving', move_distance: 300, refine: 4 },
});
await untilMoves(server, id, 5);
await quiet(server, id);
const browser = await launch();

// From the start of the navigation until the rows' first frame is on the screen; and what came by then.
async function load() {
  const { context, page } = await open(browser, 'about:blank');
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: 1_600_000 / 8,
    uploadThroughput: 750_000 / 8,
  });
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await page.addInitScript(() => {
    const look = new MutationObserver(() => {
      if (!document.querySelector('[data-testid=move]')) return;
      look.disconnect();
      // They are drawn just before a frame is made; the next task runs after it is.
      setTimeout(() => (window.rowsAt = performance.now()));
    });
    look.observe(document, { subtree: true, childList: true });
  });
  await page.goto(`${server.url}/#/analysis/${id}${line && `/${line}`}`);
  await page.waitForFunction(
    () => window.rowsAt && performance.getEntriesByName('first-contentful-paint')[0],
  );
  const result = await page.evaluate(() => ({
    rows: Math.max(window.rowsAt, performance.getEntriesByName('first-contentful-paint')[0].startTime),
    came: performance
      .getEntriesByType('resource')
      .filter(e => e.responseEnd && e.responseEnd <= window.rowsAt)
      .map(
        e =>
          `${e.name.replace(/^[^/]*\/\/[^/]*/, '')} ${Math.round(e.startTime)}–${Math.round(e.responseEnd)}`,
      ),
  }));
  await context.close();
  return result;
}

const times = [];
for (let i = 0; i < loads; i++) {
  const { rows, came } = await load();
  times.push(rows);
  console.log(`${rows.toFixed(0)} ms\n  ${came.join('\n  ')}`);
}
times.sort((a, b) => a - b);
console.log(
  `median ${times[Math.floor(times.length / 2)].toFixed(0)} ms of ${loads}, load ${os.loadavg()[0].toFixed(1)}`,
);
await browser.close();
await server.stop();
