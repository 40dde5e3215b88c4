// Prove: an analysis that shows a result, from a position where an end is near.
import { adopt, api, assert, make, rested, rows, until } from './helpers.mjs';

export const tests = {
  'Prove makes an analysis from here that ends with the proof': async ({ server, visit }) => {
    const { id } = await make(server, [], {
      position: { fen: '6k1/8/6K1/8/8/8/8/R7 w - - 0 1' },
      strategy: { kind: 'halving', move_distance: 20, refine: 2 },
    });
    const shown = of => api(server).get(`/analyses/${of}`);
    await until('the mate is found', async () => (await shown(id)).best?.alpha?.mate === 1);
    const page = await visit(`#/analysis/${id}`);
    await page.getByTestId('prove').click();
    const now = () => Number(/analysis\/(\d+)/.exec(page.url())[1]);
    await until('another analysis is shown', async () => now() !== id);
    adopt(page);
    await until('it has ended', async () => (await shown(now())).state === 'settled');
    const { strategy, reason, best } = await shown(now());
    assert.equal(strategy.kind, 'prove');
    assert.equal(reason, 'the result is proven');
    assert.equal(best.san, 'Ra8#');
    await rows(page).first().waitFor();
    assert.equal(await page.getByTestId('prove').count(), 0); // it is that
  },

  'where no end is near there is no such button': async ({ server, visit }) => {
    const page = await visit(`#/analysis/${await rested(server)}`);
    await rows(page).nth(2).waitFor();
    assert.equal(await page.getByTestId('prove').count(), 0);
  },
};
