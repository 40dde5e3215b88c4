// New analyses from openings and unusual positions; what is offered for them.
import {
  adopt,
  api,
  assert,
  boardFen,
  clickSquares,
  lineOf,
  make,
  rows,
  square,
  unfold,
  until,
} from './helpers.mjs';
import { holdsStill } from './still.mjs';

const described = server => api(server).get('/openapi.json');

export const tests = {
  'the pieces to put on the board are whole, however small the window is': async ({ visit }) => {
    const page = await visit('#/new', { viewport: { width: 1280, height: 620 } });
    await holdsStill(
      page,
      'Set up',
      () => page.getByRole('button', { name: 'Set up', exact: true }).click(),
      () => page.getByRole('button', { name: 'Put a white king' }).waitFor(),
    );
    await page.getByRole('button', { name: 'Put a white knight' }).waitFor();
    for (const [width, height] of [
      [1280, 620],
      [1280, 720],
      [1024, 600],
      [390, 844],
    ]) {
      await page.setViewportSize({ width, height });
      const cut = () =>
        page.locator('.brush').evaluateAll(list =>
          list.flatMap(brush => {
            const box = brush.getBoundingClientRect();
            const piece = brush.querySelector('piece').getBoundingClientRect();
            const inside = piece.left >= box.left && piece.right <= box.right && piece.top >= box.top;
            const square = Math.abs(piece.width - piece.height) < 1 && piece.width > 10;
            return inside && square
              ? []
              : [`${brush.title}: ${piece.width} × ${piece.height} of ${box.width}`];
          }),
        );
      await until(`none is cut off at ${width} × ${height}`, async () => !(await cut()).length);
    }
  },

  'setting up a position fits a laptop’s window': async ({ visit }) => {
    const page = await visit('#/new', { viewport: { width: 1280, height: 800 } });
    await page.getByRole('button', { name: 'Set up' }).click();
    const { y, height } = await page.getByLabel('Chess960, 0 to 959').boundingBox();
    assert.ok(y + height <= 800, `the last row ends at ${y + height}`);
    const board = await page.locator('cg-board').boundingBox();
    assert.ok(board.width > 350, `the board is ${board.width} wide`);
  },

  'the list of openings covers nothing below it, and is gone when one goes on': async ({ visit }) => {
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 390, height: 844 },
    ]) {
      const page = await visit('#/new', { viewport });
      const field = page.getByLabel('Opening, moves, FEN or PGN');
      const list = page.getByRole('listbox', { name: 'Openings' });
      await field.fill('sicilian');
      await list.waitFor();
      const preset = page.locator('.presets button').nth(1);
      const [above, below] = [await list.boundingBox(), await preset.boundingBox()];
      assert.ok(below.y >= above.y + above.height, `${below.y} is below ${above.y + above.height}`);
      assert.equal(await preset.getAttribute('aria-pressed'), 'false');
      await preset.click(); // it moves up, but not under the pointer
      await page.locator('.presets button[aria-pressed=true]').nth(0).waitFor();
      await list.waitFor({ state: 'detached' });
      assert.equal(await preset.getAttribute('aria-pressed'), 'true');
      await field.fill('french');
      await list.waitFor();
      await field.press('Tab');
      await list.waitFor({ state: 'detached' });
      await field.fill('caro');
      await field.blur();
      await until('the opening is found', async () =>
        (await boardFen(page)).startsWith('rnbqkbnr/pp1ppppp/2p5'),
      );
      assert.equal(await list.count(), 0, 'an answer does not open it again');
    }
  },

  'a name shows its opening on the board while one types; Enter waits for it': async ({ server, visit }) => {
    const page = await visit('#/new');
    await page.getByTestId('board').waitFor();
    const stands = (name, fen) => until(name, async () => (await boardFen(page)).startsWith(fen));
    await page.getByLabel('Opening, moves, FEN or PGN').fill('najdorf');
    await stands('the Najdorf', 'rnbqkb1r/1p2pppp/p2p1n2');
    const before = (await api(server).get('/analyses')).analyses.length;
    const field = page.getByLabel('Opening, moves, FEN or PGN');
    await field.fill('Caro-Kann');
    await field.press('Enter'); // before the list is there
    await stands('the Caro-Kann', 'rnbqkbnr/pp1ppppp/2p5');
    assert.equal((await api(server).get('/analyses')).analyses.length, before);
  },

  'one line takes anything: each of these stands on the board, and what is wrong is told': [
    async ({ visit }) => {
      const page = await visit('#/new');
      await page.getByTestId('board').waitFor();
      const field = page.getByLabel('Opening, moves, FEN or PGN');
      const spanish = 'r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b';
      const endgame = '8/5pk1/4p1p1/3pP2p/1p1P1P1P/1P2K1P1/8/8 w';
      const texts = [
        ['ruy lopez', spanish],
        ['Spanische Partie', spanish],
        ['1. e4 e5 2. Nf3 Nc6 3. Bb5', spanish],
        ['1. e4 e5 2. Sf3 Sc6 3. Lb5', spanish],
        ['1. e4 e5 2. ♘f3 ♞c6 3. ♗b5', spanish],
        ['e2e4 e7e5 g1f3 b8c6 f1b5', spanish],
        ['position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5', spanish],
        ['[White "A"]\n[Black "B"]\n\n1. e4 e5 2. Nf3 {x} Nc6 (2... d6) 3. Bb5 *', spanish],
        [`${endgame} - - 0 41`, endgame],
        [`"${endgame} - - 0 41"`, endgame],
        [`position fen ${endgame} - - 0 41`, endgame],
        [`${endgame} - - bm Kd3; id "x";`, endgame],
        [`${endgame} - -`, endgame],
        ['grunfeld', 'rnbqkb1r/ppp1pp1p/5np1/3p4'],
        ['C65', 'r1bqkb1r/pppp1ppp/2n2n2/1B2p3'],
        ['queen’s gambit declined', 'rnbqkbnr/ppp2ppp/4p3/3p4/2PP4'],
      ];
      for (const [text, fen] of texts) {
        await field.fill('1. a3');
        await until('something else', async () => (await boardFen(page)).includes('/P7/'));
        await field.fill(text);
        await until(text, async () => (await boardFen(page)).startsWith(fen), 20);
        assert.equal(await page.locator('#position-error').count(), 0, text);
      }
      for (const [text, message] of [
        ['1. Ke3', /Ke3.*(illegal|not legal)/],
        ['zzyzx', /No opening of that name/],
        ['8/8/8/8/8/8/8/8 w - - 0 1', /board is empty|king/],
        [`${endgame}x - - 0 41`, /side to move|FEN/],
      ]) {
        await field.fill(text);
        await page.locator('#position-error').getByText(message).waitFor();
        await page.getByTestId('create').click();
        assert.match(page.url(), /#\/new$/, text);
      }
    },
    { allow: /400/ }, // what cannot be read is asked of the server
  ],

  'a time is chosen, and what comes of it is told once a speed is known; an analysis begins in two clicks':
    async ({ server, visit }) => {
      await make(server, ['h2h4', 'h7h5'], { limit: { nodes: 500 } });
      const page = await visit('#/new');
      const field = page.getByLabel('Opening, moves, FEN or PGN');
      await field.fill('caro-kann');
      await until('on the board', async () => (await boardFen(page)).startsWith('rnbqkbnr/pp1ppppp/2p5'));
      await field.press('Enter'); // the list closes
      assert.equal(await page.getByLabel('Strategy').count(), 0, 'folded');
      const pressed = Date.now();
      await page.getByRole('button', { name: 'Overnight' }).click();
      await page
        .getByTestId('summary')
        .getByText(/until \d{4}-\d\d-\d\d 07:00/i)
        .waitFor();
      await page.getByTestId('create').click();
      await page.getByTestId('counters').waitFor();
      adopt(page);
      const { budget, limit, strategy } = await api(server).get(`/analyses/${/\d+$/.exec(page.url())[0]}`);
      assert.ok(budget.until - pressed > 4 * 3_600_000 - 60_000, 'a night');
      assert.ok(limit.depth === 18 || limit.nodes > 0);
      assert.equal(strategy.refine, 0);
      assert.equal(strategy.kind, 'anchored', 'a preset has the page’s default');
    },

  'a position is set up piece by piece; Chess960 by number': async ({ server, visit }) => {
    const page = await visit('#/new');
    await page.getByRole('button', { name: 'Set up', exact: true }).click();
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await page.getByText('White has no king.').first().waitFor();
    const at = async name => page.mouse.click(...(await square(page, name)));
    await page.getByRole('button', { name: 'Put a white king' }).click();
    await at('e1');
    await page.getByRole('button', { name: 'Put a black king' }).click();
    await at('e8');
    await page.getByRole('button', { name: 'Put a white rook' }).click();
    await at('h1');
    await at('e4');
    await page.getByText('The side that is not to move is in check.').first().waitFor();
    await page.getByTestId('create').click();
    assert.match(page.url(), /#\/new$/, 'no such position');
    await page.getByRole('button', { name: 'Take away' }).click();
    await at('e4');
    await page.getByLabel('White O-O', { exact: true }).check();
    await page.getByRole('button', { name: 'Done' }).click();
    await until('set up', async () => (await boardFen(page)) === '4k3/8/8/8/8/8/8/4K2R w K - 0 1');
    await clickSquares(page, 'e1', 'g1');
    await until('castled', async () => (await boardFen(page)).startsWith('4k3/8/8/8/8/8/8/5RK1 b'));
    await page.getByRole('button', { name: 'Set up', exact: true }).click();
    await page.getByLabel('Chess960, 0 to 959').fill('960');
    await page.getByText('A number from 0 to 959.').waitFor();
    await page.getByLabel('Chess960, 0 to 959').fill('0');
    await until('shown', async () => (await boardFen(page)).startsWith('bbqnnrkr/pppppppp'));
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByLabel(/Start paused/).check();
    await page.getByTestId('create').click();
    await page.getByTestId('counters').waitFor();
    adopt(page);
    const { fen } = await api(server).get(`/analyses/${/\d+$/.exec(page.url())[0]}`);
    assert.match(fen, /^bbqnnrkr.* w (KQkq|HFhf) /);
  },

  'moves are typed on a board, and keys walk on that of a new analysis': async ({ server, visit }) => {
    const page = await visit('#/new');
    await page.getByTestId('board').waitFor();
    await page.keyboard.type('/e4\n');
    await until('e4', async () => (await boardFen(page)).includes('/4P3/'));
    await page.keyboard.type('Nf');
    await page.locator('#move-entry-hint').getByText('Nf6').waitFor();
    await page.keyboard.type('6');
    await page.getByText('Enter plays Nf6').waitFor();
    await page.keyboard.press('Enter');
    await until('Nf6', async () => (await boardFen(page)).includes('5n2'));
    await page.keyboard.press('ArrowLeft');
    await until('back', async () => !(await boardFen(page)).includes('5n2'));
    await page.keyboard.press('End');
    await until('the end', async () => (await boardFen(page)).includes('5n2'));
    await page.keyboard.press('Home');
    await until('the start', async () => (await boardFen(page)).startsWith('rnbqkbnr/pppppppp'));
    await page.keyboard.press('f');
    await page.locator('.cg-wrap.orientation-black').waitFor();
    const { id } = await make(server, ['e2e4', 'g8f6'], { hold: true });
    await page.goto(`${server.url}/#/analysis/${id}`);
    await page.getByTestId('pause').waitFor();
    await page.keyboard.type('Nc3');
    await page.getByText('Enter plays Nc3').waitFor();
    await page.keyboard.press('Enter');
    await until('walked there', async () => (await lineOf(page)).join() === 'b1c3');
    await page.keyboard.type('Qh9');
    await page.getByText('no such move here').waitFor();
    await page.keyboard.press('Escape');
    assert.equal((await lineOf(page)).join(), 'b1c3');
  },

  'the strategies are the server’s, and the chosen one is asked for': async ({ server, visit }) => {
    const kinds = (await described(server)).components.schemas.StrategyKind.enum;
    const page = await visit('#/new');
    await unfold(page);
    const select = page.getByLabel('Strategy');
    await until('all are offered', async () => (await select.locator('option').count()) === kinds.length);
    assert.deepEqual(
      (await select.locator('option').evaluateAll(list => list.map(o => o.value))).sort(),
      [...kinds].sort(),
    );
    const usual = await select.inputValue();
    assert.equal(usual, 'anchored');
    const kind = kinds.findLast(other => other !== usual);
    await select.selectOption(kind);
    await unfold(page);
    await page.getByLabel('Depth', { exact: true }).fill('6');
    await page.getByLabel(/Start paused/).check();
    await page.getByTestId('create').click();
    await page.getByTestId('counters').waitFor();
    adopt(page);
    const id = Number(/analysis\/(\d+)/.exec(page.url())[1]);
    const made = await api(server).get(`/analyses/${id}`);
    assert.equal(made.strategy.kind, kind);
    assert.equal(made.state, 'paused');
  },

  'hours of the day are typed as they are told': async ({ server, visit }) => {
    const page = await visit('#/new');
    await unfold(page);
    await page.getByLabel('Only at these hours').check();
    await page.getByLabel('From', { exact: true }).fill('25:00');
    await page.getByTestId('create').click();
    await page.getByText('Times are written like 22:00.').waitFor();
    await page.getByLabel('From', { exact: true }).fill('23:30');
    await page
      .getByTestId('summary')
      .getByText(/Only 23:30–07:00 by the server’s clock\./)
      .waitFor();
    await unfold(page);
    await page.getByLabel('Depth', { exact: true }).fill('6');
    await page.getByLabel(/Start paused/).check();
    await page.getByTestId('create').click();
    await page.getByTestId('counters').waitFor();
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
    await page.getByLabel('Opening, moves, FEN or PGN').fill(fen);
    await until('set up', async () => (await boardFen(page)).startsWith('bqnbrkr1'));
    await clickSquares(page, 'f1', 'g1');
    await until('castled here too', async () => /BQNBRRK1 b/.test(await boardFen(page)));
    await page.getByLabel('Opening, moves, FEN or PGN').fill('1. e4 e5 2. Nf3 Nc6 3. Bb5 a6');
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
