// What changed in all analyses: since when, what, where it is, and what was seen.
import { api, assert, lineOf, make, until, untilMoves } from './helpers.mjs';
import { clean, sizes } from './axe.mjs';

const real = { real: true };
const changed = (page, id) => page.locator(`[data-testid=changed-analysis][data-id="${id}"]`);

export const tests = {
  'what changed is reached from the queue, leads to its place, and is seen once': [
    async ({ server, visit }) => {
      const { id, name } = await make(server, ['e2e4'], { strategy: { kind: 'halving', refine: 2 } });
      await until('settled', async () => (await api(server).get(`/analyses/${id}`)).state === 'settled');
      const { best } = await api(server).get(`/analyses/${id}`);
      await api(server).post(`/analyses/${id}/advance`, { moves: [best.uci] });
      await untilMoves(server, id);
      await api(server).patch(`/analyses/${id}`, { hold: true });
      const page = await visit('#/');
      await page.getByRole('link', { name: 'What changed' }).click();
      const mine = changed(page, id);
      await mine.getByRole('heading', { name }).waitFor();
      assert.match(
        await mine.innerText(),
        new RegExp(`${best.san.replace('+', '\\+')} was played: it was in the tree`),
      );
      assert.match(await mine.innerText(), /Best move \S+ [+−-]\d/);
      assert.match(await page.getByTestId('changed').innerText(), /^\d+ of \d+ analys[ei]s since \d{4}-/);
      await mine.getByRole('link', { name: /^Best move/ }).click();
      await until('at its place', async () => page.url().includes(`/analysis/${id}`));
      assert.deepEqual(await lineOf(page), []);

      await page.keyboard.press('g');
      await page.keyboard.press('c');
      await mine.waitFor();
      await page.getByRole('button', { name: 'Mark as seen' }).click();
      await mine.waitFor({ state: 'detached' });
      await page.reload();
      await page.getByText(/^\d+ of \d+/).waitFor();
      assert.equal(await mine.count(), 0, 'this browser remembers');
      await page.getByRole('button', { name: 'Yesterday evening' }).click();
      await mine.waitFor();
      await page.getByRole('button', { name: 'A time' }).click();
      await page.getByLabel('Since when').fill('2001-01-01T00:00');
      await page.getByText(/since 2001-01-01 00:00/).waitFor();
      await page.reload();
      await page.getByText(/since 2001-01-01 00:00/).waitFor();
    },
    real,
  ],

  'axe: what changed': [
    async ({ server, visit }) => {
      const { id } = await make(server, ['d2d4'], { strategy: { kind: 'halving', refine: 1 } });
      await untilMoves(server, id);
      await api(server).patch(`/analyses/${id}`, { hold: true });
      for (const viewport of sizes) {
        const page = await visit('#/summary', { viewport, reducedMotion: 'reduce' });
        await changed(page, id).waitFor();
        await page.getByRole('button', { name: 'A time' }).click();
        await page.getByLabel('Since when').waitFor();
        await changed(page, id).waitFor();
        await clean(page, 'what changed');
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        assert.ok(wide <= 0, `${wide} px wider than the window`);
        await page.context().close();
      }
    },
    real,
  ],
};
