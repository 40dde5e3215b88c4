// Win, draw and loss, where the engine tells them: bar, head, table and evaluations. They are put into the server's
// answers here, since not every engine tells them.
import { api, assert, choose, rested, rows, until } from './helpers.mjs';
import { clean, sizes } from './axe.mjs';

const node = [310, 640, 50];
const says = 'White wins 31 %, draw 64 %, Black wins 5 %';

// The answers with what an engine would tell: of the first move nothing, of each next one more for Black.
async function told(page, server, id) {
  await page.route(new RegExp(`/api/v1/analyses/${id}/(node|evaluations)$`), async route => {
    const response = await route.fetch();
    const json = await response.json();
    if (json.moves) {
      json.wdl = node;
      json.moves.forEach(({ engine }, i) => {
        if (!engine) return;
        delete engine.wdl;
        if (i) Object.assign(engine, { wdl: [100, 900 - 10 * i, 10 * i], machine: 'kitchen' });
      });
    } else
      json.evaluations.forEach((e, i) => {
        delete e.wdl;
        delete e.machine;
        if (!i) Object.assign(e, { wdl: node, machine: 'kitchen' });
      });
    await route.fulfill({ response, json });
  });
  await page.goto(`${server.url}/#/analysis/${id}`);
  await rows(page).nth(2).waitFor();
}

const order = page => rows(page).evaluateAll(all => all.map(row => row.dataset.uci));

async function column(page) {
  await page.getByTestId('columns').click();
  await page.getByRole('menuitem', { name: 'Winning chances' }).click();
}

export const tests = {
  'the bar has three parts and the head three numbers, where they are known and have room': async ({
    server,
    visit,
  }) => {
    const id = await rested(server);
    const page = await visit('#/', { reducedMotion: 'reduce' });
    await told(page, server, id);
    const bar = page.locator('.eval-bar');
    assert.equal(await bar.getAttribute('aria-label'), says);
    const parts = await bar.locator('i').evaluateAll(all => all.map(part => part.style.transform));
    assert.deepEqual(parts, ['scaleY(0.95)', 'scaleY(0.31)']);
    const head = page.getByTestId('wdl');
    assert.equal(await head.innerText(), '31 · 64 · 5 %');
    assert.equal(await head.getAttribute('title'), says);
    const score = rows(page).nth(1).locator('.c-engine .score');
    assert.match(
      await score.getAttribute('title'),
      /\nWhite wins 10 %, draw 89 %, Black wins 1 %\n.*, depth \d+ on kitchen\n/,
    );

    // On a phone the same height, and nothing beyond the edge.
    const box = page.locator('section.value');
    await page.setViewportSize({ width: 390, height: 844 });
    await until('it has no room', () =>
      head.evaluate(e => e.getBoundingClientRect().top >= e.parentElement.getBoundingClientRect().bottom),
    );
    const height = (await box.boundingBox()).height;
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await page.unrouteAll({ behavior: 'wait' });
    await page.route(new RegExp(`/api/v1/analyses/${id}/node$`), async route => {
      const response = await route.fetch();
      const { wdl: _, ...json } = await response.json();
      await route.fulfill({ response, json });
    });
    await page.reload();
    await rows(page).nth(2).waitFor();
    assert.equal(await head.count(), 0);
    assert.doesNotMatch(await bar.getAttribute('aria-label'), /draw/);
    assert.equal((await box.boundingBox()).height, height);
  },

  'winning chances of the side to move stand in a column, and the moves in their order': async ({
    server,
    visit,
  }) => {
    const id = await rested(server);
    for (const viewport of sizes) {
      const page = await visit('#/', { viewport, reducedMotion: 'reduce' });
      await told(page, server, id);
      await column(page);
      await page.locator('td.c-chances .result-bar').first().waitFor();
      const fits = await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
      assert.ok(fits, `no wider than ${viewport.width}`);
      await clean(page, 'winning chances');
      await page.context().close();
    }
    const page = await visit('#/', { reducedMotion: 'reduce' });
    await told(page, server, id);
    const usual = await order(page);
    await column(page);
    const cells = page.locator('td.c-chances');
    await until('the cells', async () => (await cells.nth(1).innerText()) === '1 %'); // Black's
    assert.equal(await cells.first().innerText(), '–');
    const parts = cells.nth(2).locator('.result-bar i');
    assert.deepEqual(await parts.evaluateAll(all => all.map(part => part.className)), [
      'black',
      'draw',
      'white',
    ]);

    const byChances = page.getByTestId('by-chances');
    await byChances.click();
    const { moves } = await api(server).get(`/analyses/${id}/node`);
    const known = usual.filter(uci => moves.findIndex(m => m.uci === uci && m.engine) > 0).reverse();
    const others = usual.filter(uci => !known.includes(uci));
    await until('most wins first, the unknown last', async () => {
      const now = await order(page);
      return now.join() === [...known, ...others].join();
    });
    const head = page.locator('th.c-chances');
    assert.equal(await head.getAttribute('aria-sort'), 'descending');
    assert.equal(await choose(page), known[0], 'keys follow the rows');
    await byChances.click();
    await until('as before', async () => (await order(page)).join() === usual.join());
    assert.equal(await head.getAttribute('aria-sort'), 'none');

    await page.reload(); // it is remembered
    await cells.first().waitFor();
    await column(page);
    await cells.first().waitFor({ state: 'detached' });
  },

  'an evaluation tells win, draw and loss, and the machine that made it': async ({ server, visit }) => {
    const id = await rested(server);
    const page = await visit('#/');
    await told(page, server, id);
    await page.getByRole('tab', { name: 'Evaluations' }).click();
    await page.locator('table.evaluations tbody tr').nth(1).waitFor();
    const [first, second] = await Promise.all(
      [0, 1].map(i => page.locator('table.evaluations tbody tr').nth(i).locator('td').allInnerTexts()),
    );
    assert.equal(first[1], '31 · 64 · 5 %');
    assert.match(first.at(-1), /\S · kitchen$/);
    assert.equal(second[1], '');
    const { evaluations } = await api(server).get(`/analyses/${id}/evaluations`);
    assert.equal(second.at(-1), evaluations[1].engine);
  },
};
