// New analyses from files and from unusual positions; what is offered for them.
import { adopt, api, assert, boardFen, clickSquares, lineOf, make, rows, until } from './helpers.mjs';

const described = server => api(server).get('/openapi.json');

export const tests = {
  'a PGN file is dropped on the page, a game chosen and analysed': async ({ server, visit }) => {
    const page = await visit('#/new');
    await page.getByTestId('board').waitFor();
    const drop = (name, text) =>
      page.evaluate(
        ([file, content]) => {
          const transfer = new DataTransfer();
          transfer.items.add(new File([content], file));
          const zone = document.querySelector('.drop-zone');
          for (const kind of ['dragover', 'drop'])
            zone.dispatchEvent(
              new DragEvent(kind, { dataTransfer: transfer, bubbles: true, cancelable: true }),
            );
        },
        [name, text],
      );
    await drop('picture.png', '\u0000\u0001 no game at all');
    await page.locator('#position-error').waitFor();
    await drop(
      'match.pgn',
      '[White "Euwe"]\n[Black "Flohr"]\n\n1. c4 e5 *\n\n[White "Tal"]\n[Black "Keres"]\n\n1. e4 e5 2. f4 *\n',
    );
    await page.getByLabel(/2 in this PGN/).selectOption({ label: 'Tal – Keres (3 plies)' });
    await until('the gambit stands there', async () => (await boardFen(page)).includes('/4PP2/'));
    await page.getByLabel('Depth', { exact: true }).fill('6');
    await page.getByTestId('create').click();
    await rows(page).first().waitFor();
    adopt(page);
    assert.match(await page.getByTestId('opening').innerText(), /King's Gambit/);
  },

  'a name typed where moves may stand is read by the server; Enter waits for the opening': async ({
    server,
    visit,
  }) => {
    const page = await visit('#/new');
    await page.getByTestId('board').waitFor();
    const stands = (name, fen) => until(name, async () => (await boardFen(page)).startsWith(fen));
    await page.getByLabel('Or FEN, moves, PGN').fill('najdorf');
    await stands('the Najdorf', 'rnbqkb1r/1p2pppp/p2p1n2');
    const opening = page.getByLabel('Opening, by name or ECO');
    const before = (await api(server).get('/analyses')).analyses.length;
    await opening.fill('Caro-Kann');
    await opening.press('Enter'); // before the list is there
    await stands('the Caro-Kann', 'rnbqkbnr/pp1ppppp/2p5');
    assert.equal((await api(server).get('/analyses')).analyses.length, before);
  },

  'the strategies are the server’s, and the chosen one is asked for': async ({ server, visit }) => {
    const kinds = (await described(server)).components.schemas.StrategyKind.enum;
    const page = await visit('#/new');
    const select = page.getByLabel('Strategy');
    await until('all are offered', async () => (await select.locator('option').count()) === kinds.length);
    assert.deepEqual(
      (await select.locator('option').evaluateAll(list => list.map(o => o.value))).sort(),
      [...kinds].sort(),
    );
    const kind = kinds.at(-1);
    await select.selectOption(kind);
    await page.getByLabel('Depth', { exact: true }).fill('6');
    await page.getByLabel(/Start paused/).check();
    await page.getByTestId('create').click();
    await page.getByTestId('progress').waitFor();
    adopt(page);
    const id = Number(/analysis\/(\d+)/.exec(page.url())[1]);
    const made = await api(server).get(`/analyses/${id}`);
    assert.equal(made.strategy.kind, kind);
    assert.equal(made.state, 'paused');
  },

  'hours of the day are typed as they are told': async ({ server, visit }) => {
    const page = await visit('#/new');
    await page.getByLabel('Only at these hours').check();
    await page.getByLabel('From', { exact: true }).fill('25:00');
    await page.getByTestId('create').click();
    await page.getByText('Times are written like 22:00.').waitFor();
    await page.getByLabel('From', { exact: true }).fill('23:30');
    await page
      .getByTestId('summary')
      .getByText(/Only 23:30–07:00 by the server’s clock\./)
      .waitFor();
    await page.getByLabel('Depth', { exact: true }).fill('6');
    await page.getByLabel(/Start paused/).check();
    await page.getByTestId('create').click();
    await page.getByTestId('progress').waitFor();
    adopt(page);
    const id = Number(/analysis\/(\d+)/.exec(page.url())[1]);
    assert.equal((await api(server).get(`/analyses/${id}`)).window, '23:30-07:00');
  },

  'Chess960: the king takes its rook to castle': async ({ server, visit }) => {
    const fen = 'bqnbrkr1/pppppppp/8/8/8/6N1/PPPPPPPP/BQNBRKR1 w GEge - 0 1';
    const { id } = await make(server, [], { position: { fen }, hold: true });
    const page = await visit(`#/analysis/${id}`);
    await page.getByTestId('board').waitFor();
    await until('the position is there', async () => (await boardFen(page)).startsWith('bqnbrkr1'));
    await clickSquares(page, 'f1', 'g1');
    await until('castled', async () => (await lineOf(page)).join() === 'f1g1');
    assert.match(await boardFen(page), /BQNBRRK1 b/);
    assert.equal(await page.locator('.crumbs [aria-current]').innerText(), 'O-O');
    // The same on the page where analyses are set up; and standard castling is written as e1g1.
    await page.goto(`${server.url}/#/new`);
    await page.getByLabel('Or FEN, moves, PGN').fill(fen);
    await until('set up', async () => (await boardFen(page)).startsWith('bqnbrkr1'));
    await clickSquares(page, 'f1', 'g1');
    await until('castled here too', async () => /BQNBRRK1 b/.test(await boardFen(page)));
    await page.getByLabel('Or FEN, moves, PGN').fill('1. e4 e5 2. Nf3 Nc6 3. Bb5 a6');
    await until('Spanish', async () => (await boardFen(page)).startsWith('r1bqkbnr'));
    await clickSquares(page, 'e1', 'g1');
    await until('castled short', async () => /R1BQ1RK1|RNBQ1RK1/.test(await boardFen(page)));
  },

  'every file format that the server writes is offered, looked at and saved': async ({ server, visit }) => {
    const { parameters } = (await described(server)).paths['/analyses/{id}/export'].get;
    const formats = parameters.find(p => p.name === 'format').schema.enum;
    const names = { pgn: 'PGN', epd: 'EPD', polyglot: 'Polyglot', json: 'JSON' };
    const { id } = await make(server, ['e2e4', 'c7c5', 'b1c3']);
    await until('settled', async () => (await api(server).get(`/analyses/${id}`)).settled >= 2);
    const page = await visit(`#/analysis/${id}`);
    await rows(page).first().waitFor();
    await page.keyboard.press('e');
    const dialog = page.getByRole('dialog', { name: 'Export' });
    const buttons = dialog.locator('.export-form .segments').first().getByRole('button');
    await until('all formats', async () => (await buttons.count()) === formats.length);
    for (const format of formats) {
      await dialog.getByRole('button', { name: names[format], exact: true }).click();
      const size = dialog.getByTestId('size');
      await until(`a look at ${format}`, async () => /^[\d.\s]+ [KM]?B$/.test(await size.innerText()));
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        dialog.getByTestId('download').click(),
      ]);
      assert.match(
        download.suggestedFilename(),
        { polyglot: /\.bin$/ }[format] ?? new RegExp(`\\.${format}$`),
      );
    }
    await dialog.getByRole('button', { name: 'PGN', exact: true }).click();
    await dialog.getByTestId('preview').filter({ hasText: '[Event' }).waitFor();
    await dialog.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByText('PGN copied.').waitFor();
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^\[Event "/);
    await dialog.getByRole('button', { name: 'Copy FEN' }).click();
    await page.getByText('FEN copied.').waitFor();
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^rnbqkbnr\/pp1ppppp/);
  },
};
