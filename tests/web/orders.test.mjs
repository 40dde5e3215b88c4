// The list of all that somebody asked for: what has come of it, the way to its place, and the way back.
import { api, assert, direct, lineOf, make, node, until, untilMoves } from './helpers.mjs';
import { clean } from './axe.mjs';

const listed = async (server, id) => (await api(server).get(`/analyses/${id}/directives`)).directives;
const orders = page => page.getByTestId('order');
// An analysis with an order of each kind.
async function steered(server) {
  const { id } = await make(server, ['e2e4', 'e7e5'], { strategy: { kind: 'halving', refine: 2 } });
  await untilMoves(server, id, 2);
  const { moves } = await node(server, id);
  await direct(server, id, ['a2a4'], 'include');
  await direct(server, id, [moves.at(-1).uci], 'exclude');
  await direct(server, id, [moves[0].uci], 'deepen', { plies: 2 });
  await direct(server, id, ['g1f3', 'b8c6'], 'note', { text: 'look at\nthe pin' });
  return { id, best: moves[0].uci };
}

export const tests = {
  'orders stand with what has come of them, lead to their place, and are taken back': [
    async ({ server, visit }) => {
      const { id, best } = await steered(server);
      const page = await visit(`#/analysis/${id}`);
      await page.getByRole('tab', { name: 'Orders' }).click();
      await until('all are listed', async () => (await orders(page).count()) === 4);
      assert.match(await orders(page).first().innerText(), /Note\s+2\.\s?Nf3 Nc6[^]*look at\nthe pin/); // newest first
      const include = page.locator('[data-kind=include]');
      await until('the move has a score', async () =>
        /[+−-]\d\.\d\d, move \d/.test(await include.innerText()),
      );
      assert.match(await page.locator('[data-kind=exclude]').innerText(), /Keeps out\s*[+−-]/);
      await clean(page, 'orders');

      await page.getByLabel('Which orders').focus(); // by keys
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter'); // the link
      await until('there', async () => (await lineOf(page)).join() === 'g1f3,b8c6');
      assert.equal(await orders(page).count(), 4, 'the list stays');

      await page.getByLabel('Which orders').selectOption('deepen');
      await until('one kind', async () => (await orders(page).count()) === 1);
      assert.match(await orders(page).innerText(), /Deepen by 2 plies/);
      await page.getByLabel('Which orders').selectOption('');

      await page.getByRole('button', { name: 'Undo: Include a4' }).press('Enter');
      await page.getByText('Include a4 is taken back.').waitFor();
      await until('gone', async () => (await orders(page).count()) === 3);
      assert.ok(!(await listed(server, id)).some(one => one.action === 'include'));
      await page.locator('.toasts').getByRole('button', { name: 'Undo' }).click(); // given again
      await until('there again', async () => (await orders(page).count()) === 4);

      // A later order about the same move overtakes; what lies off the game waits.
      await direct(server, id, ['a2a4'], 'exclude');
      await until('told', async () => /a later order/.test(await include.innerText()));
      assert.notEqual(best, 'h2h4');
      await api(server).post(`/analyses/${id}/advance`, { moves: ['h2h4'] });
      const deepen = page.locator('[data-kind=deepen]');
      await until('off the root', async () =>
        /does not lead through the root/.test(await deepen.innerText()),
      );
      assert.match(await deepen.innerText(), /not below the root/);
      await deepen.getByRole('button').click();
      await until(
        'taken back, too',
        async () => !(await listed(server, id)).some(o => o.action === 'deepen'),
      );
    },
    { allow: /400/ }, // the line that the page is on is none any more
  ],
};
