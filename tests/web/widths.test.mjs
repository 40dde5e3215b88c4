// Widths at which something was too wide or cut.
import { assert, make, quiet, untilMoves } from './helpers.mjs';

export const tests = {
  'nothing is wider than a window of 320 px': async ({ server, visit }) => {
    const strategy = { kind: 'halving', move_distance: 20, refine: 2 };
    const { id } = await make(server, ['e2e4', 'e7e5', 'g1f3'], {
      name: 'A name that is rather long',
      strategy,
    });
    await untilMoves(server, id, 3);
    await quiet(server, id);
    for (const [place, there] of [
      ['#/', '[data-testid=analysis]'],
      [`#/analysis/${id}`, '[data-testid=move]'],
      ['#/new', '[data-testid=create]'],
      ['#/summary', 'h1'],
      ['#/review', 'h1'],
    ]) {
      const page = await visit(place, { viewport: { width: 320, height: 640 }, reducedMotion: 'reduce' });
      await page.locator(there).first().waitFor();
      await page.evaluate(() => document.fonts.ready);
      const wide = await page.evaluate(() =>
        [...document.querySelectorAll('.top *, table *, main')]
          .filter(e => e.getBoundingClientRect().right > innerWidth)
          .map(e => `${e.tagName} ${e.className} ${e.getBoundingClientRect().right}`),
      );
      assert.deepEqual(wide, [], place);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), place);
      await page.context().close();
    }
  },

  'the line of what engines do now is whole beside the board': async ({ server, visit }) => {
    const { id } = await make(server, ['e2e4'], { hold: true });
    const standing_search = {
      depth: 24,
      running_seconds: 754,
      nodes: 1_000_000,
      score: { cp: 31 },
      pv: ['e5', 'Nf3', 'Nc6', 'Bb5'],
    };
    for (const width of [1180, 1280, 1366, 1440]) {
      const page = await visit('#/nowhere', { viewport: { width, height: 800 } });
      await page.route(new RegExp(`/api/v1/analyses/${id}$`), async route => {
        const response = await route.fetch();
        return route.fulfill({ json: { ...(await response.json()), standing_search } });
      });
      await page.goto(page.url().replace(/#.*/, `#/analysis/${id}`));
      await page.reload();
      const line = page.getByTestId('live').filter({ hasText: 'deep search' });
      await line.waitFor();
      await page.evaluate(() => document.fonts.ready);
      assert.match(await line.textContent(), /depth 24.*\+0\.31 e5 Nf3 Nc6 Bb5$/);
      const [all, seen] = await line.evaluate(e => [e.scrollWidth, e.clientWidth]);
      assert.ok(all <= seen, `${width}: ${all} of ${seen}`);
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await page.context().close();
    }
  },
};
