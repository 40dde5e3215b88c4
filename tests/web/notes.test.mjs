// Notes: all of an analysis, and what is drawn on the board.
import { api, assert, lineOf, make, rows, square, until, untilMoves } from './helpers.mjs';

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
    const draw = async (from, to = from) => {
      await page.mouse.move(...(await square(page, from)));
      await page.mouse.down({ button: 'right' });
      await page.mouse.move(...(await square(page, to)), { steps: 3 });
      // The board takes the square under the pointer with its next frame.
      await page.evaluate(
        () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))),
      );
      await page.mouse.up({ button: 'right' });
    };
    const marks = page.locator('.cg-shapes circle');
    await draw('g1', 'f3');
    await draw('d4');
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
    await draw('d4');
    await until('only the arrow', async () => (await texts()).join() === '[%cal Gg1f3]');
    await draw('g1', 'f3');
    await until('nothing', async () => !(await texts()).length);
    await until('nor on the board', async () => (await marks.count()) === 0);
  },

  'all notes are listed and searched, and lead to their positions': async ({ server, visit }) => {
    const { id } = await make(server, ['d2d4', 'd7d5'], { hold: true });
    const say = (moves, text) =>
      api(server).post(`/analyses/${id}/directives`, { moves, action: 'note', text });
    await say(['c2c4', 'e7e6'], 'the Orthodox, see round 3');
    await say([], 'slow');
    const page = await visit(`#/analysis/${id}`);
    await page.getByRole('button', { name: 'All notes…' }).click();
    const dialog = page.getByRole('dialog');
    const listed = dialog.getByTestId('listed-note');
    await listed.nth(1).waitFor();
    await dialog.getByLabel('Search the notes').fill('round ORTHODOX');
    await until('one is left', async () => (await listed.count()) === 1);
    await listed.getByRole('link', { name: '2. c4 e6' }).click();
    await until('we are there', async () => (await lineOf(page)).join() === 'c2c4,e7e6');
    await dialog.waitFor({ state: 'hidden' });
    await page.getByTestId('note').getByText('the Orthodox').waitFor();
  },
};
