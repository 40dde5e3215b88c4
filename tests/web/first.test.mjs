// The first minute: where nobody has an analysis yet, a position and one press begin one.
import {
  adopt,
  analysis,
  api,
  assert,
  boardFen,
  clickSquares,
  desktop,
  field,
  hasFocus,
  make,
  rows,
  stands,
  until,
} from './helpers.mjs';
import { clean } from './axe.mjs';

const sizes = [desktop.viewport, { width: 390, height: 844 }];

// The queue of a server that has nothing: other tests' analyses are gone.
const emptied = server =>
  until('an empty queue', async () => !(await api(server).get('/analyses')).analyses.length);

async function arrive({ server, visit }, more = {}) {
  await emptied(server);
  const page = await visit('#/', more);
  await field(page).waitFor();
  return page;
}

async function begun(server, page) {
  await page.getByTestId('counters').waitFor();
  const id = adopt(page);
  await rows(page).first().waitFor();
  return analysis(server, id);
}

export const tests = {
  'first contact: a name, one press, and its moves come; then the queue is a list; on each size of window':
    async ({ server, visit }) => {
      const page = await arrive({ server, visit });
      await page.locator('.first-look-board piece').nth(20).waitFor();
      await clean(page, 'first look', sizes);
      for (const viewport of sizes) {
        await page.setViewportSize(viewport);
        await page.getByTestId('first-look').getByText('3… a6').waitFor();
        await field(page).fill('caro-kann');
        await field(page).press('Enter');
        await stands(page, 'rnbqkbnr/pp1ppppp/2p5');
        await page.getByRole('button', { name: '10 minutes' }).click();
        const { id, budget, strategy, name } = await begun(server, page);
        const { engines } = await api(server).get('/engines');
        const { processes } = engines.find(engine => engine.default);
        assert.equal(budget.engine_seconds, 600 * processes.length);
        assert.equal(strategy.kind, 'anchored');
        assert.match(name, /Caro-Kann/);
        await page.goto(`${server.url}/#/`);
        await page.getByTestId('analysis').waitFor();
        assert.equal(await page.getByTestId('first-look').count(), 0);
        await page.getByRole('main').getByRole('link', { name: 'New analysis' }).waitFor();
        await api(server).del(`/analyses/${id}`);
        await field(page).waitFor(); // the queue is empty again
        assert.equal(await field(page).inputValue(), '');
      }
    },

  'first contact: by keys alone': async ({ server, visit }) => {
    const page = await arrive({ server, visit });
    await until('the field has the focus', () => hasFocus(field(page)));
    await page.keyboard.type('1. d4 Nf6 2. c4');
    await page.keyboard.press('Enter');
    const { moves, budget } = await begun(server, page);
    assert.equal(moves.join(), 'd2d4,g8f6,c2c4');
    assert.ok(budget.engine_seconds > 0, 'Enter gives it ten minutes');
  },

  'first contact: what is typed before the field is there, or beside it, goes there and is no shortcut': [
    async ({ server, visit }) => {
      await emptied(server);
      const blur = page => page.evaluate(() => document.activeElement.blur());
      let page;
      for (const late of [/\/api\/v1\/analyses$/, /\.js$/]) {
        page = await visit('#/', {
          waitUntil: 'commit',
          before: page =>
            page.route(late, async route => {
              await new Promise(done => setTimeout(done, 700));
              return route.fallback();
            }),
        });
        await page.locator('link[rel=modulepreload]').nth(1).waitFor({ state: 'attached' }); // src/first.ts has run
        await page.keyboard.type('najdorf nova');
        await field(page).waitFor();
        await until(`typed, ${late}`, async () => (await field(page).inputValue()) === 'najdorf nova');
        assert.equal(await page.getByRole('dialog').count(), 0);
        assert.ok(await hasFocus(field(page)));
        await field(page).fill('');
        await blur(page);
        await page.keyboard.type('tonga');
        assert.equal(await field(page).inputValue(), 'tonga');
        assert.match(page.url(), /#\/$/);
        await field(page).fill('');
        await blur(page);
        await page.keyboard.press('?'); // no letter
        await page.getByRole('dialog').waitFor();
        await page.unrouteAll({ behavior: 'ignoreErrors' });
      }
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      const { id } = await make(server, ['e2e4'], { hold: true });
      await page.locator(`[data-testid=analysis][data-id="${id}"]`).waitFor();
      await page.keyboard.press('o'); // a shortcut again
      await page.getByRole('dialog').waitFor();
    },
    { allow: /status of 400/ }, // the server is asked what nobody knows
  ],

  'first contact: what is wrong is told at the field; all settings know what was typed; moves on the board, a night':
    [
      async ({ server, visit }) => {
        const page = await arrive({ server, visit });
        await field(page).fill('1. Ke3');
        await page
          .locator('#position-error')
          .getByText(/not legal|illegal/)
          .waitFor();
        await page.getByRole('button', { name: '10 minutes' }).click();
        await until('it has the focus', () => hasFocus(field(page)));
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
        await page.goto(`${server.url}/#/`);
        await page.getByTestId('first-look').waitFor();
        await page.locator('.first-form cg-board piece').first().waitFor();
        await clickSquares(page, 'e2', 'e4');
        await until('played', async () => (await boardFen(page)).includes('/4P3/'));
        await page.getByRole('button', { name: 'Overnight' }).click();
        const { moves, budget } = await begun(server, page);
        assert.equal(moves.join(), 'e2e4');
        assert.ok(budget.until > Date.now());
      },
      { allow: /400/ }, // what cannot be read is asked of the server
    ],

  'first contact: the example that the server brings is no analysis of one’s own': async ({
    server,
    visit,
  }) => {
    const moves = ['e2e4', 'e7e5', 'g1f3', 'b8c6', 'f1b5'];
    const { name } = await make(server, moves, { hold: true, tags: ['example'] });
    const page = await visit('#/');
    await field(page).waitFor();
    await page.getByTestId('first-look').getByRole('link', { name }).waitFor();
    assert.equal(await page.getByText('3… a6').count(), 0, 'one example is enough');
    const { id } = await make(server, ['d2d4'], { hold: true });
    await page.locator(`[data-testid=analysis][data-id="${id}"]`).waitFor();
    assert.equal(await field(page).count(), 0);
  },
};
