// The first minute: where nobody has an analysis yet, a position and one press begin one.
import { adopt, api, assert, boardFen, clickSquares, make, rows, until } from './helpers.mjs';
import { clean } from './axe.mjs';

const sizes = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];
const field = page => page.getByLabel('Opening, moves, FEN or PGN');

const focused = page => field(page).evaluate(element => element === document.activeElement);

// The queue of a server that has nothing: other tests' analyses are gone.
async function arrive({ server, visit }, more = {}) {
  await until('an empty queue', async () => !(await api(server).get('/analyses')).analyses.length);
  const page = await visit('#/', more);
  await field(page).waitFor();
  return page;
}

async function begun(server, page) {
  await page.getByTestId('counters').waitFor();
  adopt(page);
  await rows(page).first().waitFor();
  return api(server).get(`/analyses/${/\d+$/.exec(page.url())[0]}`);
}

export const tests = {
  'first contact: a name, one press, and its moves come; then the queue is a list': async ({
    server,
    visit,
  }) => {
    for (const viewport of sizes) {
      const page = await arrive({ server, visit }, { viewport });
      await page.getByTestId('first-look').getByText('3… a6').waitFor();
      await field(page).fill('caro-kann');
      await field(page).press('Enter');
      await until('on the board', async () => (await boardFen(page)).startsWith('rnbqkbnr/pp1ppppp/2p5'));
      await page.getByRole('button', { name: '10 minutes' }).click();
      const { budget, strategy, name } = await begun(server, page);
      const { engines } = await api(server).get('/engines');
      const { processes } = engines.find(engine => engine.default);
      assert.equal(budget.engine_seconds, 600 * processes.length);
      assert.equal(strategy.kind, 'anchored');
      assert.match(name, /Caro-Kann/);
      await page.goto(`${server.url}/#/`);
      await page.getByTestId('analysis').waitFor();
      assert.equal(await page.getByTestId('first-look').count(), 0);
      await page.getByRole('main').getByRole('link', { name: 'New analysis' }).waitFor();
      const id = Number(await page.getByTestId('analysis').getAttribute('data-id'));
      await api(server).del(`/analyses/${id}`);
      await field(page).waitFor(); // the queue is empty again
      assert.equal(await field(page).inputValue(), '');
    }
  },

  'first contact: by keys alone': async ({ server, visit }) => {
    const page = await arrive({ server, visit });
    await until('the field has the focus', () => focused(page));
    await page.keyboard.type('1. d4 Nf6 2. c4');
    await page.keyboard.press('Enter');
    const { moves, budget } = await begun(server, page);
    assert.equal(moves.join(), 'd2d4,g8f6,c2c4');
    assert.ok(budget.engine_seconds > 0, 'Enter gives it ten minutes');
  },

  'first contact: what is typed before the field is there, or beside it, goes there and is no shortcut': [
    async ({ server, visit }) => {
      await until('an empty queue', async () => !(await api(server).get('/analyses')).analyses.length);
      for (const late of [null, /\/api\/v1\/analyses$/, /\.js$/]) {
        const page = await visit('#/nowhere');
        if (late)
          await page.route(late, async route => {
            await new Promise(done => setTimeout(done, 700));
            return route.fallback();
          });
        await page.goto(`${server.url}/#/`, { waitUntil: 'commit' });
        await page.reload({ waitUntil: 'commit' });
        await page.locator('link[rel=modulepreload]').nth(1).waitFor({ state: 'attached' }); // src/first.ts has run
        await page.keyboard.type('najdorf nova');
        await field(page).waitFor();
        await until(`typed, ${late}`, async () => (await field(page).inputValue()) === 'najdorf nova');
        assert.equal(await page.getByRole('dialog').count(), 0);
        assert.ok(await focused(page));
        await field(page).fill('');
        await page.evaluate(() => document.activeElement.blur());
        await page.keyboard.type('tonga');
        assert.equal(await field(page).inputValue(), 'tonga');
        assert.match(page.url(), /#\/$/);
        await field(page).fill('');
        await page.evaluate(() => document.activeElement.blur());
        await page.keyboard.press('?'); // no letter
        await page.getByRole('dialog').waitFor();
        await page.unrouteAll({ behavior: 'ignoreErrors' });
        await page.context().close();
      }
      const { id } = await make(server, ['e2e4'], { hold: true });
      const page = await visit('#/');
      await page.locator(`[data-testid=analysis][data-id="${id}"]`).waitFor();
      await page.keyboard.press('o'); // a shortcut again
      await page.getByRole('dialog').waitFor();
    },
    { allow: /status of 400/ }, // the server is asked what nobody knows
  ],

  'first contact: moves on the board, a night': async ({ server, visit }) => {
    const page = await arrive({ server, visit });
    await clickSquares(page, 'e2', 'e4');
    await until('played', async () => (await boardFen(page)).includes('/4P3/'));
    await page.getByRole('button', { name: 'Overnight' }).click();
    const { moves, budget } = await begun(server, page);
    assert.equal(moves.join(), 'e2e4');
    assert.ok(budget.until > Date.now());
  },

  'first contact: what is wrong is told at the field; all settings know what was typed': [
    async ({ server, visit }) => {
      const page = await arrive({ server, visit });
      await field(page).fill('1. Ke3');
      await page
        .locator('#position-error')
        .getByText(/not legal|illegal/)
        .waitFor();
      await page.getByRole('button', { name: '10 minutes' }).click();
      await until('it has the focus', () => field(page).evaluate(e => e === document.activeElement));
      assert.match(page.url(), /#\/$/);
      await field(page).fill('1. e4 c5');
      await page.getByRole('link', { name: 'All settings' }).click();
      await page.getByTestId('create').waitFor();
      assert.equal(await field(page).inputValue(), '1. e4 c5');
      await page
        .getByLabel('Strategy')
        .or(page.getByRole('button', { name: 'All settings' }))
        .waitFor();
      await page.getByRole('button', { name: 'Start position' }).click(); // nothing is left to the next
    },
    { allow: /400/ }, // what cannot be read is asked of the server
  ],

  'first contact: the example that the server brings is no analysis of one’s own': async ({
    server,
    visit,
  }) => {
    const moves = ['e2e4', 'e7e5', 'g1f3', 'b8c6', 'f1b5'];
    const { name } = await make(server, moves, {
      hold: true,
      tags: ['example'],
    });
    const page = await visit('#/');
    await field(page).waitFor();
    await page.getByTestId('first-look').getByRole('link', { name }).waitFor();
    assert.equal(await page.getByText('3… a6').count(), 0, 'one example is enough');
    const { id } = await make(server, ['d2d4'], { hold: true });
    await page.locator(`[data-testid=analysis][data-id="${id}"]`).waitFor();
    assert.equal(await field(page).count(), 0);
  },

  'first contact: axe finds nothing, and nothing is too wide': async ({ server, visit }) => {
    for (const viewport of sizes) {
      const page = await arrive({ server, visit }, { viewport, reducedMotion: 'reduce' });
      await page.locator('.first-look-board piece').nth(20).waitFor();
      await clean(page, 'first look');
      const wide = await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
      assert.ok(wide, `nothing is wider than ${viewport.width}`);
    }
  },
};
