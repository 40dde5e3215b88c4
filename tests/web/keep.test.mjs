// Keep analysing here: the engine stays at the position in view, deeper and deeper.
import { api, assert, make, quiet, rows, until, untilMoves } from './helpers.mjs';

const looks = async (server, id) => (await api(server).get(`/analyses/${id}/looks`)).looks;
const lines = page => page.getByTestId('look-lines').getByRole('listitem');
const depth = async page => Number(/depth (\d+)/.exec(await page.getByTestId('look').innerText())?.[1] ?? 0);

const choices = page => page.getByRole('button', { name: 'How to analyse here' }).click();

async function opened(server, visit, moves) {
  const { id } = await make(server, moves);
  await untilMoves(server, id, 2);
  await quiet(server, id);
  const page = await visit(`#/analysis/${id}`);
  await rows(page).first().waitFor();
  return { id, page };
}

export const tests = {
  'a key keeps the engine at the position: seen at once, ever deeper, and stored': async ({
    server,
    visit,
  }) => {
    const { id, page } = await opened(server, visit, ['e2e4', 'b7b6']);
    // From the key to the strip, and to the first line: measured in the page.
    await page.evaluate(() => {
      window.seen = {};
      let begun = 0;
      addEventListener('keydown', () => (begun = performance.now()), { capture: true, once: true });
      const look = () => {
        const since = performance.now() - begun;
        if (begun && document.querySelector('[data-testid=look]')) window.seen.strip ??= since;
        if (begun && document.querySelector('.look-pv')) window.seen.line ??= since;
        if (!window.seen.line) requestAnimationFrame(look);
      };
      look();
    });
    await page.keyboard.press('k');
    await page.waitForFunction(() => window.seen.line);
    const { strip, line } = await page.evaluate(() => window.seen);
    console.log(`      the strip after ${Math.round(strip)} ms, the first line after ${Math.round(line)} ms`);
    assert.ok(strip <= line, 'the strip does not wait for the engine');
    await until('deeper', async () => (await depth(page)) >= 20);
    const { evaluations } = await api(server).get(`/analyses/${id}/evaluations`);
    const depths = evaluations.filter(e => !e.excluded.length).map(e => e.limit.depth);
    for (let d = 8; d <= 20; d++) assert.ok(depths.includes(d), `depth ${d} is stored: ${depths}`);
    await choices(page);
    await page.getByLabel('Lines').selectOption('3');
    await until('three lines', async () => (await lines(page).locator('.look-pv').count()) === 3);
    const first = await lines(page).locator('.pv-step:first-child a').allInnerTexts();
    assert.equal(new Set(first).size, 3, first.join(' | '));
    const scores = await lines(page).locator('.score').allInnerTexts();
    const numbers = scores.map(text => Number(text.replace('−', '-')));
    assert.deepEqual(
      numbers,
      [...numbers].sort((a, b) => b - a),
      'the best for White first',
    );
    await page.keyboard.press('Escape'); // the choices close
    await page.getByRole('button', { name: 'Stop analysing' }).click();
    await page.getByTestId('look').waitFor({ state: 'detached' });
    await until('it has ended', async () => !(await looks(server, id)).length);
  },

  'who walks on takes the engine along; one that is to go on until it is stopped stays, and is found again':
    async ({ server, visit }) => {
      const { id, page } = await opened(server, visit, ['d2d4', 'b7b6']);
      await page.getByRole('button', { name: 'Keep analysing here' }).click();
      await page.getByTestId('look').waitFor();
      await until('it runs', async () => (await looks(server, id)).length === 1);
      await page.keyboard.press('ArrowRight');
      await until('it is where we are', async () => {
        const [look] = await looks(server, id);
        return look.line.length === 1 && page.url().endsWith(`/${look.line[0].uci}`);
      });
      await lines(page).locator('.look-pv').first().waitFor();
      await choices(page);
      await page.getByLabel('Until').selectOption({ label: 'I stop it' });
      await until('the server knows', async () => (await looks(server, id))[0]?.until_stopped);
      await page.getByLabel('Until').blur(); // keys belong to who has the focus
      await page.keyboard.press('ArrowLeft');
      await page.locator('.look-elsewhere a').waitFor();
      assert.equal((await looks(server, id))[0].line.length, 1);
      await page.goto(`${server.url}/#/`);
      await page.getByRole('heading', { name: 'Queue' }).waitFor();
      assert.equal((await looks(server, id)).length, 1);
      await page.goto(`${server.url}/#/analysis/${id}`);
      await page.getByTestId('look').waitFor();
      assert.equal(await page.getByLabel('Until').inputValue(), '1');
      await page.getByRole('button', { name: 'Stop analysing' }).click();
      await until('it has ended', async () => !(await looks(server, id)).length);
    },
};
