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
import { analysis, api, assert, direct, goTo, make, node } from './helpers.mjs';
import { quiet, readsOnly, rows, saved, until, untilMoves } from './helpers.mjs';
import { clean } from './axe.mjs';

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
  await direct(server, id, ['g1f3'], 'note', { text: 'look <b>here</b>' });
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

// All that a visitor does, at that address.
async function lookedAt({ server, visit }, site, url) {
  const { id, name } = site;
  const asked = [];
  const page = await visit(url, { before: page => page.on('request', one => asked.push(one.url())) });
  await rows(page).first().waitFor();
  await page.getByRole('heading', { name, exact: true }).waitFor();
  await page.getByTestId('site').getByText('As of').waitFor();
  assert.match(await page.title(), new RegExp(name));

  // What is there is what the server says.
  const told = await node(server, id);
  const shown = () => rows(page).evaluateAll(all => all.map(row => row.dataset.uci));
  assert.deepEqual([...(await shown())].sort(), told.moves.map(m => m.uci).sort());
  await page.locator('.verdict').getByText('stands:').waitFor();

  // Its rows, also below; where it has none that is told.
  const [first] = await shown();
  const below = await node(server, id, [first]);
  await rows(page).first().click();
  const wanted = below.moves.map(m => m.uci).sort();
  await until('its rows', async () => (await shown()).sort().join() === wanted.join());
  await goTo(page, `#/analysis/${id}/a2a4,a7a5,b1a3`); // no position of the site
  await page.getByTestId('callout').waitFor();
  await page.keyboard.press('Home');
  await rows(page).first().waitFor();
  await readsOnly(page, site);
  await rows(page).first().waitFor();

  // The note, as text.
  await goTo(page, `#/analysis/${id}/g1f3`);
  await page.getByTestId('note').getByText('look <b>here</b>').waitFor();
  await page.getByRole('button', { name: 'All notes…' }).click();
  await page.getByRole('dialog').getByText('look <b>here</b>').waitFor();
  await page.keyboard.press('Escape');

  await page.getByRole('tab', { name: 'Over time' }).click();
  await page.getByTestId('changes').locator('.change-cards').waitFor();
  await page.getByTestId('compare').waitFor();
  const since = page.getByLabel('Since', { exact: true }).locator('option');
  assert.deepEqual(await since.allTextContents(), ['yesterday', 'a week ago']);
  const download = await saved(page, page.getByRole('button', { name: 'Export', exact: true }));
  assert.equal(download.suggestedFilename(), `adjourn-${id}.pgn`);

  // Nothing was asked for but what lies in the folder.
  const folder = new URL('.', url).href;
  assert.deepEqual(
    asked.filter(one => !one.startsWith(folder) && !/^(data|blob):/.test(one)),
    [],
  );
  assert.equal(asked.filter(one => one.includes('/api/')).length, 0);
  return page;
}

export const tests = {
  'a site is looked at from its folder; its policy refuses other scripts; one that is not complete says so': [
    async tools => {
      const site = await prepared(tools.server);
      const url = `file://${site.directory}/index.html`;
      const page = await lookedAt(tools, site, url);
      await appendFile(
        path.join(site.directory, 'index.html'),
        '<script>document.title = "run"</script><img src="https://nowhere.example/x.png">',
      );
      await page.reload();
      await page.getByTestId('compare').waitFor();
      assert.notEqual(await page.title(), 'run');
      await rm(path.join(site.directory, await generation(site.directory), 'index.js'));
      await page.reload();
      await page.getByText('This site is not complete').waitFor();
      await site.remove();
    },
    { allow: /localStorage|Content Security Policy|ERR_FILE_NOT_FOUND/ },
  ],

  'a site is looked at from a server of files, and has nothing else of ours; axe finds nothing': [
    async tools => {
      const site = await prepared(tools.server);
      const files = await filesOf(site.directory); // axe reads style sheets, which a page of a folder may not
      const folder = path.join(site.directory, await generation(site.directory));
      for (const name of await readdir(folder)) {
        const text = await readFile(path.join(folder, name), 'utf8');
        assert.ok(!text.includes(site.other.name), name);
        assert.ok(!text.includes(tmpdir()), name);
      }
      const asked = [];
      const before = page => page.on('request', one => asked.push(one.url()));
      const page = await tools.visit(files.url, { reducedMotion: 'reduce', bypassCSP: true, before });
      await rows(page).first().waitFor();
      await clean(page, 'site');
      await page.getByRole('tab', { name: 'Over time' }).click();
      await page.getByTestId('compare').waitFor();
      await clean(page, 'site over time');
      assert.ok(
        asked.every(one => one.startsWith(files.url) || /^(data|blob):/.test(one)),
        asked.join(),
      );
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
      const { positions } = await analysis(server, id);
      await until('it grows', async () => (await analysis(server, id)).positions > positions + 20);
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
};
