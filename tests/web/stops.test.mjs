// When an analysis ends early and by what measure; windows ply by ply.
import { analysis, api, assert, create, field, make, unfold, until } from './helpers.mjs';

export const tests = {
  'an analysis ends when the best move is clear; the noise is told, and why it ended': async ({
    server,
    visit,
  }) => {
    // Enough pairs to measure the noise by.
    await make(server, ['e2e4', 'c7c5'], { strategy: { kind: 'halving', move_distance: 40, refine: 3 } });
    const noise = async () => (await api(server).get('/engines')).engines[0].noise;
    await until('the noise is measured', noise);
    const page = await visit('#/');
    await page
      .getByRole('complementary', { name: 'Engines' })
      .getByText(/Noise σ [\d.]+ cp · [\d\s.k]+ pairs/)
      .waitFor();
    await page.goto(`${server.url}/#/new`);
    await field(page).fill('rnb1kbnr/pppp1ppp/8/4p3/3PP2q/5N2/PPP2PPP/RNBQKB1R w KQkq - 0 1');
    await unfold(page);
    await page.getByLabel('Depth', { exact: true }).fill('6');
    await page.getByLabel('Depth of the tree (plies)').fill('');
    const lead = page.getByLabel('Best move leads by (σ)');
    await lead.fill('-1');
    await page.getByTestId('create').click();
    await page.getByText('The lead in σ is a number from 0 to 100.').waitFor();
    await lead.fill('0.5');
    await page.getByLabel('On levels in a row').fill('1');
    const { sigma_cp } = await noise();
    await page
      .getByTestId('noise')
      .getByText(`0.5 σ = ${Math.round(sigma_cp * 5) / 10} cp`)
      .waitFor();
    await page.getByTestId('summary').getByText('leads by 0.5 σ on 1 level in a row').waitFor();
    const id = await create(page);
    assert.deepEqual((await analysis(server, id)).stop, { proven: true, lead: 0.5, levels: 1 });
    await page.getByTestId('why').getByText('The best move is clear of the others').waitFor();
    await page.getByTestId('counters').click();
    await page
      .getByTestId('noise')
      .getByText(/^σ [\d.]+ cp/)
      .waitFor();
    await page.goto(`${server.url}/#/`);
    await page.locator(`[data-id="${id}"]`).getByText('The best move is clear of the others').waitFor();
  },

  'windows are given ply by ply, copied, changed and taken back': async ({ server, visit }) => {
    const page = await visit('#/new');
    await page.getByLabel(/Start paused/).check();
    await unfold(page);
    await page.getByRole('button', { name: 'Ply by ply' }).click();
    const plan = page.getByLabel('Plan', { exact: true });
    await plan.fill('40, 3:20');
    await page.getByTestId('create').click();
    await page.getByText(/“3:20” is no window/).waitFor();
    await until('the focus is there', () => plan.evaluate(e => e === document.activeElement));
    await plan.fill('40, 40, 20');
    await page.getByTestId('summary').getByText('within 40 cp, then 20 cp of the best').waitFor();
    const id = await create(page);
    const planOf = async () => (await analysis(server, id)).strategy.plan;
    assert.deepEqual(await planOf(), [{ window: 40 }, { window: 40 }, { window: 20 }]);
    // A copy has it in its fields.
    await page.goto(`${server.url}/#/new?copy=${id}`);
    await until('copied', async () => (await page.getByLabel('Name', { exact: true }).inputValue()) !== '');
    assert.equal(await plan.inputValue(), '40, 40, 20');
    // Settings: a slip is told at its field; another plan; then none.
    await page.goto(`${server.url}/#/analysis/${id}`);
    const settings = async change => {
      await page.getByRole('button', { name: 'Settings', exact: true }).click();
      const dialog = page.getByRole('dialog');
      await change(dialog);
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.waitFor({ state: 'hidden' });
    };
    await settings(async dialog => {
      await dialog.getByRole('button', { name: 'Ply by ply' }).click();
      await dialog.getByLabel('Plan', { exact: true }).fill('wide');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.locator('[id="settings-strategy.plan-error"]').waitFor();
      await dialog.getByLabel('Plan', { exact: true }).fill('50, 30');
      await dialog.getByLabel('Best move leads by (σ)').fill('2.5');
      await dialog.getByLabel('Proven result').uncheck();
    });
    assert.deepEqual(await planOf(), [{ window: 50 }, { window: 30 }]);
    assert.deepEqual((await analysis(server, id)).stop, {
      proven: false,
      lead: 2.5,
      levels: 2,
    });
    await settings(dialog => dialog.getByRole('button', { name: 'By distance' }).click());
    assert.equal(await planOf(), undefined);
  },
};
