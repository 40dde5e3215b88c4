// For everyone: motion, focus, themes, tokens, and nothing from elsewhere.
import { assert, hasFocus, make, rows, until, untilMoves } from './helpers.mjs';

export const tests = {
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

  'a dialog that is closed gives the focus back to its opener; caps of keys stand beside their text': async ({
    server,
    visit,
  }) => {
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
      await until(`the focus is back after ${close}`, () => hasFocus(opener));
    }
    await page.getByRole('button', { name: 'Keyboard help' }).click();
    await dialog.waitFor();
    for (const width of [1440, 820, 390]) {
      await page.setViewportSize({ width, height: 900 });
      const over = await page.evaluate(() =>
        [...document.querySelectorAll('.keys-list dt')]
          .filter(dt => {
            const text = dt.nextElementSibling.getBoundingClientRect();
            return [...dt.children].some(cap => cap.getBoundingClientRect().right > text.left);
          })
          .map(dt => dt.textContent),
      );
      assert.deepEqual(over, [], `at ${width}`);
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
      const error = { code: 'unauthorised', message: 'A token is needed.', where: '' };
      const page = await visit('', {
        before: page =>
          page.route(/\/api\/v1\//, route =>
            route.request().headers()['authorization'] === 'Bearer secret'
              ? route.continue()
              : route.fulfill({ status: 401, json: { error } }),
          ),
      });
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
    const foreign = [];
    let policy = '';
    const page = await visit('', {
      before: page => {
        page.on('request', request => {
          const { origin, protocol } = new URL(request.url());
          if (protocol !== 'data:' && protocol !== 'blob:' && origin !== new URL(server.url).origin)
            foreign.push(request.url());
        });
        page.once('response', response => (policy = response.headers()['content-security-policy'] ?? ''));
      },
    });
    assert.match(policy, /default-src 'self'/);
    await page.getByRole('heading', { name: 'Queue' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('n');
    await page.getByTestId('board').waitFor();
    assert.deepEqual(foreign, []);
  },
};
