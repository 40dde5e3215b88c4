// How quick a site is, opened from its folder:
//   node site_speed.mjs DIR [STEPS]
// Prints the time to the first rows (median of five fresh profiles), and what a step takes from the click to the next
// position's rows, over STEPS (200) of them, from the root again where a line ends. Not part of the tests: it measures
// time.
import { launch, open } from './browser.mjs';
import path from 'node:path';

const [, , folder, steps = '200'] = process.argv;
const url = `file://${path.resolve(folder)}/index.html`;
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
