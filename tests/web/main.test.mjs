// The way through the product: create, watch, walk, reload, take along.
import { readFile } from 'node:fs/promises';
import {
  adopt,
  api,
  assert,
  choose,
  boardFen,
  lineOf,
  make,
  node,
  quiet,
  rows,
  settledTo,
  stands,
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

  'a link to a position opens there, one with an illegal move stops before it; clicking walks, and the browser goes back and forward':
    [
      async ({ server, visit }) => {
        const { id } = await make(server, ['e2e4']);
        const { moves } = await untilMoves(server, id, 2);
        const page = await visit(`#/analysis/${id}/${moves[0].uci}`);
        await page.locator('.crumb[aria-current]').filter({ hasText: moves[0].san }).waitFor();
        await page.goto(`${server.url}/#/analysis/${id}/${moves[0].uci},a1a8`);
        const second = await visit(`#/analysis/${id}/${moves[0].uci},a1a8`);
        for (const one of [page, second]) {
          await one.getByText(/not legal here: a1a8/).waitFor();
          await until('only the legal part is kept', async () => (await lineOf(one)).join() === moves[0].uci);
          await rows(one).first().waitFor();
        }
        await page.keyboard.press('Home');
        await until('at the root', async () => (await lineOf(page)).length === 0);
        await stands(page, 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b');
        const { uci, san } = moves[1];
        const before = await boardFen(page);
        await page.locator(`tr[data-uci=${uci}]`).getByRole('link').first().click();
        await until('the URL has the move', async () => (await lineOf(page)).join() === uci);
        await until('the board has moved', async () => (await boardFen(page)) !== before);
        assert.equal(await page.locator('.crumbs [aria-current]').innerText(), san);
        await page.goBack();
        await until('back at the root', async () => (await boardFen(page)) === before);
        await page.goForward();
        await until('forward again', async () => (await lineOf(page)).join() === uci);
        await until('the board follows', async () => (await boardFen(page)) !== before);
      },
      { allow: /status of 400/ }, // the position is asked for before it is known whether the line is legal
    ],

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

  'what the first view shows is asked for while the code is still on its way': async ({ server, visit }) => {
    const { id } = await make(server, ['e2e4']);
    const { moves } = await untilMoves(server, id);
    await quiet(server, id);
    let freed = () => {};
    const free = new Promise(resolve => (freed = resolve));
    const node = `/api/v1/analyses/${id}/node?moves=${moves[0].uci}`;
    const asked = [];
    let answered;
    const page = await visit(`#/analysis/${id}/${moves[0].uci}`, {
      waitUntil: 'commit',
      before: async page => {
        await page.route(/assets\/(app|chunk)-/, async route => {
          await free;
          await route.continue();
        });
        page.on('request', request => asked.push(request.url()));
        answered = page.waitForResponse(response => response.url().endsWith(node));
      },
    });
    await answered;
    assert.ok(!asked.some(url => url.endsWith('/events')), 'the code is not there yet');
    freed();
    await page.locator('.crumb[aria-current]').filter({ hasText: moves[0].san }).waitFor();
    assert.ok(asked.some(url => url.endsWith(`/analyses/${id}`)));
  },

  'every file format that the server writes is offered, looked at, saved and copied; pictures, too': async ({
    server,
    visit,
  }) => {
    const { paths } = await api(server).get('/openapi.json');
    const { parameters } = paths['/analyses/{id}/export'].get;
    const formats = parameters.find(p => p.name === 'format').schema.enum;
    const names = { pgn: 'PGN', epd: 'EPD', polyglot: 'Polyglot', json: 'JSON' };
    const { id } = await make(server, ['e2e4', 'c7c5', 'b1c3']);
    await settledTo(server, id, 2);
    const page = await visit(`#/analysis/${id}`);
    await rows(page).first().waitFor();
    await page.keyboard.press('e');
    const dialog = page.getByRole('dialog', { name: 'Export' });
    const buttons = dialog.locator('.export-form .segments').first().getByRole('button');
    await until('all formats', async () => (await buttons.count()) === formats.length);
    const take = async button => {
      const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
      return download;
    };
    const content = async name =>
      readFile(await (await take(page.getByRole('button', { name, exact: true }))).path());
    for (const format of formats) {
      await dialog.getByRole('button', { name: names[format], exact: true }).click();
      const size = dialog.getByTestId('size');
      await until(`a look at ${format}`, async () => /^[\d.\s]+ [KM]?B$/.test(await size.innerText()));
      const download = await take(dialog.getByTestId('download'));
      const ending = { polyglot: /\.bin$/ }[format] ?? new RegExp(`\\.${format}$`);
      assert.match(download.suggestedFilename(), ending);
      if (format !== 'pgn') continue;
      const pgn = await readFile(await download.path(), 'utf8');
      assert.match(pgn, /^\[Event "/);
      assert.match(pgn, /%eval/);
    }
    await dialog.getByRole('button', { name: 'PGN', exact: true }).click();
    await dialog.getByTestId('preview').filter({ hasText: '[Event' }).waitFor();
    await dialog.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByText('PGN copied.').waitFor();
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^\[Event "/);
    await dialog.getByRole('button', { name: 'Copy FEN' }).click();
    await page.getByText('FEN copied.').waitFor();
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^rnbqkbnr\/pp1ppppp/);
    const svg = (await content('Board as SVG')).toString();
    assert.equal(svg.match(/<image /g).length, 32);
    const png = await content('Board as PNG');
    assert.equal(png.subarray(1, 4).toString(), 'PNG');
    assert.ok(png.length > 10_000, 'the pieces are in the PNG');
    await dialog.getByLabel(/To ply/).fill('999');
    await dialog.getByText(/whole number of plies/).waitFor();
    assert.ok(await dialog.getByTestId('download').isDisabled());
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await until('the tree is drawn', async () => {
      await page.keyboard.press('2'); // keys are the page's own again once the dialog has told that it closed
      const info = page.locator('.picture-info');
      return (await info.count()) === 1 && /Point at a cell|are drawn/.test(await info.innerText());
    });
    // The picture follows the tree, which a busy machine may bring a moment later.
    await until('the saved tree has moves', async () => /<tspan/.test((await content('SVG')).toString()));
  },
};
