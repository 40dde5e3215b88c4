// A game is reviewed in the page: from a file, or pasted; the moments, the tree behind them, the game to take away.
import { readFile } from 'node:fs/promises';
import { clean } from './axe.mjs';
import { api, assert, boardFen, lineOf, until } from './helpers.mjs';
import { holdsStill } from './still.mjs';

const games = `[Event "Club evening"]
[White "Ada"]
[Black "Ben"]
[Date "2026.05.04"]
[Result "0-1"]

1. f3 e5 2. g4 Qh4# 0-1

[Event "Open"]
[White "Cleo"]
[Black "Dan"]
[Date "2025.01.02"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. Bc4 Bg4 4. Nc3 g6 5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0
`;

const file = { name: 'games.pgn', mimeType: 'text/plain', buffer: Buffer.from(games) };

// The test's engine finds no blunders: its answer gets one.
async function withBlunder(route) {
  const response = await route.fetch();
  if (!/json/.test(response.headers()['content-type'])) return route.fulfill({ response });
  const body = await response.json();
  if (response.ok() && body.moves[9].score)
    Object.assign(body.moves[9], { judgement: 'blunder', loss: 0.5, best: { cp: -100 }, score: { cp: 300 } });
  return route.fulfill({ response, json: body });
}

// What the page makes is not ours by its name.
async function forget(server) {
  const { analyses } = await api(server).get('/analyses');
  for (const a of analyses) if (a.name === 'Reviewed games') await api(server).del(`/analyses/${a.id}`);
}

export const tests = {
  'a game of a file is reviewed, looked at, deepened, and taken away as PGN': [
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
      await page.route(/\/review\?/, withBlunder);
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

      const deepened = page.waitForRequest(r => r.method() === 'POST' && r.url().endsWith('/directives'));
      await page.getByRole('button', { name: 'Search it deeper' }).click();
      assert.equal((await deepened).postDataJSON().action, 'deepen');

      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download PGN' }).click();
      const download = await saved;
      assert.equal(download.suggestedFilename(), 'cleo-dan-2025.01.02-review.pgn');
      const pgn = await readFile(await download.path(), 'utf8');
      for (const part of ['[White "Cleo"]', '[Black "Dan"]', '[Event "Open"]', '[Result "1-0"]', '[%eval '])
        assert.ok(pgn.includes(part), `${part} in ${pgn}`);
      assert.match(pgn.trim(), /1-0$/);

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
      await page.getByRole('heading', { level: 1, name: 'Cleo – Dan' }).waitFor(); // its names are kept here
      await forget(server);
    },
    { real: true },
  ],

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
        await page.getByRole('link', { name: 'Another game' }).click();
      }
      const { analyses } = await api(server).get('/analyses');
      assert.equal(analyses.filter(a => a.name === 'Reviewed games').length, 1);
      const listed = page.getByRole('region', { name: 'Reviewed before' }).getByRole('link');
      await until('both are listed', async () => (await listed.count()) === 2);
      await forget(server);
    },
    { real: true, allow: /status of 400/ },
  ],

  'the curve of a game is a slider: by finger and by keys': [
    async ({ server, visit }) => {
      const page = await visit('#/review', {
        viewport: { width: 390, height: 844 },
        hasTouch: true,
        isMobile: true,
      });
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
      await clean(page, 'review');
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= 390, `${wide}`);
      await forget(server);
    },
    { real: true },
  ],

  'a review shows the clocks of the game': [
    async ({ server, visit }) => {
      const page = await visit('#/review');
      await page
        .getByLabel('Paste a game (PGN)')
        .fill('[White "Ada"]\n\n1. e4 {[%clk 0:59:10]} e5 {[%clk 0:58:20]} 2. Nf3 {[%clk 0:57:30]} *');
      await page.getByTestId('review-start').click();
      await page.getByTestId('game-graph').waitFor();
      await page.keyboard.press('End');
      await page.getByTestId('clock-White').getByText('0:57:30').waitFor();
      await page.keyboard.press('ArrowLeft');
      await page.getByTestId('clock-White').getByText('0:59:10').waitFor();
      await page.getByTestId('clock-Black').getByText('0:58:20').waitFor();
      await forget(server);
    },
    { real: true },
  ],
};
