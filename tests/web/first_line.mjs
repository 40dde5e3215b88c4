// How soon a newcomer has something to read: the page of a new server is opened, an opening is typed, *10 minutes*
// pressed. With Stockfish, if it is there, and with the built-in engine alone; each on a new store:
//   ADJOURN_BUILD=build/release node first_line.mjs [TIMES]
// Prints, in ms from the press: the analysis's page is there, an engine's line in it, the first scored move, the third.
// Not part of the tests: it measures time.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from './backend.mjs';
import { launch, open } from './browser.mjs';

const times = Number(process.argv[2] ?? 3);
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const build = path.resolve(root, process.env.ADJOURN_BUILD ?? 'build/release');
const browser = await launch();

const builtIn = `[[engine]]
name = "adjourn"
command = [${JSON.stringify(path.join(build, 'adjourn'))}, "engine"]
options = { Hash = 64 }
`;

// `config`: the configuration; empty: the server looks for an engine itself.
async function once(config) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'adjourn-first-'));
  const listen = `127.0.0.1:${await freePort()}`;
  const file = path.join(folder, 'adjourn.toml');
  writeFileSync(file, config);
  const options = {
    '--config': file,
    '--listen': listen,
    '--data': path.join(folder, 'data'),
    '--web': path.join(root, 'web/dist'),
  };
  const server = spawn(path.join(build, 'adjourn'), ['serve', ...Object.entries(options).flat()], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((on, over) => {
    server.stdout.once('data', on); // it says where it is
    server.once('exit', code => over(new Error(`the server ended with ${code}`)));
  });
  let seen;
  try {
    seen = await look(`http://${listen}`);
  } finally {
    server.kill();
    await new Promise(on => server.once('exit', on));
    rmSync(folder, { recursive: true });
  }
  return seen;
}

// The page, from the press on.
async function look(url) {
  const { context, page } = await open(browser, `${url}/`);
  await page.getByLabel('Opening, moves, FEN or PGN').fill('1. e4 c5 2. Nf3 d6');
  await page.locator('[data-testid=board][data-fen*=" w "]').waitFor();
  await page.evaluate(() => {
    const is = {
      page: () => document.querySelector('[data-testid=counters]'),
      line: () =>
        /depth \d+, [+−0-9#]/.test(document.querySelector('[data-testid=searched-here]')?.textContent ?? ''),
      move: () => document.querySelector('[data-testid=move] .c-alpha .score'),
      third: () => document.querySelectorAll('[data-testid=move] .c-alpha .score').length >= 3,
    };
    window.seen = {};
    const look = () => {
      for (const [name, there] of Object.entries(is))
        if (!(name in window.seen) && there())
          window.seen[name] = Math.round(performance.now() - window.pressed);
    };
    new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true });
    document.addEventListener('click', () => (window.pressed ??= performance.now()), true);
  });
  await page.getByRole('button', { name: '10 minutes' }).click();
  await page.waitForFunction(() => 'third' in window.seen && 'line' in window.seen);
  if (process.env.ADJOURN_TEST_SHOTS)
    await page.screenshot({ path: path.join(process.env.ADJOURN_TEST_SHOTS, `first-line.png`) });
  const seen = await page.evaluate(() => window.seen);
  const { engines } = await (await fetch(`${url}/api/v1/engines`)).json();
  await context.close();
  return { engine: engines.find(e => e.default).identity.name, ...seen };
}

for (const config of [builtIn, ''])
  for (let i = 0; i < times; i++)
    console.log(JSON.stringify(await once(config)), `load ${os.loadavg()[0].toFixed(1)}`);
await browser.close();
