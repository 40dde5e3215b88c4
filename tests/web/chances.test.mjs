// Win, draw and loss, where the engine tells them: bar, head, table and evaluations. They are put into the server's
// answers here, since not every engine tells them.
import { api, assert, choose, rested, rows, until } from './helpers.mjs';
import { clean, fits } from './axe.mjs';

const node = [310, 640, 50];
const says = 'White wins 31 %, draw 64 %, Black wins 5 %';

// The answers with what an engine would tell: of the first move nothing, of each next one more for Black.
const told = (page, id) =>
  page.route(new RegExp(`/api/v1/analyses/${id}/(node|evaluations)$`), async route => {
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

const order = page => rows(page).evaluateAll(all => all.map(row => row.dataset.uci));

async function column(page) {
  await page.getByTestId('columns').click();
  await page.getByRole('menuitem', { name: 'Winning chances' }).click();
}

export const tests = {
  'chances stand in the bar, the head, a column that orders the moves, and the evaluations': async ({
    server,
    visit,
  }) => {
    const id = await rested(server);
    const page = await visit(`#/analysis/${id}`, {
      reducedMotion: 'reduce',
      before: page => told(page, id),
    });
    await rows(page).nth(2).waitFor();
    const bar = page.locator('.eval-bar');
    assert.equal(await bar.getAttribute('aria-label'), says);
    const heights = await bar.locator('i').evaluateAll(all => all.map(part => part.style.transform));
    assert.deepEqual(heights, ['scaleY(0.95)', 'scaleY(0.31)']);
    const head = page.getByTestId('wdl');
    assert.equal(await head.innerText(), '31 · 64 · 5 %');
    assert.equal(await head.getAttribute('title'), says);
    const score = rows(page).nth(1).locator('.c-engine .score');
    assert.match(
      await score.getAttribute('title'),
      /\nWhite wins 10 %, draw 89 %, Black wins 1 %\n.*, depth \d+ on kitchen\n/,
    );

    const usual = await order(page);
    await column(page);
    const cells = page.locator('td.c-chances');
    await until('the cells', async () => (await cells.nth(1).innerText()) === '1 %'); // Black's
    await clean(page, 'winning chances');
    assert.equal(await cells.first().innerText(), '–');
    const parts = cells.nth(2).locator('.result-bar i');
    const sides = await parts.evaluateAll(all => all.map(part => part.className));
    assert.deepEqual(sides, ['black', 'draw', 'white']);
    const byChances = page.getByTestId('by-chances');
    await byChances.click();
    await until('another order', async () => (await order(page)).join() !== usual.join());
    const top = page.locator('th.c-chances');
    assert.equal(await top.getAttribute('aria-sort'), 'descending');
    assert.equal(await choose(page), (await order(page))[0], 'keys follow the rows');
    await byChances.click();
    await until('as before', async () => (await order(page)).join() === usual.join());
    assert.equal(await top.getAttribute('aria-sort'), 'none');

    await page.getByRole('tab', { name: 'Evaluations' }).click();
    const evaluation = i => page.locator('table.evaluations tbody tr').nth(i).locator('td').allInnerTexts();
    await page.locator('table.evaluations tbody tr').nth(1).waitFor();
    const [first, second] = [await evaluation(0), await evaluation(1)];
    assert.equal(first[1], '31 · 64 · 5 %');
    assert.match(first.at(-1), /\S · kitchen$/);
    assert.match(first.join(), /depth \d+/);
    assert.equal(second[1], '');
    const { evaluations } = await api(server).get(`/analyses/${id}/evaluations`);
    assert.equal(second.at(-1), evaluations[1].engine);
    await page.getByRole('tab', { name: 'Moves' }).click();

    // On a phone the same height, also where nothing is known; and the column is remembered.
    const box = page.locator('section.value');
    await page.setViewportSize({ width: 390, height: 844 });
    await until('it has no room', () =>
      head.evaluate(e => e.getBoundingClientRect().top >= e.parentElement.getBoundingClientRect().bottom),
    );
    const { height } = await box.boundingBox();
    await fits(page, 'the head');
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
    await cells.first().waitFor();
    await column(page);
    await cells.first().waitFor({ state: 'detached' });
  },
};
