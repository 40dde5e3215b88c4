// New analyses: from openings, texts, the board and unusual positions; what is offered for them.
import { analysis, api, assert, boardFen, clickSquares, create, drop } from './helpers.mjs';
import { field, lineOf, make, square, stands, unfold, until } from './helpers.mjs';
import { holdsStill } from './still.mjs';

const described = server => api(server).get('/openapi.json');
const spanish = 'r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b';
const endgame = '8/5pk1/4p1p1/3pP2p/1p1P1P1P/1P2K1P1/8/8 w';

export const tests = {
  'a position is set up piece by piece, on small windows, too; Chess960 by number': async ({
    server,
    visit,
  }) => {
    const page = await visit('#/new', { viewport: { width: 1280, height: 620 } });
    await holdsStill(
      page,
      'Set up',
      () => page.getByRole('button', { name: 'Set up', exact: true }).click(),
      () => page.getByRole('button', { name: 'Put a white king' }).waitFor(),
    );
    for (const size of ['1280 620', '1280 720', '1024 600', '390 844', '1280 800']) {
      const [width, height] = size.split(' ').map(Number);
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
    // All of it fits a laptop's window.
    const number = page.getByLabel('Chess960, 0 to 959');
    const { y, height } = await number.boundingBox();
    assert.ok(y + height <= 800, `the last row ends at ${y + height}`);
    const board = await page.locator('cg-board').boundingBox();
    assert.ok(board.width > 350, `the board is ${board.width} wide`);

    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await page.getByText('White has no king.').first().waitFor();
    const at = async name => page.mouse.click(...(await square(page, name)));
    for (const [piece, ...places] of [
      ['white king', 'e1'],
      ['black king', 'e8'],
      ['white rook', 'h1', 'e4'],
    ]) {
      await page.getByRole('button', { name: `Put a ${piece}` }).click();
      for (const place of places) await at(place);
    }
    await page.getByText('The side that is not to move is in check.').first().waitFor();
    await page.getByTestId('create').click();
    assert.match(page.url(), /#\/new$/, 'no such position');
    await page.getByRole('button', { name: 'Take away' }).click();
    await at('e4');
    await page.getByLabel('White O-O', { exact: true }).check();
    await page.getByRole('button', { name: 'Done' }).click();
    await until('set up', async () => (await boardFen(page)) === '4k3/8/8/8/8/8/8/4K2R w K - 0 1');
    await clickSquares(page, 'e1', 'g1');
    await stands(page, '4k3/8/8/8/8/8/8/5RK1 b');
    await page.getByRole('button', { name: 'Set up', exact: true }).click();
    await number.fill('960');
    await page.getByText('A number from 0 to 959.').waitFor();
    await number.fill('0');
    await stands(page, 'bbqnnrkr/pppppppp');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByLabel(/Start paused/).check();
    const { fen } = await analysis(server, await create(page));
    assert.match(fen, /^bbqnnrkr.* w (KQkq|HFhf) /);
  },

  'the list of openings covers nothing below it, and is gone when one goes on': async ({ visit }) => {
    const page = await visit('#/new');
    const list = page.getByRole('listbox', { name: 'Openings' });
    for (const [nth, size] of [
      [1, { width: 1280, height: 800 }],
      [2, { width: 390, height: 844 }],
    ]) {
      await page.setViewportSize(size);
      await field(page).fill('sicilian');
      await list.waitFor();
      const preset = page.locator('.presets button').nth(nth);
      const [above, below] = [await list.boundingBox(), await preset.boundingBox()];
      assert.ok(below.y >= above.y + above.height, `${below.y} is below ${above.y + above.height}`);
      assert.equal(await preset.getAttribute('aria-pressed'), 'false');
      await preset.click(); // it moves up, but not under the pointer
      await until('it is chosen', async () => (await preset.getAttribute('aria-pressed')) === 'true');
      await list.waitFor({ state: 'detached' });
      await field(page).fill('french');
      await list.waitFor();
      await field(page).press('Tab');
      await list.waitFor({ state: 'detached' });
      await field(page).fill('caro');
      await field(page).blur();
      await stands(page, 'rnbqkbnr/pp1ppppp/2p5');
      assert.equal(await list.count(), 0, 'an answer does not open it again');
    }
  },

  'one field takes anything: it stands on the board, and what is wrong is told': [
    async ({ server, visit }) => {
      const page = await visit('#/new');
      await page.getByTestId('board').waitFor();
      await field(page).fill('najdorf');
      await stands(page, 'rnbqkb1r/1p2pppp/p2p1n2');
      const before = (await api(server).get('/analyses')).analyses.length;
      await field(page).fill('Caro-Kann');
      await field(page).press('Enter'); // before the list is there
      await stands(page, 'rnbqkbnr/pp1ppppp/2p5');
      assert.equal((await api(server).get('/analyses')).analyses.length, before);
      // What the page reads by itself is in web/unit/create.test.ts.
      for (const [text, fen] of [
        ['ruy lopez', spanish],
        ['Spanische Partie', spanish],
        ['1. e4 e5 2. Nf3 Nc6 3. Bb5', spanish],
        ['1. e4 e5 2. Sf3 Sc6 3. Lb5', spanish],
        ['1. e4 e5 2. ♘f3 ♞c6 3. ♗b5', spanish],
        ['position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5', spanish],
        ['[White "A"]\n[Black "B"]\n\n1. e4 e5 2. Nf3 {x} Nc6 (2... d6) 3. Bb5 *', spanish],
        [`"${endgame} - - 0 41"`, endgame],
        [`position fen ${endgame} - - 0 41`, endgame],
        [`${endgame} - - bm Kd3; id "x";`, endgame],
        ['grunfeld', 'rnbqkb1r/ppp1pp1p/5np1/3p4'],
        ['C65', 'r1bqkb1r/pppp1ppp/2n2n2/1B2p3'],
        ['queen’s gambit declined', 'rnbqkbnr/ppp2ppp/4p3/3p4/2PP4'],
      ]) {
        await field(page).fill('1. a3');
        await until('something else', async () => (await boardFen(page)).includes('/P7/'));
        await field(page).fill(text);
        await stands(page, fen);
        assert.equal(await page.locator('#position-error').count(), 0, text);
      }
      for (const [text, message] of [
        ['1. Ke3', /Move 1, “Ke3”, is not legal/],
        ['zzyzx', /No opening of that name/],
        ['8/8/8/8/8/8/8/8 w - - 0 1', /board is empty|king/],
        ['rnbqqbnr/8/8/8/8/8/8/RNBQKBNR w - - 0 1', /exactly one king/],
        [`${endgame}x - - 0 41`, /side to move|FEN/],
        ['https://lichess.org/Kf3xTq1A', /address holds no position/],
      ]) {
        await field(page).fill(text);
        await page.locator('#position-error').getByText(message).waitFor();
        await page.getByTestId('create').click();
        assert.match(page.url(), /#\/new$/, text);
        assert.equal(await field(page).getAttribute('aria-invalid'), 'true');
      }
      assert.doesNotMatch(await page.locator('main').innerText(), /\d fields/);

      // What is legal of moves is taken, and said.
      await field(page).fill('1. a3 a6 2. Nf3 Nc6 3. Bb6 d6');
      await page
        .getByTestId('input-note')
        .getByText(/Move 3, “Bb6”, is not legal/)
        .waitFor();
      await stands(page, 'r1bqkbnr/1ppppppp/p1n5/8/8/P4N2');
      await field(page).press('Enter');
      assert.match(page.url(), /#\/new$/, 'Enter begins nothing');
      const made = await analysis(server, await create(page));
      assert.deepEqual(made.moves, ['a2a3', 'a7a6', 'g1f3', 'b8c6']);

      await page.goto(`${server.url}/#/new`);
      await field(page).fill('[White "A"]\n[Black "B"]\n\n1. d4 d5 *\n\n[White "C"]\n[Black "D"]\n\n1. c4 *');
      await page.getByLabel(/2 in this PGN/).selectOption('1');
      await stands(page, 'rnbqkbnr/pppppppp/8/8/2P5');
      await page.getByRole('button', { name: 'Start position' }).click();
      await clickSquares(page, 'b1', 'c3');
      await until('the knight has moved', async () => (await boardFen(page)).includes('2N5'));
      await unfold(page);
      await page.getByLabel('Depth of the tree').fill('-1');
      await page.getByTestId('create').click();
      await page.getByText(/whole number from 0 to 200/).waitFor();
      await page.getByLabel('Depth of the tree').fill('2');
      await page.getByLabel('Depth', { exact: true }).fill('5');
      await page.getByLabel('Name', { exact: true }).fill('Played on the board');
      const id = await create(page);
      await page.getByRole('heading', { name: 'Played on the board' }).waitFor();
      assert.deepEqual((await analysis(server, id)).moves, ['b1c3']);
    },
    { allow: /400/ }, // what cannot be read is asked of the server
  ],

  'a time is chosen, what comes of it is told, and an analysis begins in two clicks': async ({
    server,
    visit,
  }) => {
    await make(server, ['h2h4', 'h7h5'], { limit: { nodes: 500 } });
    const page = await visit('#/new');
    await field(page).fill('caro-kann');
    await stands(page, 'rnbqkbnr/pp1ppppp/2p5');
    await field(page).press('Enter'); // the list closes
    assert.equal(await page.getByLabel('Strategy').count(), 0, 'folded');
    const pressed = Date.now();
    await page.getByRole('button', { name: 'Overnight' }).click();
    await page
      .getByTestId('summary')
      .getByText(/until \d{4}-\d\d-\d\d 07:00/i)
      .waitFor();
    const { budget, limit, strategy } = await analysis(server, await create(page));
    assert.ok(budget.until - pressed > 4 * 3_600_000 - 60_000, 'a night');
    assert.ok(limit.depth === 18 || limit.nodes > 0);
    assert.equal(strategy.refine, 0);
    assert.equal(strategy.kind, 'anchored', 'a preset has the page’s default');

    // Ten minutes are minutes of work, of two processes; what ends first is told.
    await page.goto(`${server.url}/#/new`);
    await field(page).fill('1. h3 h6 2. a3');
    await page.getByRole('button', { name: '10 minutes' }).click();
    await page
      .getByTestId('summary')
      .getByText(/At most 20:00 min of engine time/)
      .waitFor();
    const id = await create(page);
    assert.deepEqual((await analysis(server, id)).budget, { engine_seconds: 1200 });
    const until_ = Date.now() + 9 * 3_600_000;
    await api(server).patch(`/analyses/${id}`, { budget: { engine_seconds: 1200, until: until_ } });
    await page.getByTestId('counters').click();
    const progress = page.getByTestId('progress');
    await progress.getByText(/ of engine time/).waitFor();
    await api(server).patch(`/analyses/${id}`, { budget: { engine_seconds: 1e6, until: until_ } });
    await progress.getByText(/until \d\d:\d\d/).waitFor();
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
    await stands(page, 'rnbqkbnr/pppppppp');
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

  'the strategies are the server’s, the chosen one is asked for; hours are typed as they are told': async ({
    server,
    visit,
  }) => {
    const kinds = (await described(server)).components.schemas.StrategyKind.enum;
    const page = await visit('#/new');
    await unfold(page);
    const select = page.getByLabel('Strategy');
    const options = select.locator('option');
    await until('all are offered', async () => (await options.count()) === kinds.length);
    const offered = await options.evaluateAll(list => list.map(o => o.value));
    assert.deepEqual(offered.sort(), [...kinds].sort());
    const usual = await select.inputValue();
    assert.equal(usual, 'anchored');
    const kind = kinds.findLast(other => other !== usual);
    await select.selectOption(kind);
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
    const made = await analysis(server, await create(page));
    assert.equal(made.strategy.kind, kind);
    assert.equal(made.state, 'paused');
    assert.equal(made.window, '23:30-07:00');
  },

  'Chess960: the king takes its rook to castle': async ({ server, visit }) => {
    const fen = 'bqnbrkr1/pppppppp/8/8/8/6N1/PPPPPPPP/BQNBRKR1 w GEge - 0 1';
    const { id } = await make(server, [], { position: { fen }, hold: true });
    const page = await visit(`#/analysis/${id}`);
    await page.getByTestId('board').waitFor();
    await stands(page, 'bqnbrkr1');
    await clickSquares(page, 'f1', 'g1');
    await until('castled', async () => (await lineOf(page)).join() === 'f1g1');
    assert.match(await boardFen(page), /BQNBRRK1 b/);
    assert.equal(await page.locator('.crumbs [aria-current]').innerText(), 'O-O');
    // The same on the page where analyses are set up; and standard castling is written as e1g1.
    await page.goto(`${server.url}/#/new`);
    await field(page).fill(fen);
    await stands(page, 'bqnbrkr1');
    await clickSquares(page, 'f1', 'g1');
    await until('castled here too', async () => /BQNBRRK1 b/.test(await boardFen(page)));
    await field(page).fill('1. e4 e5 2. Nf3 Nc6 3. Bb5 a6');
    await stands(page, 'r1bqkbnr');
    await clickSquares(page, 'e1', 'g1');
    await until('castled short', async () => /R1BQ1RK1|RNBQ1RK1/.test(await boardFen(page)));
  },

  'a file of chapters becomes an analysis for each, with its game; a game keeps what it says, players and clocks; a file is dropped':
    async ({ server, visit }) => {
      const chapters = `[White "Ann"]\n[Black "Bob"]\n\n1. e4 e5 2. Nf3 {mine} (2. f4 {bold}) 2... Nc6 *

[ChapterName "Pawns"]\n[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n1. Kd2 {slow} *\n`;
      const pgnOf = async id => {
        const { files } = await api(server).get(`/analyses/${id}/files`);
        assert.equal(files.length, 1);
        return (await fetch(`${server.url}/api/v1/analyses/${id}/files/${files[0].id}`)).text();
      };
      const page = await visit('#/new');
      await field(page).fill(chapters);
      await page.getByRole('button', { name: 'One for each of 2 games' }).click();
      await page.getByRole('button', { name: 'where it begins' }).click();
      await page.getByLabel('Name', { exact: true }).fill('Test book');
      await page.getByLabel('Start paused').check();
      await page.getByTestId('create').click();
      await page.getByText('2 analyses are made.').waitFor();
      await until('the queue', async () => new URL(page.url()).hash === '#/');
      const { analyses } = await api(server).get('/analyses');
      const [game, chapter] = ['Ann – Bob', 'Pawns'].map(name =>
        analyses.find(a => a.name === `Test book: ${name}`),
      );
      assert.equal(game.moves.length, 0);
      assert.equal(chapter.fen.split(' ')[0], '4k3/8/8/8/8/8/4P3/4K3');
      assert.match(await pgnOf(game.id), /\{mine\} \(2\. f4 \{bold\}\)/);
      assert.match(await pgnOf(chapter.id), /1\. Kd2 \{slow\}/);

      await page.goto(`${server.url}/#/new`);
      await field(page).fill(
        '[White "Short"]\n[Black "Timman"]\n[Event "Tilburg"]\n\n1. e4 {[%clk 1:59:00]} Nf6 {[%clk 1:58:00]} (1... e5 {bold}) *',
      );
      await page.getByText('What the file says is kept').waitFor();
      await page.getByLabel('Start paused').check();
      const one = await create(page);
      await page.getByTestId('labels').getByText('Short – Timman, Tilburg').waitFor();
      assert.deepEqual((await analysis(server, one)).game, {
        white: 'Short',
        black: 'Timman',
        event: 'Tilburg',
        clock: '1:59:00 – 1:58:00',
      });
      assert.match(await pgnOf(one), /\(1\.\.\.\s+e5\s+\{bold\}\)/);

      await page.goto(`${server.url}/#/new`);
      const zone = page.locator('.drop-zone');
      await drop(zone, 'picture.png', '\u0000\u0001 no game at all');
      await page.locator('#position-error').waitFor();
      await drop(
        zone,
        'match.pgn',
        '[White "Euwe"]\n[Black "Flohr"]\n\n1. c4 e5 *\n\n[White "Tal"]\n[Black "Keres"]\n\n1. e4 e5 2. f4 *\n',
      );
      await page.getByLabel(/2 in this PGN/).selectOption({ label: 'Tal – Keres (3 plies)' });
      await until('the gambit stands there', async () => (await boardFen(page)).includes('/4PP2/'));
      await unfold(page);
      await page.getByLabel('Depth', { exact: true }).fill('6');
      await create(page);
      assert.match(await page.getByTestId('opening').innerText(), /King's Gambit/);
    },
};
