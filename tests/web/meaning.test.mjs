// What the numbers mean: by tap and by key, with the repetition to play; and the first steps, once.
import {
  api,
  assert,
  boardFen,
  clickSquares,
  drawn,
  hasFocus,
  make,
  phone,
  rows,
  until,
  untilMoves,
} from './helpers.mjs';

export const tests = {
  'every number says what it means, by tap and by key': async ({ server, visit }) => {
    const { id } = await make(server, ['g2g3', 'a7a5']); // that nobody else has searched
    await untilMoves(server, id, 2);
    const page = await visit(`#/analysis/${id}`, phone);
    await rows(page).first().waitFor();
    const dialog = page.getByRole('dialog', { name: 'What the numbers mean' });
    const meaning = page.getByTestId('meaning');
    for (const [topic, words] of [
      ['alpha', /counts as a draw/],
      ['delta', /behind the best/],
      ['windows', /is followed/],
      ['arrows', /widest arrow/],
    ]) {
      await page.locator(`[data-topic=${topic}]`).last().tap();
      await dialog.waitFor();
      assert.match(await meaning.innerText(), words);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
    const first = page.locator('[data-topic=idea]').first();
    await first.focus();
    await page.keyboard.press('Enter');
    await dialog.waitFor();
    for (const title of ['σ, the noise', 'The picture', 'estimate']) {
      await dialog.getByRole('button', { name: title }).click();
      await dialog.getByRole('heading', { level: 3, name: title }).waitFor();
    }
    await page.keyboard.press('Escape');
    await until('the focus is back', () => hasFocus(first));
    await page.keyboard.press('w');
    await dialog.waitFor();
    // Closed and opened again within one frame.
    await page.evaluate(() => {
      document.querySelector('dialog').requestClose();
      document.querySelector('[data-topic=idea]').click();
    });
    await drawn(page);
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  },

  'the repetition of the example is played on its board': async ({ visit }) => {
    const page = await visit('#/summary');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('w');
    const example = page.getByTestId('example');
    await example.waitFor();
    const start = await boardFen(page);
    await clickSquares(page, 'e2', 'e4'); // no part of the example
    await clickSquares(page, 'g1', 'f3');
    await example.getByText('1. Nf3 is played. Next: 1… Nf6.').waitFor();
    for (let i = 0; i < 3; i++) await example.getByRole('button', { name: 'Play the next move' }).click();
    await example.getByText('on this line it is a draw').waitFor();
    assert.match(await example.innerText(), /tree\s+0\.00\s+no repetition\s+\+0\.30/);
    assert.equal((await boardFen(page)).split(' ')[0], start.split(' ')[0]);
  },

  'a first visit steps through five marks, and no visit after it': async ({ server, visit }) => {
    const { id } = await make(server, ['e2e4', 'c7c5']);
    await untilMoves(server, id, 2);
    // Where several are to be seen, nobody is led into the first of them.
    const { id: other } = await make(server, ['e2e4', 'c7c6'], { hold: true });
    const second = await visit('#/', { firstVisit: true });
    await second.getByTestId('analysis').nth(1).waitFor();
    assert.match(second.url(), /#\/$/);
    assert.equal(await second.getByTestId('tour').count(), 0);
    await api(server).del(`/analyses/${other}`);
    const page = await visit('#/', { firstVisit: true });
    const tour = page.getByTestId('tour');
    await tour.waitFor();
    assert.match(page.url(), /#\/analysis\/\d+$/);
    for (let i = 1; i <= 5; i++) {
      await tour.getByText(`${i} of 5`).waitFor();
      const marked = await page.evaluate(
        () =>
          [...document.querySelectorAll('.tree *')].filter(e => getComputedStyle(e).outlineWidth === '3px')
            .length,
      );
      assert.ok(marked > 0, `mark ${i}`);
      await tour.getByRole('button', { name: i < 5 ? 'Next' : 'Done' }).click();
    }
    await tour.waitFor({ state: 'detached' });
    await page.goto(`${server.url}/`);
    await page.reload();
    await page.getByTestId('analysis').first().waitFor();
    assert.equal(await tour.count(), 0);
    assert.match(page.url(), /\/(#\/)?$/);
  },
};
