// An analysis as a web site: looked at from its folder and from a plain server of files, with nothing of ours running
// behind it.
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { appendFile, copyFile, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  api,
  assert,
  boardFen,
  lineOf,
  make,
  node,
  quiet,
  rows,
  square,
  until,
  untilMoves,
} from './helpers.mjs';
import { clean, sizes } from './axe.mjs';

const [program, , ...words] = JSON.parse(process.env.ADJOURN_CMD ?? '[]');
const option = name => words[words.indexOf(name) + 1];

// `adjourn export` of the program under test, by default on the store of its server.
async function exported(id, directory, data = option('--data'), config = option('--config')) {
  const store = ['--data', data, '--config', config];
  const asked = ['export', String(id), '--format', 'site', '-o', directory, ...store];
  await promisify(execFile)(program, asked, {
    env: { ...process.env, ADJOURN_WEB: option('--web') },
  });
}

const demonstration = fileURLToPath(
  new URL('../../server/program/package/demonstration/store.db', import.meta.url),
);

const types = {
  html: 'text/html',
  js: 'text/javascript',
  css: 'text/css',
  svg: 'image/svg+xml',
  xml: 'application/xml',
};

// A server that knows nothing but files.
async function filesOf(directory) {
  const server = createServer(async (request, response) => {
    try {
      const { pathname } = new URL(request.url, 'http://files');
      const name = pathname === '/' ? 'index.html' : pathname.slice(1);
      const content = await readFile(path.join(directory, name));
      response.writeHead(200, {
        'Content-Type': types[name.split('.').at(-1)] ?? 'application/octet-stream',
      });
      response.end(content);
    } catch {
      response.writeHead(404).end();
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

async function prepared(server) {
  const { id, name } = await make(server, ['e2e4', 'e7e5'], {
    strategy: { kind: 'halving', move_distance: 60, refine: 3 },
  });
  await untilMoves(server, id, 3);
  await api(server).post(`/analyses/${id}/directives`, {
    moves: ['g1f3'],
    action: 'note',
    text: 'look <b>here</b>',
  });
  await api(server).post(`/analyses/${id}/files`, { name: 'ours', pgn: '1. e4 e5 2. Nf3 {mine} *' });
  const other = await make(server, ['d2d4'], { strategy: { kind: 'halving', refine: 1 } });
  await quiet(server, id);
  await quiet(server, other.id);
  const folder = await mkdtemp(path.join(tmpdir(), 'adjourn-site-'));
  const directory = path.join(folder, 'site');
  await exported(id, directory);
  return { id, name, other, directory, remove: () => rm(folder, { recursive: true, force: true }) };
}

const generation = async directory => (await readdir(directory)).find(name => /^g\d+$/.test(name));

const steering =
  /^(Steer |Include|Analyse now|Keep analysing|Was played|Take back|Write a note|Edit|Delete|Pause|Resume|Search further|Settings|Import|Share|How to analyse|Notify|Leave|Verify)/;
const offered = async page =>
  (
    await page
      .getByRole('button')
      .evaluateAll(all => all.map(b => b.getAttribute('aria-label') ?? b.textContent ?? ''))
  ).filter(label => steering.test(label));

const here = page => new URL(page.url()).hash;

// All that a visitor does, at that address.
async function lookedAt({ server, visit }, site, url) {
  const { id, name } = site;
  const page = await visit('about:blank'); // which keeps nothing, and complains
  const asked = [];
  page.on('request', request => asked.push(request.url()));
  await page.goto(url);
  await rows(page).first().waitFor();
  await page.getByRole('heading', { name, exact: true }).waitFor();
  await page.getByTestId('site').getByText('As of').waitFor();
  assert.match(await page.title(), new RegExp(name));
  assert.deepEqual(await offered(page), []);

  // What is there is what the server says.
  const told = await node(server, id);
  const shown = () => rows(page).evaluateAll(all => all.map(row => row.dataset.uci));
  assert.deepEqual([...(await shown())].sort(), told.moves.map(m => m.uci).sort());
  await page.locator('.verdict').getByText('stands:').waitFor();

  // Walking, by a row, by keys and by a move of one's own on the board.
  await rows(page).first().click();
  await until('walked', async () => (await lineOf(page)).length === 1);
  const line = await lineOf(page);
  const below = await node(server, id, line);
  await until(
    'its rows',
    async () =>
      (await shown()).sort().join() ===
      below.moves
        .map(m => m.uci)
        .sort()
        .join(),
  );
  await page.keyboard.press('ArrowLeft');
  await until('and back', async () => (await lineOf(page)).length === 0);
  const before = await boardFen(page);
  for (const at of ['h2', 'h4']) await page.mouse.click(...(await square(page, at)));
  await until('played on the board', async () => (await lineOf(page)).join() === 'h2h4');
  assert.notEqual(await boardFen(page), before);
  assert.deepEqual(await offered(page), []);
  await page.evaluate(hash => (location.hash = hash), `#/analysis/${id}/a2a4,a7a5,b1a3`); // no position of the site
  await page.getByTestId('callout').waitFor();
  await page.keyboard.press('Home');
  await rows(page).first().waitFor();
  for (const key of ['ArrowDown', 'x', 'i', 'd', 'n', 'c', 'm', 'k', 'p', 'o', 'v', 'g', 'q'])
    await page.keyboard.press(key);
  assert.equal(await page.getByRole('dialog').count(), 0);
  assert.equal(await page.locator('textarea').count(), 0);

  // The note, as text.
  await page.evaluate(hash => (location.hash = hash), `#/analysis/${id}/g1f3`);
  await page.getByTestId('note').getByText('look <b>here</b>').waitFor();
  await page.getByRole('button', { name: 'All notes…' }).click();
  await page.getByRole('dialog').getByText('look <b>here</b>').waitFor();
  await page.keyboard.press('Escape');

  // Its other views.
  await page.getByRole('tab', { name: 'Picture' }).click();
  await page.getByTestId('picture').waitFor();
  await page.getByRole('tab', { name: 'Over time' }).click();
  await page.getByTestId('changes').locator('.change-cards').waitFor();
  await page.getByTestId('compare').waitFor();
  assert.deepEqual(await page.getByLabel('Since', { exact: true }).locator('option').allTextContents(), [
    'yesterday',
    'a week ago',
  ]);
  await page.getByRole('tab', { name: 'Files' }).click();
  await page.getByTestId('file').getByText('ours').waitFor();
  await page.getByTestId('file-game').click();
  await page.getByTestId('game').getByText('mine').waitFor();
  assert.equal(await page.getByText('Choose a file…').count(), 0);
  assert.deepEqual(await offered(page), []);
  assert.equal(await page.getByRole('tab', { name: /Repertoire|Orders|Evaluations/ }).count(), 0);
  for (const elsewhere of ['#/', `#/analysis/${site.other.id}`, '#/new', `#/analysis/${id}?tab=facts`]) {
    await page.evaluate(hash => (location.hash = hash), elsewhere);
    await until(`${elsewhere} leads home`, () => here(page) === `#/analysis/${id}`);
  }

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export', exact: true }).click(),
  ]);
  assert.equal(download.suggestedFilename(), `adjourn-${id}.pgn`);

  // Nothing was asked for but what lies in the folder.
  const folder = new URL('.', url).href;
  assert.deepEqual(
    asked.filter(one => !one.startsWith(folder) && !/^(data|blob):/.test(one)),
    [],
  );
  assert.equal(asked.filter(one => one.includes('/api/')).length, 0);
}

export const tests = {
  'a site is looked at from its folder': [
    async tools => {
      const site = await prepared(tools.server);
      await lookedAt(tools, site, `file://${site.directory}/index.html`);
      await site.remove();
    },
    { allow: /localStorage/ },
  ],

  'a site is looked at from a server of files, and has nothing else of ours': [
    async tools => {
      const site = await prepared(tools.server);
      const files = await filesOf(site.directory);
      await lookedAt(tools, site, files.url);
      const folder = path.join(site.directory, await generation(site.directory));
      for (const name of await readdir(folder)) {
        const text = await readFile(path.join(folder, name), 'utf8');
        assert.ok(!text.includes(site.other.name), name);
        assert.ok(!text.includes(tmpdir()), name);
      }
      files.close();
      await site.remove();
    },
    { allow: /localStorage/ },
  ],

  'a site that is written anew says what has changed since, and who had it open reads on or is told': [
    async ({ server, visit }) => {
      const site = await prepared(server);
      const { id, directory } = site;
      const page = await visit(`file://${directory}/index.html`);
      await rows(page).first().waitFor();
      await api(server).patch(`/analyses/${id}`, { hold: false, strategy: { refine: 5 } });
      const { positions } = await api(server).get(`/analyses/${id}`);
      await until(
        'it grows',
        async () => (await api(server).get(`/analyses/${id}`)).positions > positions + 20,
      );
      await quiet(server, id);
      const old = await generation(directory);
      await exported(id, directory);
      assert.deepEqual((await readdir(directory)).sort(), [
        'adjourn-site.json',
        await generation(directory),
        'index.html',
      ]);
      assert.notEqual(await generation(directory), old);
      await page.getByRole('tab', { name: 'Over time' }).click(); // of the old one
      await page.getByText('A part of this site is missing.').first().waitFor();
      await page.reload();
      await page.getByTestId('changes').locator('.change-cards').waitFor();
      assert.match(await page.getByTestId('changes').textContent(), /this site was written before/);
      await site.remove();
    },
    { allow: /ERR_FILE_NOT_FOUND/ },
  ],

  'the demonstration of ./package is a site, and shows what the README says of it': [
    async ({ visit }) => {
      const folder = await mkdtemp(path.join(tmpdir(), 'adjourn-site-'));
      const [directory, config] = [path.join(folder, 'site'), path.join(folder, 'adjourn.toml')];
      await copyFile(demonstration, path.join(folder, 'adjourn.db'));
      await writeFile(config, '');
      await exported(1, directory, folder, config);
      const page = await visit(`file://${directory}/index.html`);
      await rows(page).nth(2).waitFor();
      await page.getByTestId('note').getByText("Igor Zaitsev's move").waitFor();
      await page.getByRole('tab', { name: 'Files' }).click();
      await page.getByTestId('file').getByText('Zaitsev, notes').waitFor();
      await page.goto(`file://${directory}/index.html#/analysis/1/f3g5,e8f8`);
      const repeating = rows(page).and(page.locator('[data-uci=g5f3]'));
      await repeating.locator('.c-alpha').getByText('0.00', { exact: true }).waitFor();
      await repeating.locator('.c-idea').getByText('+').waitFor();
      await rm(folder, { recursive: true, force: true });
    },
    { allow: /localStorage/ },
  ],

  'a site that is not complete says so': [
    async ({ server, visit }) => {
      const site = await prepared(server);
      await rm(path.join(site.directory, await generation(site.directory), 'index.js'));
      const page = await visit(`file://${site.directory}/index.html`);
      await page.getByText('This site is not complete').waitFor();
      await site.remove();
    },
    { allow: /ERR_FILE_NOT_FOUND/ },
  ],

  'a site has no page of other scripts: its policy refuses them': [
    async ({ server, visit }) => {
      const site = await prepared(server);
      await appendFile(
        path.join(site.directory, 'index.html'),
        '<script>document.title = "run"</script><img src="https://nowhere.example/x.png">',
      );
      const page = await visit(`file://${site.directory}/index.html`);
      await rows(page).first().waitFor();
      assert.notEqual(await page.title(), 'run');
      await site.remove();
    },
    { allow: /Content Security Policy/ },
  ],

  'axe: a site': async ({ server, visit }) => {
    const site = await prepared(server);
    const files = await filesOf(site.directory); // axe reads style sheets, which a page of a folder may not
    for (const viewport of sizes) {
      const page = await visit(files.url, {
        viewport,
        reducedMotion: 'reduce',
        bypassCSP: true,
      });
      await rows(page).first().waitFor();
      await clean(page, 'site');
      await page.getByRole('tab', { name: 'Over time' }).click();
      await page.getByTestId('compare').waitFor();
      await clean(page, 'site over time');
      const [wide, window_] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      assert.ok(wide <= window_, `${wide} > ${window_}`);
      await page.context().close();
    }
    files.close();
    await site.remove();
  },
};
