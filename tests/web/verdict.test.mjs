// What the answer rests on: the line in the head, the board, the picture, and Verify. Where a text matters the server's
// answer is replaced by one that is known.
import { assert, lineOf, make, node, quiet, rested, rows, until, untilMoves } from './helpers.mjs';
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

const none = { answers: 0, said: null, stood: null, low: null, high: null, text: '' };
const unknown = 'no answer like this of your Stockfish 19 has had four times the work yet';
const known = 'of 214 answers like this of your Stockfish 19, said 80 %, 78 % stood [72, 83]';

// After 1. e4.
const told = {
  fen: 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1',
  best: step('c7c5', 'c5'),
  rival: step('e7e5', 'e5'),
  stands: { percent: 83, letter: 'B', tested: true, like_this: none },
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
const guess = { ...told, stands: { ...told.stands, tested: false, like_this: { ...none, text: unknown } } };
const alone = { ...told, stands: { ...told.stands, percent: 99, letter: 'A' }, rival: null, meeting: null };
delete alone.cost;
alone.carries = [];

// A page whose server answers `json` at the root; elsewhere it says nothing.
async function shown(visit, server, id, json, options = {}) {
  const page = await visit('#/nowhere', { reducedMotion: 'reduce', ...options });
  await page.route(path, route =>
    /moves=\w/.test(route.request().url())
      ? route.fulfill({ json: { ...alone, stands: null, best: null } })
      : route.fulfill({ json: typeof json === 'function' ? json() : json }),
  );
  await page.goto(`${server.url}/#/analysis/${id}`);
  await rows(page).nth(2).waitFor();
  return page;
}

const line = page => page.getByTestId('verdict');
const stands = page => line(page).locator('.verdict-stands');
const textOf = async page => (await line(page).innerText()).replace(/\s+/g, ' ').trim();

export const tests = {
  'the head says how likely the answer stands and what it rests on, each a way to its position': async ({
    server,
    visit,
  }) => {
    const id = await rested(server);
    const page = await shown(visit, server, id, told, { viewport: { width: 1440, height: 900 } });
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
  },

  'the board shows the first moves towards it while one points at the line, in the place of its arrows':
    async ({ server, visit }) => {
      const id = await rested(server);
      const page = await shown(visit, server, id, told);
      await stands(page).waitFor();
      const carriers = page.locator('.cg-custom-svgs .carrier');
      const usual = page.locator('.cg-custom-svgs .rank0');
      await usual.waitFor({ state: 'attached' });
      assert.equal(await carriers.count(), 0);
      await stands(page).hover();
      await until('its arrows', async () => (await carriers.count()) === 2); // c5 and e5
      assert.equal(await page.locator('.cg-custom-svgs polygon').count(), 2);
      await page.locator('h1').hover();
      await carriers.first().waitFor({ state: 'detached' });
      await page.getByTestId('verify').focus();
      await until('its arrows', async () => (await carriers.count()) === 2);
    },

  'what is known of others, what nothing can change, and a rival that was not searched are said': async ({
    server,
    visit,
  }) => {
    const id = await rested(server);
    const like = { answers: 214, said: 80, stood: 78, low: 72, high: 83, text: known };
    const stood = { ...told, rival: null, stands: { ...told.stands, like_this: like } };
    const wide = { viewport: { width: 1440, height: 900 } };
    const page = await shown(visit, server, id, stood, wide);
    const muted = line(page).getByText('78 % of 214 like it stood', { exact: true });
    await muted.waitFor();
    assert.equal(await muted.getAttribute('title'), `O${known.slice(1)}.`);
    const title = await stands(page).getAttribute('title');
    assert.ok(title.includes(`\nO${known.slice(1)}.`));
    assert.match(title, /Else .* a move that was not searched/);
    assert.match(await line(page).textContent(), /against a move that was not searched/);
    await page.getByTestId('verdict-more').click();
    await page
      .locator('#verdict-all')
      .getByText(`O${known.slice(1)}.`, { exact: true })
      .waitFor();

    const first = await shown(visit, server, id, guess, wide);
    await line(first).getByText('none like it is known yet', { exact: true }).waitFor();
    await first.getByTestId('verdict-more').click();
    await first
      .locator('#verdict-all')
      .getByText(`N${unknown.slice(1)}.`, { exact: true })
      .waitFor();
    assert.doesNotMatch(await line(first).textContent(), /tested here/i);

    const sure = await shown(visit, server, id, alone);
    await stands(sure).waitFor();
    assert.equal((await textOf(sure)).replace(/ Verify$/, ''), 'stands: 99 %, A');
    assert.ok(await sure.getByTestId('verify').isDisabled());
  },

  'the head says that a second engine disagrees, and the list where, each a way to its position': async ({
    server,
    visit,
  }) => {
    const id = await rested(server);
    const [e5, nf3] = [step('e7e5', 'e5'), step('g1f3', 'Nf3')];
    const apart = {
      moves: ['e7e5', 'g1f3'],
      line: [e5, nf3],
      fen: 'rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2',
      rest: false,
      score: { cp: 31 },
      second: { cp: -40 },
      noise: 20,
      second_noise: 25,
      chances: -6.5,
    };
    const second = { engine: 'Other 1', questions: 5, answered: 4 };
    const page = await shown(visit, server, id, { ...told, second, second_opinions: [apart] });
    await page.getByTestId('second-disagrees').filter({ hasText: 'Other 1 disagrees;' }).waitFor();
    await page.getByTestId('verdict-more').click();
    const list = page.getByTestId('second-list').locator('li');
    await list.first().waitFor();
    assert.equal(
      (await list.first().innerText()).replace(/\s+/g, ' '),
      '1…e52.Nf3 +0.31 but −0.40, White’s winning chances −6.5 %',
    );
    await page.getByText('Other 1 has answered 4 of 5 questions about this. It disagrees:').waitFor();
    await clean(page, 'a second engine disagrees');
    await list.first().getByRole('link', { name: 'Nf3' }).click();
    await until('we are there', async () => (await lineOf(page)).join() === 'e7e5,g1f3');

    const agrees = await shown(visit, server, id, { ...told, second });
    await agrees.getByTestId('verdict-more').click();
    await agrees.getByText('Other 1 has answered 4 of 5 questions about this. It agrees.').waitFor();
    assert.equal(await agrees.getByTestId('second-disagrees').count(), 0);
  },

  'nothing moves when it comes, changes or is missing, and it is clean on each size of window': async ({
    server,
    visit,
  }) => {
    const id = await rested(server);
    for (const viewport of sizes) {
      let give;
      const late = new Promise(resolve => (give = resolve));
      const page = await visit('#/nowhere', { viewport, reducedMotion: 'reduce' });
      await page.route(path, async route => {
        await late;
        await route.fulfill({ json: guess });
      });
      await page.goto(`${server.url}/#/analysis/${id}`);
      await rows(page).nth(2).waitFor();
      await page.evaluate(() => document.fonts.ready);
      const box = page.locator('section.value');
      const { height } = await box.boundingBox();
      await holdsStill(page, `it comes, ${viewport.width}`, give, () => stands(page).waitFor());
      assert.equal((await box.boundingBox()).height, height);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
      await clean(page, 'the line');
      const more = page.getByTestId('verdict-more');
      await more.click();
      await page.getByTestId('verdict-list').waitFor();
      const panel = await page.locator('#verdict-all').boundingBox();
      assert.ok(panel.x >= 0 && panel.x + panel.width <= viewport.width, 'all of it is in sight');
      await clean(page, 'all of it');
      await page.context().close();
    }
  },

  'Verify says what it costs, says what is left, and is told when it cannot': [
    async ({ server, visit }) => {
      const id = await rested(server);
      let left = null;
      const page = await shown(visit, server, id, () => ({ ...told, verifying: left }));
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
    const page = await shown(visit, server, id, { ...told, carries: first });
    await page.getByRole('tab', { name: 'Picture' }).click();
    await page.locator('canvas[data-carriers="2"]').waitFor();
  },
};
