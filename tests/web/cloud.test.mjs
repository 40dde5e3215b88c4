// What clouds say, beside the moves and below them. It is put into the server's answers here: tests ask nobody outside.
import { assert, rested, rows } from './helpers.mjs';
import { clean } from './axe.mjs';

const lichess = { source: 'lichess', score: { cp: 17 }, depth: 50, at: 1_790_000_000_000 };
const chessdb = { source: 'chessdb', score: { cp: -3 }, rank: 2, at: 1_790_000_000_000 };

const told = (page, id) =>
  page.route(new RegExp(`/api/v1/analyses/${id}/node$`), async route => {
    const response = await route.fetch();
    const json = await response.json();
    json.moves[0].cloud = [chessdb, lichess];
    json.cloud_moves = [{ uci: 'a2a3', san: 'a3', cloud: [lichess] }];
    await route.fulfill({ response, json });
  });

export const tests = {
  'what clouds say stands in a column of its own, and moves that only they know below': async ({
    server,
    visit,
  }) => {
    const id = await rested(server);
    const page = await visit(`#/analysis/${id}`, { before: page => told(page, id) });
    await rows(page).nth(2).waitFor();
    assert.equal(await page.locator('td.c-cloud').count(), await rows(page).count());
    const said = page.locator('td.c-cloud .score');
    assert.equal(await said.count(), 1);
    assert.equal(await said.innerText(), '−0.03');
    assert.match(await said.getAttribute('title'), /^chessdb\.cn: .*, best, .*\nlichess: .*, depth 50, /);
    const only = page.getByTestId('cloud-move');
    assert.equal(await only.count(), 1);
    assert.match(await only.innerText(), /^a3\s*\+0\.17\s*Include$/);
    assert.ok(await only.getByRole('button', { name: 'Include a3' }).isVisible());
    await clean(page, 'what clouds say');
    await page.unrouteAll({ behavior: 'wait' });
    await page.reload();
    await rows(page).nth(2).waitFor();
    assert.equal(await page.locator('.c-cloud').count(), 0); // nothing is said
    assert.equal(await page.getByTestId('prove').count(), 0); // no end is near, either
  },
};
