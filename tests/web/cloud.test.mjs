// What clouds say, beside the moves and below them. It is put into the server's answers here: tests ask nobody outside.
import { assert, rested, rows } from './helpers.mjs';
import { clean, sizes } from './axe.mjs';

const lichess = { source: 'lichess', score: { cp: 17 }, depth: 50, at: 1_790_000_000_000 };
const chessdb = { source: 'chessdb', score: { cp: -3 }, rank: 2, at: 1_790_000_000_000 };

async function told(page, server, id) {
  await page.route(new RegExp(`/api/v1/analyses/${id}/node$`), async route => {
    const response = await route.fetch();
    const json = await response.json();
    json.moves[0].cloud = [chessdb, lichess];
    json.cloud_moves = [{ uci: 'a2a3', san: 'a3', cloud: [lichess] }];
    await route.fulfill({ response, json });
  });
  await page.goto(`${server.url}/#/analysis/${id}`);
  await page.reload(); // it may have been there already
  await rows(page).nth(2).waitFor();
}

export const tests = {
  'what clouds say stands in a column of its own, and moves that only they know below': async ({
    server,
    visit,
  }) => {
    const id = await rested(server);
    const page = await visit('#/', { reducedMotion: 'reduce' });
    await page.goto(`${server.url}/#/analysis/${id}`);
    await rows(page).nth(2).waitFor();
    assert.equal(await page.locator('.c-cloud').count(), 0); // nothing is said
    await told(page, server, id);
    assert.equal(await page.locator('td.c-cloud').count(), await rows(page).count());
    const said = page.locator('td.c-cloud .score');
    assert.equal(await said.count(), 1);
    assert.equal(await said.innerText(), '−0.03');
    assert.match(await said.getAttribute('title'), /^chessdb\.cn: .*, best, .*\nlichess: .*, depth 50, /);
    const only = page.getByTestId('cloud-move');
    assert.equal(await only.count(), 1);
    assert.match(await only.innerText(), /^a3\s*\+0\.17\s*Include$/);
    assert.ok(await only.getByRole('button', { name: 'Include a3' }).isVisible());
  },

  'it has room in windows of every size': async ({ server, visit }) => {
    const id = await rested(server);
    for (const viewport of sizes) {
      const page = await visit('#/', { viewport, reducedMotion: 'reduce' });
      await told(page, server, id);
      const fits = await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
      assert.ok(fits, `no wider than ${viewport.width}`);
      await clean(page, 'what clouds say');
      await page.context().close();
    }
  },
};
