// A game is reviewed in the page: from a file, or pasted; the moments, the tree behind them, the game to take away.
import { readFile } from 'node:fs/promises';
import { clean, fits, sizes } from './axe.mjs';
import { api, assert, boardFen, clickSquares, lineOf, make, phone, until } from './helpers.mjs';
import { holdsStill } from './still.mjs';

const games = `[Event "Club evening"]
[White "Ada"]
[Black "Ben"]
[Date "2026.05.04"]
[Result "0-1"]

1. f3 {[%clk 0:59:50]} e5 {[%clk 0:58:30]} 2. g4 {[%clk 0:59:10] hm} Qh4# {[%clk 0:58:20]} 0-1

[Event "Open"]
[White "Cleo"]
[Black "Dan"]
[Date "2025.01.02"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. Bc4 Bg4 (3... Be7) 4. Nc3 g6 5. Nxe5 {[%clk 0:57:30] a queen!} Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0
`;

const file = { name: 'games.pgn', mimeType: 'text/plain', buffer: Buffer.from(games) };

// The test's engine finds no blunders: its answer gets one.
async function withBlunder(route) {
  const response = await route.fetch();
  if (!/json/.test(response.headers()['content-type'])) return route.fulfill({ response });
  const body = await response.json();
  if (response.ok() && body.moves[9]?.score)
    Object.assign(body.moves[9], {
      judgement: 'blunder',
      loss: 0.5,
      best: { cp: -100 },
      score: { cp: 300 },
      line: [{ uci: 'd6e5', san: 'dxe5' }],
    });
  return route.fulfill({ response, json: body });
}

// Black is below.
const turned = name => `${'hgfedcba'['abcdefgh'.indexOf(name[0])]}${9 - name[1]}`;

async function upload(page, depth = 'Quick') {
  await page.getByLabel('Or choose a file').setInputFiles(file);
  await until('both games', async () => (await page.getByTestId('game').count()) === 2);
  await page.getByRole('button', { name: depth }).click();
}

// What the page makes is not ours by its name.
async function forget(server) {
  const { analyses } = await api(server).get('/analyses');
  for (const a of analyses) if (a.name === 'Reviewed games') await api(server).del(`/analyses/${a.id}`);
}

export const tests = {
  'a game of a file is reviewed, looked at, taken away as PGN, and deepened; the better move is found on the board':
    async ({ server, visit }) => {
      const page = await visit('#/');
      await page.getByRole('link', { name: 'Review a game' }).click();
      await page.getByLabel('Or choose a file').setInputFiles(file);
      const list = page.getByTestId('game');
      await until('both games', async () => (await list.count()) === 2);
      await page.getByRole('searchbox', { name: 'Search the games' }).fill('dan 2025');
      await until('one is left', async () => (await list.count()) === 1);
      await list.click();
      await page.getByRole('button', { name: 'Quick' }).click();
      await page.route(/\/games\/\d+\/review$/, withBlunder);
      await page.getByTestId('review-start').click();
      await page.getByRole('heading', { level: 1, name: 'Cleo – Dan' }).waitFor();
      const accuracy = page
        .getByTestId('accuracy')
        .locator('tbody tr')
        .filter({ hasText: /\d+\.\d %/ });
      await until('the accuracy of both', async () => (await accuracy.count()) === 2);
      await page.getByTestId('review-progress').waitFor({ state: 'detached' });

      const id = Number(/review\/(\d+)/.exec(page.url())[1]);
      const line = 'e2e4,e7e5,g1f3,d7d6,f1c4,c8g4,b1c3,g7g6,f3e5,g4d1,c4f7,e8e7,c3d5';
      await page.getByTestId('moment-row').filter({ hasText: '5… Bxd1??' }).waitFor();
      const at = 10;

      // A click on a moment puts it on the board; keys go on from there.
      await holdsStill(
        page,
        'the first moment',
        () => page.getByTestId('moment-row').first().click(),
        () => page.getByTestId('moment').getByText('blunder').waitFor(),
      );
      await until('in the address', () => page.url().endsWith(`?at=${at}`));
      const { fen } = await api(server).get(`/analyses/${id}/node?moves=${line.split(',').slice(0, at)}`);
      const placement = text => text.split(' ').slice(0, 2).join(' ');
      await until('on the board', async () => placement(await boardFen(page)) === placement(fen));
      assert.match(
        await page.getByTestId('moment').innerText(),
        /chances: \d+ % before the move, \d+ % after/,
      );
      await page.keyboard.press('Home');
      await page.keyboard.press('ArrowDown');
      await until('the first moment again', () => page.url().endsWith(`?at=${at}`));

      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download PGN' }).click();
      const download = await saved;
      assert.equal(download.suggestedFilename(), 'cleo-dan-2025.01.02-review.pgn');
      const pgn = await readFile(await download.path(), 'utf8');
      for (const part of [
        '[White "Cleo"]',
        '[Black "Dan"]',
        '[Event "Open"]',
        '[Result "1-0"]',
        '[%eval ',
        '[%clk 0:57:30] a queen!}',
        '3... Be7',
      ])
        assert.ok(pgn.includes(part), `${part} in ${pgn}`);
      assert.match(pgn.trim(), /1-0$/);

      // What the tree has of a move by chance is not there.
      await page.route(/\/node\?moves=/, async route => {
        const response = await route.fetch();
        const body = await response.json();
        return route.fulfill({
          response,
          json: { ...body, moves: body.moves.filter(m => m.uci !== 'h7h5') },
        });
      });
      await page.route(/\/review\?moves=.*h7h5/, async route => {
        const response = await route.fetch();
        const body = await response.json();
        if (body.moves.at(-1).score) Object.assign(body.moves.at(-1), { score: { cp: 200 }, loss: 0.4 });
        return route.fulfill({ response, json: body });
      });
      await holdsStill(
        page,
        'the question',
        () => page.getByTestId('find').click(),
        () => page.getByTestId('try').getByText('Black played').waitFor(),
      );
      const said = page.getByTestId('try-verdict');
      const play = (...names) => clickSquares(page, ...names.map(turned));
      await until('before the blunder', () => page.url().endsWith('?at=9'));
      await play('g4', 'd1');
      await said.getByText('5… Bxd1 is what was played.').waitFor();
      await play('h7', 'h5');
      await said.getByText('5… h5 is not searched').waitFor();
      await clean(page, 'find the better move', [sizes[0]]);
      await page.getByRole('button', { name: 'Search h5 now' }).click();
      await said.getByText('5… h5 loses 40 % of the chances. Try again.').waitFor();
      // By keys, too.
      await page.getByRole('textbox', { name: 'Your move' }).fill('dxe5');
      await page.keyboard.press('Enter');
      await said.getByText('Right: 5… dxe5').waitFor();
      await page.getByTestId('try-next').click();
      await page.getByText('That was the last one. 0 of 1 found at once.').waitFor();
      assert.ok(page.url().endsWith('?at=10'));

      // And on a phone: the answer is shown.
      await page.setViewportSize({ width: 390, height: 844 });
      await page.getByTestId('find').click();
      await page.getByTestId('try-show').click();
      await said.getByText('It was 5… dxe5').waitFor();
      await fits(page, 'the answer');
      await page.keyboard.press('ArrowLeft');
      await page.getByTestId('try').waitFor({ state: 'detached' });
      await page.setViewportSize(sizes[0]);
      await page.getByTestId('moment-row').first().click();
      await until('the moment again', () => page.url().endsWith(`?at=${at}`));

      const deepened = page.waitForRequest(r => r.method() === 'POST' && r.url().endsWith('/directives'));
      await page.getByRole('button', { name: 'Search it deeper' }).click();
      assert.equal((await deepened).postDataJSON().action, 'deepen');

      await page.getByRole('link', { name: 'Open in the tree' }).click();
      await until(
        'in the tree',
        async () =>
          (await lineOf(page)).join() ===
          line
            .split(',')
            .slice(0, at - 1)
            .join(),
      );
      await page.goBack();
      await page.getByRole('heading', { level: 1, name: 'Cleo – Dan' }).waitFor();
      await forget(server);
    },

  'a pasted game goes to the same analysis; a fault in a game is named': [
    async ({ server, visit }) => {
      const page = await visit('#/review');
      const text = page.getByLabel('Paste a game (PGN)');
      await text.fill('1. Ke3');
      await page.getByTestId('review-start').click();
      await page.getByText('Move 1. “Ke3” is not legal.').waitFor();
      for (const game of ['1. e4 e5 2. Nf3', '1. d4 d5 2. Sf3 Sf6']) {
        await text.fill(game);
        await page.getByRole('button', { name: 'Quick' }).click();
        await page.getByTestId('review-start').click();
        await page.getByTestId('accuracy').waitFor();
        await page.getByTestId('review-progress').waitFor({ state: 'detached' });
        await page.getByRole('link', { name: 'Other games' }).click();
      }
      const { analyses } = await api(server).get('/analyses');
      assert.equal(analyses.filter(a => a.name === 'Reviewed games').length, 1);
      const listed = page.getByRole('region', { name: 'Reviewed before' }).getByRole('link');
      await until('both are listed', async () => (await listed.count()) === 2);
      await forget(server);
    },
    { allow: /status of 400/ },
  ],

  'the curve of a game is a slider: by finger and by keys': async ({ server, visit }) => {
    const page = await visit('#/review', phone);
    await page.getByLabel('Paste a game (PGN)').fill('1. e4 e5 2. Nf3 Nc6 3. Bb5 a6');
    await page.getByTestId('review-start').click();
    const graph = page.getByRole('slider', { name: /winning chances/ });
    await graph.waitFor();
    const { x, y, width } = await graph.boundingBox();
    await page.touchscreen.tap(x + width / 2, y + 20);
    await until('the middle of the game', async () => (await graph.getAttribute('aria-valuenow')) === '3');
    await graph.press('ArrowRight');
    await until('a move on', async () => (await graph.getAttribute('aria-valuenow')) === '4');
    assert.match(await graph.getAttribute('aria-valuetext'), /^2… Nc6, /);
    // Below the moves the board is still there, and the way to the next moment at the thumb.
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    const board = await page.locator('.board').boundingBox();
    assert.ok(board.y >= 0 && board.y + board.height < 0.6 * 844, JSON.stringify(board));
    assert.match(await page.getByTestId('moment-name').innerText(), /^2… Nc6/);
    const next = page.getByRole('button', { name: 'Next moment' });
    const { y: low } = await next.boundingBox();
    assert.ok(low > 844 - 60 && low < 844, `${low}`);
    await clean(page, 'review', [phone.viewport]);
    await forget(server);
  },

  'all games of a file in one table; a link says the same to everybody': async ({ server, visit }) => {
    const page = await visit('#/review');
    await upload(page);
    await page.getByRole('button', { name: 'Review all 2 games' }).click();
    await page.getByRole('heading', { level: 1, name: 'games.pgn' }).waitFor();
    const rows = page.getByTestId('review-row');
    await until('both rows', async () => (await rows.count()) === 2);
    await page.getByText('All positions are searched.').waitFor();
    const white = async () => (await rows.locator('td:nth-child(2)').allInnerTexts()).join();
    assert.equal(await white(), 'Ada,Cleo');
    assert.match(await rows.first().innerText(), /\d+\.\d %/);
    const header = name => page.getByTestId('games').getByRole('button', { name });
    await header('White').click();
    await header('White').click();
    await until('turned round', async () => (await white()) === 'Cleo,Ada');
    assert.equal(
      await page.getByTestId('games').locator('th[aria-sort="descending"]').innerText(),
      'White ↓',
    );
    await page
      .getByTestId('players')
      .getByRole('row', { name: /^Dan 1 / })
      .waitFor();
    await clean(page, 'table of a file', [sizes[0], sizes[2]]);
    await holdsStill(
      page,
      'a row',
      () => rows.filter({ hasText: 'Cleo' }).getByRole('link', { name: 'Cleo' }).click(),
      () => page.getByTestId('accuracy').waitFor(),
    );
    await page.getByRole('link', { name: 'Game before' }).click();
    await page.getByRole('heading', { level: 1, name: 'Ada – Ben' }).waitFor();
    await page.getByTestId('clocks').waitFor();
    const address = new URL(page.url()).hash;
    assert.match(address, /^#\/review\/\d+\/file\/\d+\/game\/1/);

    // Somebody else, who was never here.
    const other = await visit(`${address}?at=4`);
    await other.getByRole('heading', { level: 1, name: 'Ada – Ben' }).waitFor();
    await other.getByTestId('clock-White').getByText('0:59:10').waitFor();
    await other.getByTestId('clock-Black').getByText('0:58:20').waitFor();
    const slider = other.getByRole('slider', { name: /winning chances/ });
    assert.match(
      await slider.getAttribute('aria-valuetext'),
      /^2… Qh4#, .*white has 0:59:10, black has 0:58:20$/,
    );
    await clean(other, 'review with clocks', [sizes[0]]);
    const saved = other.waitForEvent('download');
    await other.getByRole('button', { name: 'Download PGN' }).click();
    const pgn = await readFile(await (await saved).path(), 'utf8');
    assert.match(pgn, /2\. g4 .*\{\[%clk 0:59:10\] hm\}/);
    await other.getByRole('link', { name: 'All 2 games' }).click();
    await other.getByTestId('players').waitFor();
    await other.getByRole('link', { name: 'Other games' }).click();
    const before = other.getByRole('region', { name: 'Reviewed before' });
    await before.getByRole('link', { name: 'games.pgn' }).waitFor();
    await forget(server);
  },

  'a review says nothing of plies that were not searched': [
    async ({ server, visit }) => {
      // Where no other test has searched, so deeply.
      const { id } = await make(server, ['g2g4', 'g7g5'], { hold: true, limit: { depth: 19 } });
      const page = await visit(`#/review/${id}/a2a3,h7h6,a3a4`);
      const graph = page.getByTestId('game-graph');
      await graph.waitFor();
      const look = () =>
        graph.evaluate(g => ({
          back: getComputedStyle(g).backgroundColor,
          blacks: [...g.querySelectorAll('.blacks')].map(r => [getComputedStyle(r).fill, r.getBBox().width]),
        }));
      const before = await look();
      assert.deepEqual(before.blacks, []);
      const counts = page.getByTestId('accuracy').locator('td');
      assert.deepEqual([...new Set(await counts.allInnerTexts())], ['–']);
      await api(server).patch(`/analyses/${id}`, { hold: false });
      await page.reload(); // it asks for what is missing
      await page.getByTestId('accuracy').locator('td').getByText('%').first().waitFor();
      await page.getByTestId('review-progress').waitFor({ state: 'detached' });
      const after = await look();
      assert.equal(after.blacks.length, 1);
      assert.equal(after.blacks[0][1], 600, 'the whole game');
      assert.notEqual(after.blacks[0][0], before.back, 'unsearched is not the colour of Black');
    },
    { allow: /409/ },
  ],
};
