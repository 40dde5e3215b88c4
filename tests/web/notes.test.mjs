// Notes: all of an analysis, and what is drawn on the board.
import { api, assert, direct, draw, lineOf, make, rows, square, until, untilMoves } from './helpers.mjs';

const notesOf = async (server, id) =>
  (await api(server).get(`/analyses/${id}/notes`)).notes.map(n => n.text).sort();

export const tests = {
  'arrows and circles stay with their position, and go when they are drawn again': async ({
    server,
    visit,
  }) => {
    const { id } = await make(server, ['e2e4', 'e7e5']);
    await untilMoves(server, id, 2);
    const page = await visit(`#/analysis/${id}`);
    await rows(page).first().waitFor();
    const marks = page.locator('.cg-shapes circle');
    await draw(page, 'g1', 'f3');
    await draw(page, 'd4');
    const texts = () => notesOf(server, id);
    await until('stored', async () => (await texts()).join() === '[%csl Gd4] [%cal Gg1f3]');
    await page.mouse.click(...(await square(page, 'e5'))); // a click takes nothing away
    await page.reload();
    await marks.first().waitFor();
    // In lichess' colour, above the page's own arrows.
    const layer = selector => page.locator(selector).evaluate(e => Number(getComputedStyle(e).zIndex));
    assert.equal((await marks.first().getAttribute('stroke')).toLowerCase(), '#15781b');
    assert.ok((await layer('.cg-shapes')) > (await layer('.cg-custom-svgs')));
    await rows(page).first().getByRole('link').first().click();
    await until('not elsewhere', async () => (await marks.count()) === 0);
    await page.goBack();
    await marks.first().waitFor();
    const pgn = await (await fetch(`${server.url}/api/v1/analyses/${id}/export?format=pgn`)).text();
    assert.ok(pgn.includes('[%csl Gd4] [%cal Gg1f3]'), pgn.slice(0, 600));
    await draw(page, 'd4');
    await until('only the arrow', async () => (await texts()).join() === '[%cal Gg1f3]');
    await draw(page, 'g1', 'f3');
    await until('nothing', async () => !(await texts()).length);
    await until('nor on the board', async () => (await marks.count()) === 0);
  },

  'a note is written, corrected, deleted and brought back; one that is being written outlives the page; all are listed and searched':
    async ({ server, visit }) => {
      const { id } = await make(server, ['d2d4', 'd7d5'], { hold: true });
      await direct(server, id, ['c2c4', 'e7e6'], 'note', { text: 'the Orthodox, see round 3' });
      const page = await visit(`#/analysis/${id}`);
      await page.getByTestId('pause').waitFor();
      const notes = page.getByTestId('note');
      const field = page.getByLabel('Note', { exact: true });
      await page.getByRole('button', { name: 'Write a note' }).waitFor();
      await page.keyboard.press('m');
      await field.fill('Bird, <b>sealed</b> at move 41');
      await page.keyboard.press('Control+Enter');
      await notes.filter({ hasText: '<b>sealed</b>' }).waitFor();
      await notes.getByRole('button', { name: 'Edit' }).click();
      await field.fill('first thought');
      await page.getByRole('button', { name: 'Save the note' }).click();
      const here = async () => (await api(server).get(`/analyses/${id}/node`)).notes.map(n => n.text).join();
      await until('corrected', async () => (await here()) === 'first thought');
      const kept = notes.filter({ hasText: 'first thought' });
      await kept.waitFor();
      await notes.getByRole('button', { name: 'Delete' }).click();
      await notes.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Undo' }).click();
      await kept.waitFor();

      await page.getByRole('button', { name: 'Write a note' }).click();
      await field.fill('Compare round 3');
      await page.reload();
      await kept.waitFor();
      await page.getByTestId('draft').getByText('Compare round 3').waitFor();
      await page.getByRole('button', { name: 'Go on writing' }).click();
      assert.equal(await field.inputValue(), 'Compare round 3');
      await field.fill('Compare round 4');
      await page.getByRole('button', { name: 'Save the note' }).click();
      await notes.getByText('Compare round 4').waitFor();
      assert.equal(await page.getByTestId('draft').count(), 0);

      await page.getByRole('button', { name: 'All notes…' }).click();
      const dialog = page.getByRole('dialog');
      const listed = dialog.getByTestId('listed-note');
      await listed.nth(2).waitFor();
      await dialog.getByLabel('Search the notes').fill('round ORTHODOX');
      await until('one is left', async () => (await listed.count()) === 1);
      await listed.getByRole('link', { name: '2. c4 e6' }).click();
      await until('we are there', async () => (await lineOf(page)).join() === 'c2c4,e7e6');
      await dialog.waitFor({ state: 'hidden' });
      await notes.getByText('the Orthodox').waitFor();
    },
};
