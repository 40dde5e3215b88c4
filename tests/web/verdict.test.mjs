// What the answer rests on: the line in the head, the board, the picture, and Verify. Where a text matters the server's
// answer is replaced by one that is known.
import { assert, desktop, lineOf, make, node, quiet, rested, rows, until, untilMoves } from './helpers.mjs';
import { clean, sizes } from './axe.mjs';
import { holdsStill } from './still.mjs';

const path = /\/api\/v1\/analyses\/\d+\/verdict/;
const step = (uci, san) => ({ uci, san });
const carrier = (line, move, cp, more = {}) => ({
  moves: line.map(s => s.uci),
  line,
  fen: 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1',
  move,
  evaluation: 1,
  score: { cp },
  needed: { cp: 9 },
  cost: 0.5,
  effort: 1_200_000,
  lifts_rival: false,
  ...more,
});

// After 1. e4.
const told = {
  fen: 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1',
  best: step('c7c5', 'c5'),
  rival: step('e7e5', 'e5'),
  stands: {
    percent: 83,
    letter: 'B',
    tested: true,
    like_this: { answers: 0, said: null, stood: null, low: null, high: null, text: '' },
  },
  cost: 0.9,
  meeting: { cp: 9 },
  bound: true,
  carries: [
    carrier([step('c7c5', 'c5')], step('g1f3', 'Nf3'), -12),
    carrier([step('e7e5', 'e5'), step('g1f3', 'Nf3')], step('b8c6', 'Nc6'), 31),
    carrier([step('c7c5', 'c5')], null, null, { score: null, evaluation: null }),
  ],
  second: null,
  second_opinions: [],
  verifying: null,
};
const unknown = { ...told, stands: null, best: null, rival: null, meeting: null, carries: [] };

// A page whose server answers `json` at the root; elsewhere it says nothing.
async function shown(visit, id, json, options = {}) {
  const page = await visit(`#/analysis/${id}`, {
    reducedMotion: 'reduce',
    ...options,
    before: page =>
      page.route(path, async route =>
        route.fulfill({ json: /moves=\w/.test(route.request().url()) ? unknown : await json() }),
      ),
  });
  await rows(page).nth(2).waitFor();
  return page;
}

const line = page => page.getByTestId('verdict');
const stands = page => line(page).locator('.verdict-stands');
const textOf = async page => (await line(page).innerText()).replace(/\s+/g, ' ').trim();

export const tests = {
  'the head says how likely the answer stands and what it rests on, each a way to its position; the board shows it while one points; a second engine disagrees':
    async ({ server, visit }) => {
      const id = await rested(server);
      let json = told;
      const page = await shown(visit, id, () => json, desktop);
      await stands(page).waitFor();
      assert.equal(
        (await textOf(page)).replace(/ Verify$/, ''),
        'stands: 83 %, B; it rests on 2.Nf3 −0.12 (1.2M) and 2…Nc6 +0.31 (1.2M) …',
      );
      const title = await stands(page).getAttribute('title');
      assert.match(
        title,
        /^83 %: the chance that the same move is still the answer after four times the work\./,
      );
      assert.match(title, /Else the answer would be 1… e5, where both are worth \+0\.09\./);
      assert.match(title, /A smaller set of errors may do it, too\./);

      // The first moves towards it stand in the place of the board's arrows.
      const carriers = page.locator('.cg-custom-svgs .carrier');
      await page.locator('.cg-custom-svgs .rank0').waitFor({ state: 'attached' });
      assert.equal(await carriers.count(), 0);
      await stands(page).hover();
      await until('its arrows', async () => (await carriers.count()) === 2); // c5 and e5
      assert.equal(await page.locator('.cg-custom-svgs polygon').count(), 2);
      await page.locator('h1').hover();
      await carriers.first().waitFor({ state: 'detached' });
      await page.getByTestId('verify').focus();
      await until('its arrows', async () => (await carriers.count()) === 2);

      await page.getByTestId('verdict-more').click();
      const list = page.getByTestId('verdict-list').locator('li');
      await list.nth(2).waitFor();
      assert.match((await list.nth(1).innerText()).replace(/\s+/g, ' '), /^1…e52\.Nf3Nc6 \+0\.31/);
      assert.match((await list.nth(2).innerText()).replace(/\s+/g, ' '), /^other moves after 1…c5/);
      await page.keyboard.press('Escape');
      await list.first().waitFor({ state: 'hidden' });
      await line(page).getByRole('link', { name: 'Nc6' }).first().click();
      await until('we are there', async () => (await lineOf(page)).join() === 'e7e5,g1f3,b8c6');
      await stands(page).waitFor({ state: 'detached' }); // of this position it is not known

      const apart = {
        moves: ['e7e5', 'g1f3'],
        line: [step('e7e5', 'e5'), step('g1f3', 'Nf3')],
        fen: 'rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2',
        rest: false,
        score: { cp: 31 },
        second: { cp: -40 },
        noise: 20,
        second_noise: 25,
        chances: -6.5,
      };
      json = { ...told, second: { engine: 'Other 1', questions: 5, answered: 4 }, second_opinions: [apart] };
      await page.keyboard.press('Home');
      await until('at the root', async () => !(await lineOf(page)).length);
      await page.reload(); // the page keeps what it was told of a position
      await page.getByTestId('second-disagrees').filter({ hasText: 'Other 1 disagrees;' }).waitFor();
      await page.getByTestId('verdict-more').click();
      const opinions = page.getByTestId('second-list').locator('li');
      await opinions.first().waitFor();
      assert.equal(
        (await opinions.first().innerText()).replace(/\s+/g, ' '),
        '1…e52.Nf3 +0.31 but −0.40, White’s winning chances −6.5 %',
      );
      await page.getByText('Other 1 has answered 4 of 5 questions about this. It disagrees:').waitFor();
      await clean(page, 'a second engine disagrees', [desktop.viewport]);
      await opinions.first().getByRole('link', { name: 'Nf3' }).click();
      await until('we are there', async () => (await lineOf(page)).join() === 'e7e5,g1f3');
    },

  'nothing moves when it comes, changes or is missing, and it is clean on each size of window': async ({
    server,
    visit,
  }) => {
    const id = await rested(server);
    const like_this = { ...told.stands.like_this, text: 'no answer like this has had four times the work' };
    const guess = { ...told, stands: { ...told.stands, tested: false, like_this } };
    let late = Promise.resolve();
    const page = await shown(visit, id, () => late.then(() => guess));
    const box = page.locator('section.value');
    for (const size of sizes) {
      let give;
      late = new Promise(resolve => (give = resolve));
      await page.setViewportSize(size);
      await page.reload(); // the page keeps what it was told of a position
      await rows(page).nth(2).waitFor();
      await page.evaluate(() => document.fonts.ready);
      const { height } = await box.boundingBox();
      await holdsStill(page, `it comes, ${size.width}`, give, () => stands(page).waitFor());
      assert.equal((await box.boundingBox()).height, height);
      await clean(page, 'the line', [size]);
      await page.getByTestId('verdict-more').click();
      await page.getByTestId('verdict-list').waitFor();
      const panel = await page.locator('#verdict-all').boundingBox();
      assert.ok(panel.x >= 0 && panel.x + panel.width <= size.width, 'all of it is in sight');
      await clean(page, 'all of it', [size]);
      await page.keyboard.press('Escape');
      await page.getByTestId('verdict-list').waitFor({ state: 'hidden' });
    }
  },

  'Verify says what it costs, says what is left, and is told when it cannot': [
    async ({ server, visit }) => {
      const id = await rested(server);
      let left = null;
      const page = await shown(visit, id, () => ({ ...told, verifying: left }));
      await stands(page).waitFor();
      const verify = page.getByTestId('verify');
      assert.match(await verify.getAttribute('title'), /^Verify: 8 searches/);
      const given = [];
      await page.route(/\/verify$/, route => {
        given.push(route.request().postDataJSON());
        left = { evaluations: 5, nodes: null };
        return route.fulfill({ json: { evaluations: 8, nodes: null } });
      });
      await page.keyboard.press('v');
      await verify.filter({ hasText: 'verifying, 8 left' }).waitFor();
      await verify.filter({ hasText: 'verifying, 5 left' }).waitFor();
      left = null;
      await verify.filter({ hasText: 'Verify' }).waitFor();
      assert.deepEqual(given, [{ moves: [], evaluations: 8 }]);

      await page.unroute(/\/verify$/);
      await verify.click(); // the analysis is paused
      await page.locator('.toast.bad').filter({ hasText: 'not now' }).waitFor();
    },
    { allow: /409/ },
  ],

  'the picture marks what the answer rests on': async ({ server, visit }) => {
    const { id } = await make(server, ['d2d4', 'd7d5'], {
      strategy: { kind: 'halving', move_distance: 40, refine: 2 },
    });
    await untilMoves(server, id, 3);
    await quiet(server, id);
    const { moves } = await node(server, id);
    const first = moves.slice(0, 2).map(({ uci, san }) => carrier([], { uci, san }, 20));
    const page = await shown(visit, id, () => ({ ...told, carries: first }));
    await page.getByRole('tab', { name: 'Picture' }).click();
    await page.locator('canvas[data-carriers="2"]').waitFor();
  },
};
