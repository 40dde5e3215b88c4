// The way through the product: create, watch, walk, reload, take along.
import { readFile } from 'node:fs/promises';
import {
  adopt,
  api,
  assert,
  choose,
  boardFen,
  clickSquares,
  lineOf,
  make,
  node,
  quiet,
  rows,
  until,
  unfold,
  untilMoves,
} from './helpers.mjs';

export const tests = {
  'an analysis is created from an opening name, and its numbers move': async ({ visit }) => {
    const page = await visit('#/new');
    const search = page.getByLabel('Opening, moves, FEN or PGN');
    await search.fill('najdorf');
    await page
      .getByRole('option', { name: /B9\d.*Najdorf/ })
      .first()
      .waitFor();
    await search.press('Enter');
    await page.getByText(/a6/).first().waitFor();
    assert.match(await page.getByTestId('summary').innerText(), /within 20 cp.*to ply 6: usually/);
    await unfold(page);
    await page.getByLabel('Depth', { exact: true }).fill('6');
    await page.getByTestId('create').click();
    await rows(page).first().waitFor();
    assert.match(await page.getByTestId('opening').innerText(), /Najdorf/);
    assert.match(page.url(), /#\/analysis\/\d+$/);
    adopt(page);
    const evaluations = () => page.getByTestId('progress').textContent(); // behind its button
    const before = await evaluations();
    await until('progress moves by itself', async () => (await evaluations()) !== before);
    await until('a score stands in the table', async () =>
      /[+−]?\d\.\d\d/.test(await rows(page).first().innerText()),
    );
    assert.equal(await page.getByTestId('link').getAttribute('data-status'), 'online');
  },

  'clicking walks, and the browser goes back and forward': async ({ server, visit }) => {
    const { id } = await make(server, ['e2e4', 'e7e5']);
    await untilMoves(server, id, 2);
    const page = await visit(`#/analysis/${id}`);
    const second = rows(page).nth(1);
    await second.waitFor();
    const uci = await second.getAttribute('data-uci');
    const { moves } = await node(server, id); // now: more of them may have come meanwhile
    assert.ok(moves.some(m => m.uci === uci));
    const fen = () => page.getByTestId('board').getAttribute('data-fen');
    const before = await fen();
    await page.locator(`tr[data-uci=${uci}]`).getByRole('link').first().click(); // it may have moved up meanwhile
    await until('the URL has the move', async () => (await lineOf(page)).join() === uci);
    await until('the board has moved', async () => (await fen()) !== before);
    assert.equal(
      await page.locator('.crumbs [aria-current]').innerText(),
      (await node(server, id, [uci])).line[0].san,
    );
    await page.goBack();
    await until('back at the root', async () => (await fen()) === before);
    await page.goForward();
    await until('forward again', async () => (await lineOf(page)).join() === uci);
    await until('the board follows', async () => (await fen()) !== before);
  },

  'ten plies by keyboard, and back; a reload in the middle keeps the place': async ({ server, visit }) => {
    const strategy = { kind: 'halving', move_distance: 0, refine: 14, floor: 0 };
    const { id } = await make(server, ['d2d4'], { strategy });
    // While it grows, another best line might end at a position that nobody has looked at.
    const long = async () => (await node(server, id)).pv.alpha.length >= 11;
    await until('a best line of ten plies, and it stays', async () => {
      if (!(await long())) return false;
      await quiet(server, id);
      if (await long()) return true;
      await api(server).patch(`/analyses/${id}`, { hold: false });
      return false;
    });
    const page = await visit(`#/analysis/${id}`);
    await rows(page).first().waitFor();
    for (let ply = 1; ply <= 10; ply++) {
      await page.keyboard.press('Enter');
      await until(`ply ${ply}`, async () => (await lineOf(page)).length === ply);
      if (ply === 5) {
        const line = await lineOf(page);
        await page.reload();
        await rows(page).first().waitFor();
        assert.deepEqual(await lineOf(page), line);
        assert.equal(await page.locator('.crumbs li:not(.later)').count(), 6);
      }
    }
    for (let ply = 9; ply >= 0; ply--) {
      await page.keyboard.press(ply % 2 ? 'Backspace' : 'ArrowLeft');
      await until(`back at ply ${ply}`, async () => (await lineOf(page)).length === ply);
    }
    await page.keyboard.press('ArrowRight');
    await until('forward the way we came', async () => (await lineOf(page)).length === 1);
    await choose(page);
    await page.keyboard.press('Home');
    await until('home', async () => (await lineOf(page)).length === 0);
    await page.keyboard.press('End');
    await until('end', async () => (await lineOf(page)).length >= 10);
  },

  'a link to a position opens there; one with an illegal move stops before it': [
    async ({ server, visit }) => {
      const { id } = await make(server, ['e2e4']);
      const { moves } = await untilMoves(server, id);
      const page = await visit(`#/analysis/${id}/${moves[0].uci}`);
      await page.locator('.crumb[aria-current]').filter({ hasText: moves[0].san }).waitFor();
      await page.goto(`${server.url}/#/analysis/${id}/${moves[0].uci},a1a8`);
      const second = await visit(`#/analysis/${id}/${moves[0].uci},a1a8`);
      for (const one of [page, second]) {
        await one.getByText(/not legal here: a1a8/).waitFor();
        await until('only the legal part is kept', async () => (await lineOf(one)).join() === moves[0].uci);
        await rows(one).first().waitFor();
      }
    },
    { allow: /status of 400/ }, // the position is asked for before it is known whether the line is legal
  ],

  'what the first view shows is asked for while the code is still on its way': async ({ server, visit }) => {
    const { id } = await make(server, ['e2e4']);
    const { moves } = await untilMoves(server, id);
    await quiet(server, id);
    const page = await visit('');
    let freed = () => {};
    const free = new Promise(resolve => (freed = resolve));
    await page.route(/assets\/(app|chunk)-/, async route => {
      await free;
      await route.continue();
    });
    const node = `/api/v1/analyses/${id}/node?moves=${moves[0].uci}`;
    const asked = [];
    page.on('request', request => asked.push(request.url()));
    const answered = page.waitForResponse(response => response.url().endsWith(node));
    await page.goto(`${server.url}/?fresh#/analysis/${id}/${moves[0].uci}`, { waitUntil: 'commit' });
    await answered;
    assert.ok(!asked.some(url => url.endsWith('/events')), 'the code is not there yet');
    freed();
    await page.locator('.crumb[aria-current]').filter({ hasText: moves[0].san }).waitFor();
    assert.ok(asked.some(url => url.endsWith(`/analyses/${id}`)));
  },

  'the PGN is looked at, and downloaded': async ({ server, visit }) => {
    const { id } = await make(server, ['e2e4', 'c7c5']);
    await untilMoves(server, id, 2);
    const page = await visit(`#/analysis/${id}`);
    await rows(page).first().waitFor();
    await page.getByRole('button', { name: 'Export' }).click();
    const dialog = page.getByRole('dialog', { name: 'Export' });
    await dialog.getByTestId('preview').filter({ hasText: '[Event' }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByTestId('download').click(),
    ]);
    assert.match(download.suggestedFilename(), /\.pgn$/);
    const pgn = await readFile(await download.path(), 'utf8');
    assert.match(pgn, /^\[Event "/);
    assert.match(pgn, /%eval/);
    await dialog.getByLabel(/To ply/).fill('999');
    await dialog.getByText(/whole number of plies/).waitFor();
    assert.ok(await dialog.getByTestId('download').isDisabled());
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
  },

  'the board and the tree are saved as pictures': async ({ server, visit }) => {
    const { id } = await make(server, ['g1f3']);
    await untilMoves(server, id);
    const page = await visit(`#/analysis/${id}`);
    await rows(page).first().waitFor();
    await page.keyboard.press('e');
    const take = async name => {
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name }).click(),
      ]);
      return readFile(await file.path());
    };
    const svg = (await take('Board as SVG')).toString();
    assert.equal(svg.match(/<image /g).length, 32);
    const png = await take('Board as PNG');
    assert.equal(png.subarray(1, 4).toString(), 'PNG');
    assert.ok(png.length > 10_000, 'the pieces are in the PNG');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await until('the tree is drawn', async () => {
      await page.keyboard.press('2'); // keys are the page's own again once the dialog has told that it closed
      const info = page.locator('.picture-info');
      return (await info.count()) === 1 && /Point at a cell|are drawn/.test(await info.innerText());
    });
    // The picture follows the tree, which a busy machine may bring a moment later.
    await until('the saved tree has moves', async () => /<tspan/.test((await take('SVG')).toString()));
  },

  'a position typed, pasted or played; errors stand at the field': [
    async ({ server, visit }) => {
      const page = await visit('#/new');
      const text = page.getByLabel('Opening, moves, FEN or PGN');
      const fen = () => page.getByTestId('board').getAttribute('data-fen');
      await text.fill('1. Ke3');
      await page.getByText(/Move 1, “Ke3”, is not legal/).waitFor();
      await page.getByTestId('create').click();
      assert.equal(await text.getAttribute('aria-invalid'), 'true');
      await text.fill('rnbqqbnr/8/8/8/8/8/8/RNBQKBNR w - - 0 1');
      await page.getByText(/exactly one king/).waitFor();
      await text.fill('[White "A"]\n[Black "B"]\n\n1. d4 d5 *\n\n[White "C"]\n[Black "D"]\n\n1. c4 *');
      await page.getByLabel(/2 in this PGN/).selectOption('1');
      await until('the second game', async () => (await fen()).startsWith('rnbqkbnr/pppppppp/8/8/2P5'));
      await page.getByRole('button', { name: 'Start position' }).click();
      await clickSquares(page, 'b1', 'c3');
      await until('the knight has moved', async () => (await fen()).includes('2N5'));
      await unfold(page);
      await page.getByLabel('Depth of the tree').fill('-1');
      await page.getByTestId('create').click();
      await page.getByText(/whole number from 0 to 200/).waitFor();
      await page.getByLabel('Depth of the tree').fill('2');
      await page.getByLabel('Depth', { exact: true }).fill('5');
      await page.getByLabel('Name', { exact: true }).fill('Played on the board');
      await page.getByTestId('create').click();
      await page.getByRole('heading', { name: 'Played on the board' }).waitFor();
      const id = Number(/analysis\/(\d+)/.exec(page.url())[1]);
      adopt(page);
      assert.deepEqual((await api(server).get(`/analyses/${id}`)).moves, ['b1c3']);
    },
    { allow: /400/ }, // what cannot be read is asked of the server
  ],
};
