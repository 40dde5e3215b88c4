// Steering from the table, the board and the keyboard.
import {
  analysis,
  assert,
  choose,
  clickSquares,
  direct,
  lineOf,
  make,
  node,
  quiet,
  rows,
  settled,
  settledTo,
  until,
  untilMoves,
} from './helpers.mjs';

export const tests = {
  'now, deepen and include by keys, for the chosen row and for the position; by the menu, too; a pause is told':
    [
      async ({ server, visit }) => {
        const { id } = await make(server, ['e2e4', 'g8f6']);
        await untilMoves(server, id, 2);
        await quiet(server, id);
        const page = await visit(`#/analysis/${id}`);
        await rows(page).nth(1).waitFor();
        await page.keyboard.press('n');
        await page.getByRole('status').getByRole('button', { name: 'Resume' }).click();
        await until('at work', async () => !(await analysis(server, id)).hold);
        await page.getByText('This position is searched next.').waitFor();
        const uci = await choose(page);
        await page.keyboard.press('d');
        await page.getByText(/ is searched deeper\./).waitFor();
        await page.keyboard.press('i');
        await page.getByText(/ is included\./).waitFor();
        const source = () => page.locator(`tr[data-uci=${uci}] .c-by span`).getAttribute('data-source');
        await until('it is a person’s move now', async () => (await source()) === 'person');
        assert.equal((await node(server, id)).moves.find(m => m.uci === uci).source, 'person');

        await rows(page).first().getByRole('button', { name: /Steer/ }).focus();
        await page.keyboard.press('Enter');
        await page.getByRole('menu').waitFor();
        await page.keyboard.press('ArrowDown');
        await until('the second item has the focus', () =>
          page.evaluate(() => document.activeElement?.textContent?.startsWith('Deepen')),
        );
        const given = page.waitForRequest(r => r.method() === 'POST' && r.url().endsWith('/directives'));
        await page.keyboard.press('Enter');
        assert.equal((await given).postDataJSON().action, 'deepen');
        assert.equal(await page.getByRole('menu').count(), 0);
      },
      { allow: /409/ },
    ],

  'a move is excluded, included and given back by keys, and each has a way back': async ({
    server,
    visit,
  }) => {
    const { id } = await make(server, ['e2e4', 'e7e6'], {
      strategy: { kind: 'halving', move_distance: 20, refine: 3 },
    });
    await settled(server, id);
    await quiet(server, id);
    const { moves } = await node(server, id);
    const { uci, san } = moves[1];
    const page = await visit(`#/analysis/${id}`);
    await page.locator(`tr[data-uci=${uci}]`).waitFor();
    const status = async () => (await node(server, id)).moves.find(m => m.uci === uci)?.status;
    const undo = page.getByRole('status').getByRole('button', { name: 'Undo' });
    await choose(page, uci);
    await page.keyboard.press('x');
    await page.getByText(`${san} is excluded.`).waitFor();
    assert.equal(await status(), 'excluded');
    await page.locator(`tr[data-uci=${uci}] [data-status=excluded]`).waitFor();
    await page.locator(`tr[data-uci=${uci}]`).click({ button: 'right' }); // nothing happens
    await undo.click();
    await until('not excluded any more', async () => (await status()) !== 'excluded');
    await settledTo(server, id, 3);
    // An exclusion that stood before stands after a slip, too.
    await direct(server, id, [uci], 'exclude');
    await page.locator(`tr.excluded[data-uci=${uci}]`).waitFor();
    await choose(page, uci);
    await page.keyboard.press('i');
    await until('included', async () => (await status()) !== 'excluded');
    await undo.last().click();
    await until('excluded as before', async () => (await status()) === 'excluded');
    await page.locator(`tr.excluded[data-uci=${uci}]`).waitFor();
    await choose(page, uci);
    await page.keyboard.press('c');
    await until('given back', async () => (await status()) !== 'excluded');
    await page.locator(`tr[data-uci=${uci}]:not(.excluded)`).waitFor();
  },

  'an excluded move stands last; a row that changes its place keeps the focus': async ({ server, visit }) => {
    const { id } = await make(server, ['c2c4', 'g7g6']);
    await untilMoves(server, id, 4);
    await quiet(server, id);
    const page = await visit(`#/analysis/${id}`);
    const row = rows(page).first();
    await row.getByRole('button', { name: /Steer/ }).focus();
    const uci = await row.getAttribute('data-uci');
    const order = () =>
      page.evaluate(() => [...document.querySelectorAll('tr[data-uci]')].map(r => r.dataset.uci));
    const before = await order();
    assert.notEqual(before.at(-1), uci);
    await direct(server, id, [uci], 'exclude');
    await until('it stands last', async () => (await order()).at(-1) === uci);
    assert.equal(
      await page.evaluate(() => document.activeElement?.closest('tr')?.dataset.uci),
      uci,
      'the focus went with it',
    );
  },

  'a move that is not there yet is played on the board, and included': async ({ server, visit }) => {
    const { id } = await make(server, ['h2h3', 'a7a6']);
    await untilMoves(server, id, 2);
    await quiet(server, id);
    const { moves } = await node(server, id);
    const known = new Set(moves.map(m => m.uci));
    const uci = 'g2g3 b2b3 c2c3 d2d3 f2f3 a2a3 h3h4 b2b4 g2g4 b1a3 b1c3 a2a4 c2c4'
      .split(' ')
      .find(m => !known.has(m));
    assert.ok(uci, 'a legal move that the search has not looked at');
    const page = await visit(`#/analysis/${id}`);
    await rows(page).first().waitFor();
    await clickSquares(page, uci.slice(0, 2), uci.slice(2, 4));
    await until('we stand there', async () => (await lineOf(page)).join() === uci);
    await page.getByTestId('include').click();
    await until(
      'the server has it from a person',
      async () => (await node(server, id)).moves.find(m => m.uci === uci)?.source === 'person',
    );
    await page.keyboard.press('ArrowLeft');
    await page.locator(`tr[data-uci=${uci}]`).waitFor();
  },

  'a mistake of the page is told in the page': [
    async ({ server, visit }) => {
      const { id } = await make(server, ['h2h3'], { hold: true });
      const page = await visit(`#/analysis/${id}`, {
        before: page => page.route(/\/node/, route => route.fulfill({ json: { version: 1 } })),
      });
      await page
        .getByText(/^The page made a mistake: /)
        .first()
        .waitFor();
      await page.locator('[data-testid=link][data-status=online]').waitFor();
    },
    { allow: /./ },
  ],
};
