// Steering from the table, the board and the keyboard.
import {
  api,
  assert,
  choose,
  clickSquares,
  lineOf,
  make,
  node,
  quiet,
  rows,
  until,
  untilMoves,
} from './helpers.mjs';

const status = (page, uci) => page.locator(`tr[data-uci=${uci}] .status`).getAttribute('data-status');

export const tests = {
  'a key that is held down pauses once': async ({ server, visit }) => {
    const { id } = await make(server, ['h2h4'], { hold: true });
    const page = await visit(`#/analysis/${id}`);
    await page.getByTestId('pause').waitFor();
    const sent = [];
    page.on('request', request => request.method() === 'PATCH' && sent.push(request.postData()));
    for (let i = 0; i < 20; i++) await page.keyboard.down('p');
    await page.keyboard.up('p');
    await until('resumed', async () => !(await api(server).get(`/analyses/${id}`)).hold);
    await page.getByTestId('pause').getByText('Pause').waitFor();
    assert.deepEqual(sent, ['{"hold":false}']);
  },

  'a mistake of the page is told in the page': [
    async ({ server, visit }) => {
      const { id } = await make(server, ['h2h3'], { hold: true });
      const page = await visit('#/');
      await page.route(/\/node/, route => route.fulfill({ json: { version: 1 } }));
      await page.goto(page.url().replace(/#.*/, `#/analysis/${id}`));
      await page
        .getByText(/^The page made a mistake: /)
        .first()
        .waitFor();
      await page.locator('[data-testid=link][data-status=online]').waitFor();
    },
    { allow: /./ },
  ],

  'a move is excluded and given back by keyboard': async ({ server, visit }) => {
    const { id } = await make(server, ['e2e4', 'e7e6']);
    await untilMoves(server, id, 2);
    const page = await visit(`#/analysis/${id}`);
    await rows(page).nth(1).waitFor();
    const uci = await choose(page);
    await page.keyboard.press('x');
    await until('the page says excluded', async () => (await status(page, uci)) === 'excluded');
    await until(
      'the server says excluded',
      async () => (await node(server, id)).moves.find(m => m.uci === uci)?.status === 'excluded',
    );
    await page.locator(`tr[data-uci=${uci}]`).click({ button: 'right' }); // nothing happens
    await choose(page, uci);
    await page.keyboard.press('c');
    await until(
      'given back',
      async () => (await node(server, id)).moves.find(m => m.uci === uci)?.status !== 'excluded',
    );
    await until('and shown so', async () => (await status(page, uci)) !== 'excluded');
  },

  'a row that changes its place keeps the focus': async ({ server, visit }) => {
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
    await api(server).post(`/analyses/${id}/directives`, { moves: [uci], action: 'exclude' });
    await until('the row stands elsewhere', async () => (await order()).indexOf(uci) !== before.indexOf(uci));
    assert.equal(
      await page.evaluate(() => document.activeElement?.closest('tr')?.dataset.uci),
      uci,
      'the focus went with it',
    );
  },

  'the menu steers, and is worked by keys alone': async ({ server, visit }) => {
    const { id } = await make(server, ['c2c4']);
    await untilMoves(server, id, 2);
    const page = await visit(`#/analysis/${id}`);
    const button = rows(page).first().getByRole('button', { name: /Steer/ });
    await button.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menu').waitFor();
    await page.keyboard.press('ArrowDown');
    await until('the second item has the focus', () =>
      page.evaluate(() => document.activeElement?.textContent?.startsWith('Deepen')),
    );
    await page.keyboard.press('Enter');
    await page.getByText(/is searched deeper/).waitFor();
    assert.equal(await page.getByRole('menu').count(), 0);
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

  'now, deepen and include by keys, for the chosen row and for the position': async ({ server, visit }) => {
    const { id } = await make(server, ['e2e4', 'g8f6']);
    await untilMoves(server, id, 2);
    const page = await visit(`#/analysis/${id}`);
    await rows(page).nth(1).waitFor();
    await page.keyboard.press('n');
    await page.getByText('This position is searched next.').waitFor();
    const uci = await choose(page);
    await page.keyboard.press('d');
    await page.getByText(/ is searched deeper\./).waitFor();
    await page.keyboard.press('i');
    await page.getByText(/ is included\./).waitFor();
    const source = () => page.locator(`tr[data-uci=${uci}] .c-by span`).getAttribute('data-source');
    await until('it is a person’s move now', async () => (await source()) === 'person');
    assert.equal((await node(server, id)).moves.find(m => m.uci === uci).source, 'person');
  },

  'a note is written and kept': async ({ server, visit }) => {
    const { id } = await make(server, ['f2f4']);
    await untilMoves(server, id);
    const page = await visit(`#/analysis/${id}`);
    await rows(page).first().waitFor();
    await page.keyboard.press('m');
    await page.getByRole('textbox', { name: 'Note' }).fill('Bird, <b>sealed</b> at move 41');
    await page.keyboard.press('Control+Enter');
    await page.getByTestId('note').filter({ hasText: '<b>sealed</b>' }).waitFor();
    await page.reload();
    await page.getByTestId('note').filter({ hasText: 'move 41' }).waitFor();
  },
};
