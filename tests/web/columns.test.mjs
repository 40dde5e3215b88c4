// Columns beside the tree's values: games and their results, a second engine.
import { api, assert, collect, drawn, make, quiet, rows, settled, until, untilMoves } from './helpers.mjs';
import { clean, sizes } from './axe.mjs';
import { holdsStill } from './still.mjs';

const game = (moves, result, elo) =>
  `[White "Ada"]\n[Black "Ben"]\n[Date "2019.01.01"]\n${
    elo ? `[WhiteElo "${elo}"]\n[BlackElo "${elo}"]\n` : ''
  }\n${moves} ${result}\n\n`;

async function settledAt(server, moves, depth, refine = 1, distance = 40) {
  const { id } = await make(server, moves, {
    limit: { depth },
    strategy: { kind: 'halving', move_distance: distance, refine },
  });
  await untilMoves(server, id, 3);
  await settled(server, id);
  await quiet(server, id);
  return id;
}

// What the head of the table offers.
async function choose(page, name) {
  await page.getByTestId('columns').click();
  await page.getByRole('menuitem', { name }).click();
}

export const tests = {
  'games stand beside the moves, what was played and not searched below, to be included by one click':
    async ({ server, visit }) => {
      const id = await settledAt(server, ['e2e3', 'h7h6'], 6, 2, 25); // that nobody else has searched
      const { moves } = await api(server).get(`/analyses/${id}/node`);
      const inTree = moves.find(m => m.alpha);
      const legal = ['a3', 'a4', 'h3', 'h4', 'b4', 'Na3', 'Ke2', 'g4', 'f3'];
      const outside = legal.find(san => !moves.some(m => m.san === san));
      await collect(
        server,
        'columns',
        game(`1. e3 h6 2. ${inTree.san}`, '1-0', 2500) +
          game(`1. e3 h6 2. ${inTree.san}`, '1/2-1/2', 2600) +
          game(`1. e3 h6 2. ${outside}`, '0-1'),
      );
      try {
        const page = await visit(`#/analysis/${id}`, { viewport: sizes[0], reducedMotion: 'reduce' });
        await rows(page).nth(1).waitFor();
        assert.equal(await page.locator('td.c-games').count(), 0, 'nobody asked for it');
        await choose(page, /Games of columns/);
        const row = page.locator(`[data-uci="${inTree.uci}"]`);
        await row.locator('.result-bar').waitFor();
        assert.match(await row.locator('.games-count').innerText(), /^2$/);
        const says = await row.locator('.result-bar').getAttribute('aria-label');
        assert.equal(says, 'White 50%, draws 50%, Black 0%');
        assert.equal(await row.locator('.games-elo').innerText(), '2550');
        const only = page.getByTestId('only-played');
        assert.equal(await only.count(), 1);
        assert.match(await only.innerText(), new RegExp(`^${outside}`));
        await clean(page, 'games beside the moves');
        // It is remembered, and keeps its place while it loads.
        await page.reload();
        await page.locator('td.c-games').first().waitFor();
        await row.locator('.result-bar').waitFor();
        await page.evaluate(() => document.fonts.ready);
        for (const size of sizes) {
          await page.setViewportSize(size);
          await drawn(page);
          await rows(page).nth(1).scrollIntoViewIfNeeded();
          await holdsStill(
            page,
            `a step with games, ${size.width}`,
            () => rows(page).first().getByRole('link').first().click(),
            () => page.locator('[data-testid=moves], [data-testid=callout]').first().waitFor(),
          );
          await page.goBack();
          await row.locator('.result-bar').waitFor();
        }
        await page.setViewportSize(sizes[0]);
        await only.getByRole('button', { name: `Include ${outside}` }).click();
        await until('it is a row', () =>
          rows(page)
            .filter({ has: page.getByRole('link', { name: outside, exact: true }) })
            .count(),
        );
        await only.waitFor({ state: 'detached' });
        await choose(page, 'No games');
        await until('the column is gone', async () => (await page.locator('.c-games').count()) === 0);
      } finally {
        await api(server).del('/collections/columns');
      }
    },

  'another limit of the engine stands beside the table, with what differs marked, and says where it has nothing':
    async ({ server, visit }) => {
      const id = await settledAt(server, ['d2d4', 'f7f5'], 6);
      await settledAt(server, ['d2d4', 'f7f5'], 9, 3);
      const page = await visit(`#/analysis/${id}`, { reducedMotion: 'reduce' });
      await rows(page).nth(1).waitFor();
      await choose(page, /, depth 6: \d+ moves?/);
      const values = page.locator('td.c-second .score');
      await until('its values', () => values.count());
      const { evaluations } = await api(server).get(`/analyses/${id}/evaluations`);
      const its = evaluations.filter(e => e.limit.depth === 6 && e.move);
      assert.ok((await values.count()) <= its.length);
      assert.equal(await page.locator('td.c-second .second-depth').first().innerText(), '6');
      await clean(page, 'a second engine');
      // Where only this analysis has searched.
      const { moves } = await api(server).get(`/analyses/${id}/node`);
      const { uci } = moves.find(m => m.status === 'expanded');
      await page.goto(page.url().replace(/#.*/, `#/analysis/${id}/${uci}`));
      await page.getByText('The second engine (depth 6) has no evaluation of this position.').waitFor();
      await page.goBack();
      await choose(page, 'No second engine');
      await until('the column is gone', async () => (await page.locator('.c-second').count()) === 0);
    },
};
