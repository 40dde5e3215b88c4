// For everyone: axe on every page in both themes, no sideways scrolling on a phone, focus, motion.
import { assert, make, rows, until, untilMoves } from './helpers.mjs';
import { clean } from './axe.mjs';

async function pages(server, visit, options, look) {
  const { id } = await make(server, ['e2e4', 'e7e5', 'g1f3']);
  await untilMoves(server, id, 2);
  await until('settled', async () => (await untilMoves(server, id)).moves.length > 1);
  const other = await make(server, []);
  await untilMoves(server, other.id);
  const ready = {
    '#/': page => page.getByTestId('process').first().waitFor(),
    [`#/review/${other.id}/e2e4,e7e5,g1f3?at=2`]: page => page.getByTestId('accuracy').waitFor(),
    '#/review': page => page.getByTestId('review-start').waitFor(),
    '#/new': page => page.getByTestId('board').waitFor(),
    [`#/analysis/${id}`]: page => rows(page).first().waitFor(),
    [`#/analysis/${id}?tab=picture`]: page => page.getByTestId('picture').waitFor(),
    [`#/analysis/${id}?tab=time`]: page => page.getByTestId('changes').waitFor(),
    [`#/analysis/${id}?tab=facts`]: page => page.getByRole('table', { name: 'Evaluations' }).waitFor(),
    '#/nowhere': page => page.getByRole('heading', { name: 'Nothing here' }).waitFor(),
  };
  for (const [hash, wait] of Object.entries(ready)) {
    const page = await visit(hash, options);
    await wait(page);
    await look(page, hash);
    await page.context().close();
  }
}

// Every page in both themes.
const looked = (server, visit, viewport) =>
  pages(server, visit, { viewport, reducedMotion: 'reduce' }, clean);

export const tests = {
  'axe finds nothing, desktop': ({ server, visit }) => looked(server, visit, { width: 1280, height: 800 }),

  'axe finds nothing, large desktop': ({ server, visit }) =>
    looked(server, visit, { width: 1920, height: 1080 }),

  'axe finds nothing, tablet': ({ server, visit }) => looked(server, visit, { width: 768, height: 1024 }),

  'axe finds nothing, phone': ({ server, visit }) => looked(server, visit, { width: 390, height: 844 }),

  'axe finds nothing in a queue with tags, dates and a selection': async ({ server, visit }) => {
    for (const move_by of ['2020-01-01', '2090-01-01'])
      await make(server, ['a2a3'], {
        hold: true,
        tags: ['club', 'najdorf'],
        game: { opponent: 'Timman', move_by },
      });
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 390, height: 844 },
    ]) {
      const page = await visit('#/', { viewport, reducedMotion: 'reduce' });
      await page.getByRole('button', { name: 'Select', exact: true }).click();
      await page.getByRole('checkbox').first().check();
      await clean(page, 'queue');
      for (const name of ['Tags…', 'Delete…']) {
        await page.getByRole('button', { name }).click();
        await page.getByRole('dialog').waitFor();
        await clean(page, name);
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      }
    }
  },

  'a phone never scrolls sideways': ({ server, visit }) =>
    pages(
      server,
      visit,
      { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
      async (page, hash) => {
        // Not beside the window's own width: a phone's grows with what is too wide.
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= 360, `${hash}: ${wide} > 360`);
        const cut = await page.evaluate(() => {
          const left = document.querySelector('.strip-left span');
          const main = document.querySelector('.strip-main');
          return left && main && left.getBoundingClientRect().right > main.getBoundingClientRect().left;
        });
        assert.ok(!cut, `${hash}: what is left lies under the button`);
      },
    ),

  'nor does a small desktop': ({ server, visit }) =>
    pages(server, visit, { viewport: { width: 900, height: 700 } }, async (page, hash) => {
      const [wide, window_] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      assert.ok(wide <= window_, `${hash}: ${wide} > ${window_}`);
    }),

  'who wants less motion gets none, while the numbers run': async ({ server, visit }) => {
    const { id } = await make(server, ['e2e4', 'b7b6'], {
      strategy: { kind: 'halving', move_distance: 40, refine: 0 },
    });
    await untilMoves(server, id, 2);
    const moving = page =>
      page.evaluate(() =>
        document
          .getAnimations()
          .filter(a => a.effect.getComputedTiming().duration > 1)
          .map(a => a.animationName ?? a.transitionProperty),
      );
    const still = await visit(`#/analysis/${id}`, { reducedMotion: 'reduce' });
    const lively = await visit(`#/analysis/${id}`);
    for (const page of [still, lively]) await rows(page).first().waitFor();
    await until('others see something move', async () => {
      assert.deepEqual(await moving(still), []);
      return (await moving(lively)).length > 0;
    });
  },

  'a dialog that is closed gives the focus back to its opener': async ({ server, visit }) => {
    const { name } = await make(server, ['a2a4'], { hold: true });
    const page = await visit('#/');
    const row = page.getByTestId('analysis').filter({ hasText: name });
    const opener = row.getByRole('button', { name: /Actions/ });
    const dialog = page.getByRole('dialog');
    for (const close of ['Cancel', 'Save', 'Close', 'Escape']) {
      await opener.click();
      await page.getByRole('menuitem', { name: 'Settings…' }).click();
      await dialog.waitFor();
      if (close === 'Escape') await page.keyboard.press('Escape');
      else await dialog.getByRole('button', { name: close }).click();
      await dialog.waitFor({ state: 'detached' });
      await until(`the focus is back after ${close}`, () =>
        opener.evaluate(element => element === document.activeElement),
      );
    }
  },

  'the theme is chosen, kept, and there before the page': async ({ visit }) => {
    const page = await visit('#/');
    const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const light = await background();
    await page.getByTestId('theme').click(); // light
    await page.getByTestId('theme').click(); // dark
    await until('dark', async () => (await background()) !== light);
    const dark = await background();
    await page.reload();
    assert.equal(await background(), dark);
    await page.getByTestId('theme').click(); // as the system
    await until('light again', async () => (await background()) === light);
  },

  'a server that wants a token is unlocked with it': [
    async ({ server, visit }) => {
      const { name } = await make(server, ['b2b3'], { hold: true });
      const page = await visit('');
      const error = { code: 'unauthorised', message: 'A token is needed.', where: '' };
      await page.route(/\/api\/v1\//, route =>
        route.request().headers()['authorization'] === 'Bearer secret'
          ? route.continue()
          : route.fulfill({ status: 401, json: { error } }),
      );
      await page.reload();
      const dialog = page.getByRole('dialog', { name: 'Token' });
      const enter = async token => {
        await dialog.getByLabel('The token of this server').fill(token);
        await dialog.getByRole('button', { name: 'Unlock' }).click();
      };
      await dialog.waitFor();
      await enter('guess');
      await dialog.getByText('The server does not take the token that was given.').waitFor();
      assert.equal(await page.getByTestId('link').getAttribute('data-status'), 'locked');
      await enter('secret');
      await page.getByText(name).waitFor();
      assert.equal(await page.getByTestId('link').getAttribute('data-status'), 'online');
      assert.equal(await dialog.count(), 0);
    },
    { allow: /status of 401/ },
  ],

  'no request leaves the server’s own origin, and the policy holds': async ({ server, visit }) => {
    const page = await visit('about:blank'.slice(0, 0));
    const foreign = [];
    page.on('request', request => {
      const { origin, protocol } = new URL(request.url());
      if (protocol !== 'data:' && protocol !== 'blob:' && origin !== new URL(server.url).origin)
        foreign.push(request.url());
    });
    const response = await page.reload();
    assert.match(response.headers()['content-security-policy'] ?? '', /default-src 'self'/);
    await page.getByRole('heading', { name: 'Queue' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('n');
    await page.getByTestId('board').waitFor();
    assert.deepEqual(foreign, []);
  },
};
