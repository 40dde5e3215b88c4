// Runs the browser tests: node run.mjs [WORD…] takes those whose name has the word, --part K/N every N-th file. See
// backend.mjs for which server they run against.
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { launch, open } from './browser.mjs';
import { startServer } from './backend.mjs';
import { clear } from './helpers.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const words = process.argv.slice(2);
const part = words[0] === '--part' ? words.splice(0, 2)[1].split('/').map(Number) : [1, 1];
const files = (await readdir(here))
  .filter(n => n.endsWith('.test.mjs'))
  .sort()
  .filter((_, i) => i % part[1] === part[0] - 1);
const server = await startServer();
const browser = await launch();
let failed = 0;
let passed = 0;
// Of a machine whose disk needs more than a second for a commit: it is told, and goes on.
const slowDisk = /status of 503 .*\/api\/v1\/health/;

async function shownBy({ page, asked }) {
  const text = await page.evaluate(() => document.body.innerText).catch(error => String(error));
  const words = text.replace(/\s*\n\s*/g, ' | ').slice(0, 3000);
  const place = await page
    .evaluate(() =>
      [document.activeElement, ...document.querySelectorAll('dialog')]
        .map(element => element?.cloneNode(false).outerHTML.slice(0, 150))
        .join(' '),
    )
    .catch(String);
  const waits = [...asked].map(request => `${request.method()} ${request.url()}`).join(' ');
  return `${page.url()}\nfocus, dialogs: ${place}\nwaits for: ${waits}\n${words.replace(/(.{180}) /g, '$1\n')}`; // ./test shows the first 240 letters of a line
}

// What can fail because of one late frame among ten thousand is tried once more; both are told.
const tries = 2;

// Runs a test once. Its problem, and what the page showed then; null: none.
async function attempt(test, options) {
  const opened = [];
  // Each test gets a browser profile of its own, and answers for every console message in it. `place`: what follows the
  // server's address, or an address of its own.
  const visit = async (place = '', more = {}) => {
    const url = /^(file|http|about):/.test(place) ? place : `${server.url}/${place}`;
    const one = await open(browser, url, more);
    opened.push(one);
    return one.page;
  };
  let problem = null;
  try {
    await test({ server, visit });
    const errors = opened.flatMap(o => o.errors).filter(e => !options.allow?.test(e) && !slowDisk.test(e));
    if (errors.length) throw new Error(`console: ${errors.join(' | ')}`);
  } catch (error) {
    const last = opened.at(-1);
    const shown = last?.page.isClosed() === false ? await shownBy(last) : '';
    const said = opened.flatMap(({ errors }) => errors.map(e => `console: ${e}`));
    problem = [String(error.stack ?? error), ...said, shown.replace(/^/gm, 'page: ')].join('\n');
    if (last && process.env.ADJOURN_TEST_SHOTS)
      await last.page.screenshot({
        path: path.join(process.env.ADJOURN_TEST_SHOTS, `${test.name.replace(/\W+/g, '-')}.png`),
      });
  }
  for (const { page } of opened) // answers that nobody waits for any more
    if (!page.isClosed()) await page.unrouteAll({ behavior: 'ignoreErrors' });
  for (const { context } of opened) await context.close();
  await clear(server);
  return problem;
}

for (const file of files) {
  const { tests } = await import(`./${file}`);
  for (const [name, test, options = {}] of Object.entries(tests).map(([n, t]) => [n, ...[t].flat()])) {
    if (words.length && !words.some(w => name.includes(w) || file.includes(w))) continue;
    if (options.restart && !server.restart) {
      console.log(`skipped: ${name}: this server cannot be restarted from here`);
      continue;
    }
    let problem = null;
    for (let n = 1; n <= tries; n++) {
      const begun = Date.now();
      problem = await attempt(test, options);
      const outcome = problem ? (n < tries ? 'again' : 'FAIL ') : 'ok   ';
      console.log(`${outcome} ${name} (${((Date.now() - begun) / 1000).toFixed(1)} s)`);
      if (!problem) break;
      console.log(problem.replace(/^/gm, '      '));
    }
    if (problem) failed++;
    else passed++;
  }
}
await browser.close();
await server.stop();
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed || !passed ? 1 : 0);
