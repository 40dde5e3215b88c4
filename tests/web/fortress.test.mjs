// The fortress lamp: a sign in the head and beside moves, its reasons in words. It is put into the server's answers.
import { assert, rested, rows } from './helpers.mjs';
import { drawn } from './still.mjs';

const fortress = {
  side: 'white',
  reasons: [
    { reason: 'flat', figure: 0, doublings: 4 },
    { reason: 'quiet', figure: 24 },
  ],
  text: "White's advantage may not be convertible: 16 times the work found nothing more; the line of 24 half-moves has no capture and no pawn move",
};

// The position and its second move have it, where `lit()` says so.
async function shown(visit, server, id, lit, options = {}) {
  const page = await visit('#/', { reducedMotion: 'reduce', ...options });
  await page.route(new RegExp(`/api/v1/analyses/${id}/node$`), async route => {
    const response = await route.fetch();
    const json = await response.json();
    if (lit() && json.moves.length > 1) json.fortress = json.moves[1].fortress = fortress;
    await route.fulfill({ response, json });
  });
  await page.goto(`${server.url}/#/analysis/${id}`);
  await rows(page).nth(2).waitFor();
  return page;
}

const boxes = page =>
  page.locator('.answer > *, .opinions, .verdict, .moves td.c-alpha, .moves tbody tr').evaluateAll(all =>
    all.map(one => {
      const { x, y, width, height } = one.getBoundingClientRect();
      return [x, y, width, height].map(Math.round).join();
    }),
  );

export const tests = {
  'a sign in the head and beside a move tells why, and moves nothing': async ({ server, visit }) => {
    const id = await rested(server);
    for (const viewport of [
      { width: 1440, height: 900 },
      { width: 390, height: 844 },
    ]) {
      let lit = false;
      const page = await shown(visit, server, id, () => lit, { viewport });
      await page.getByTestId('verdict-more').waitFor();
      await drawn(page);
      const before = await boxes(page);
      lit = true;
      await page.reload();
      const head = page.getByTestId('fortress').getByRole('img');
      await head.waitFor({ state: 'attached' });
      await page.getByTestId('verdict-more').waitFor();
      await drawn(page);
      assert.deepEqual(await boxes(page), before);
      assert.equal(await head.getAttribute('aria-label'), `${fortress.text}.`);
      assert.equal(await head.getAttribute('title'), `${fortress.text}.`);
      // A row may have other signs, too.
      const beside = row =>
        rows(page).nth(row).locator('.c-alpha').getByRole('img', { name: fortress.text }).count();
      assert.deepEqual([await beside(0), await beside(1)], [0, 1]);
      await page.getByTestId('verdict-more').click();
      assert.equal(await page.getByTestId('fortress-details').innerText(), `${fortress.text}.`);
    }
  },
};
