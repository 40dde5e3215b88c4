// How much of a core the tab takes while answers come in, on the real server with engines that answer at once:
//   ADJOURN_WEB_SCRIPT=tab.mjs ADJOURN_ANSWER_MS=10 ADJOURN_ENGINES=3 node serve_and_run.mjs [SECONDS]
// SECONDS (20): as long as each view is looked at. Prints a line for each view: the part of a core that the tab's
// process took, its redraws and the answers each second. Not part of the tests: it measures time.
import os from 'node:os';
import { launch, open } from './browser.mjs';
import { startServer } from './backend.mjs';
import { api, make, rows, untilMoves } from './helpers.mjs';

const seconds = Number(process.argv[2] ?? 20);
const server = await startServer();
const { id } = await make(server, ['e2e4', 'e7e5'], {
  strategy: { kind: 'halving', move_distance: 100, refine: 0, floor: 60 },
});
await untilMoves(server, id, 5);
const browser = await launch();
const { context, page } = await open(browser, 'about:blank');
await context.addInitScript(() => {
  const real = window.requestAnimationFrame.bind(window);
  window.frames_ = 0;
  window.requestAnimationFrame = work =>
    real(at => {
      window.frames_++;
      work(at);
    });
});
const whole = await browser.newBrowserCDPSession();

// Seconds that all tabs have worked; there is one, and perhaps an idle spare process.
async function worked() {
  const { processInfo } = await whole.send('SystemInfo.getProcessInfo');
  return processInfo.filter(p => p.type === 'renderer').reduce((sum, p) => sum + p.cpuTime, 0);
}
const answers = async () => (await api(server).get('/health')).store.evaluations;

for (const [name, hash] of [
  ['moves', `#/analysis/${id}`],
  ['picture', `#/analysis/${id}?tab=picture`],
  ['over time', `#/analysis/${id}?tab=time`],
  ['queue', '#/'],
]) {
  await page.goto(`${server.url}/${hash}`);
  await (name === 'moves' ? rows(page).first() : page.locator('main h1, main h2').first()).waitFor();
  await new Promise(r => setTimeout(r, 3000)); // what loading takes is measured elsewhere
  const before = [await worked(), await answers(), await page.evaluate(() => window.frames_), Date.now()];
  await new Promise(r => setTimeout(r, seconds * 1000));
  const after = [await worked(), await answers(), await page.evaluate(() => window.frames_), Date.now()];
  const [cpu, came, frames, ms] = after.map((value, i) => value - before[i]);
  const each = value => ((value * 1000) / ms).toFixed(1);
  console.log(
    `${name}: ${each(cpu * 100)} % of a core, ${each(frames)} redraws/s, ${each(came)} answers/s, load ${os.loadavg()[0].toFixed(1)}`,
  );
}
await browser.close();
await server.stop();
