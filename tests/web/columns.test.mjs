// Columns beside the tree's values: games and their results, a second engine.
import { api, assert, make, quiet, rows, until, untilMoves } from './helpers.mjs';
import { clean, sizes } from './axe.mjs';
import { drawn, holdsStill } from './still.mjs';

const game = (moves, result, elo) =>
  `[White "Ada"]\n[Black "Ben"]\n[Date "2019.01.01"]\n${
    elo ? `[WhiteElo "${elo}"]\n[BlackElo "${elo}"]\n` : ''
  }\n${moves} ${result}\n\n`;

async function collect(server, name, pgn) {
  const response = await fetch(`${server.url}/api/v1/collections/${name}`, {
    method: 'POST',
    headers: { 'Content-Type': 'text/plain' },
    body: pgn,
  });
  assert.ok(response.ok, await response.text());
}

async function settledAt(server, moves, depth, refine = 1, distance = 40) {
  const { id } = await make(server, moves, {
    limit: { depth },
    strategy: { kind: 'halving', move_distance: distance, refine },
  });
  await untilMoves(server, id, 3);
  await until('it is settled', async () => (await api(server).get(`/analyses/${id}`)).state === 'settled');
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
      const id = await settledAt(server, ['e2e3', 'h7h6'], 6, 1, 25); // that nobody else has searched
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
        for (const viewport of sizes) {
          const page = await visit(`#/analysis/${id}`, { viewport, reducedMotion: 'reduce' });
          await rows(page).nth(1).waitFor();
          assert.equal(await page.locator('td.c-games').count(), 0, 'nobody asked for it');
          await choose(page, /Games of columns/);
          const row = page.locator(`[data-uci="${inTree.uci}"]`);
          await row.locator('.result-bar').waitFor();
          assert.match(await row.locator('.games-count').innerText(), /^2$/);
          const says = await row.locator('.result-bar').getAttribute('aria-label');
          assert.equal(says, 'White 50%, draws 50%, Black 0%');
          if (viewport.width > 1023) assert.equal(await row.locator('.games-elo').innerText(), '2550');
          const fits = await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
          assert.ok(fits, `no wider than ${viewport.width}`);
          const only = page.getByTestId('only-played');
          assert.equal(await only.count(), 1);
          assert.match(await only.innerText(), new RegExp(`^${outside}`));
          await clean(page, 'games beside the moves');
          // It is remembered, and keeps its place while it loads.
          await page.reload();
          await page.locator('td.c-games').first().waitFor();
          await row.locator('.result-bar').waitFor();
          await page.context().close();
        }
        const page = await visit(`#/analysis/${id}`, { reducedMotion: 'reduce' });
        await rows(page).nth(1).waitFor();
        await choose(page, /Games of columns/);
        await page
          .getByTestId('only-played')
          .getByRole('button', { name: `Include ${outside}` })
          .click();
        await until('it is a row', () =>
          page
            .getByTestId('move')
            .filter({ has: page.getByRole('link', { name: outside, exact: true }) })
            .count(),
        );
        await page.getByTestId('only-played').waitFor({ state: 'detached' });
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
      for (const viewport of sizes) {
        const page = await visit(`#/analysis/${id}`, { viewport, reducedMotion: 'reduce' });
        await rows(page).nth(1).waitFor();
        await choose(page, /, depth 6: \d+ moves?/);
        const values = page.locator('td.c-second .score');
        await until('its values', () => values.count());
        const { evaluations } = await api(server).get(`/analyses/${id}/evaluations`);
        const its = evaluations.filter(e => e.limit.depth === 6 && e.move);
        assert.ok((await values.count()) <= its.length);
        assert.equal(await page.locator('td.c-second .second-depth').first().innerText(), '6');
        const fits = await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
        assert.ok(fits, `no wider than ${viewport.width}`);
        await clean(page, 'a second engine');
        await page.context().close();
      }
      const page = await visit(`#/analysis/${id}`, { reducedMotion: 'reduce' });
      await rows(page).nth(1).waitFor();
      await choose(page, /, depth 6: \d+ moves?/);
      await page.locator('td.c-second .score').first().waitFor();
      // Where only this analysis has searched.
      const { moves } = await api(server).get(`/analyses/${id}/node`);
      const { uci } = moves.find(m => m.status === 'expanded');
      await page.goto(page.url().replace(/#.*/, `#/analysis/${id}/${uci}`));
      await page.getByText('The second engine (depth 6) has no evaluation of this position.').waitFor();
      await page.goBack();
      await choose(page, 'No second engine');
      await until('the column is gone', async () => (await page.locator('.c-second').count()) === 0);
    },

  'columns that were chosen have their place before they are there': async ({ server, visit }) => {
    const id = await settledAt(server, ['c2c4', 'e7e5'], 6);
    await collect(server, 'places', game('1. c4 e5 2. Nc3', '1-0') + game('1. c4 e5 2. Nf3 Nc6', '0-1'));
    try {
      for (const viewport of sizes) {
        const page = await visit(`#/analysis/${id}`, { viewport, reducedMotion: 'reduce' });
        await rows(page).nth(1).waitFor();
        await choose(page, /Games of places/);
        await page.locator('td.c-games .games-count').first().waitFor();
        await page.evaluate(() => document.fonts.ready);
        await drawn(page);
        await rows(page).nth(1).scrollIntoViewIfNeeded();
        await holdsStill(
          page,
          `a step with games, ${viewport.width}`,
          () => rows(page).first().getByRole('link').first().click(),
          () => page.locator('[data-testid=moves], [data-testid=callout]').first().waitFor(),
        );
        await page.context().close();
      }
    } finally {
      await api(server).del('/collections/places');
    }
  },
};
