// Files: what people bring, a game walked on the board, changed there, and taken back.
import { api, assert, clickSquares, draw, lineOf, make, until } from './helpers.mjs';

const games = `[Event "Club"]
[White "Ann"]
[Black "Bob"]
[Result "1-0"]

1. e4 e5 2. Nf3 {mine} Nc6 (2... d6 3. d4! {Philidor} (3. Bc4)) 3. Bb5 a6 1-0

[White "Cid"]

1. d4 d5 2. c4 *
`;

const pgnOf = async (server, id, file) =>
  (await fetch(`${server.url}/api/v1/analyses/${id}/files/${file}`)).text();
const bring = (server, id, name = 'mine.pgn', pgn = games) =>
  api(server).post(`/analyses/${id}/files`, { name, pgn });
const move = (page, name) => page.getByTestId('game-moves').getByRole('button', { name, exact: true });
const openFirst = async page => {
  await page.getByTestId('file-game').first().click();
  await page.getByTestId('game-moves').waitFor();
};
const chosen = page => page.getByTestId('game-moves').locator('[aria-current]');

export const tests = {
  'files are brought, named, deleted and brought back; what had to be mended is told': async ({
    server,
    visit,
  }) => {
    const { id } = await make(server, ['e2e4', 'e7e5'], { hold: true });
    const page = await visit(`#/analysis/${id}?tab=files`);
    await page.getByRole('button', { name: 'Paste a game…' }).click();
    await page.getByLabel('Games as PGN').fill('1. e4 e5 2. Nf3 Qh7 3. d4 *');
    await page.getByRole('button', { name: 'Keep the games' }).click();
    await page
      .getByTestId('told')
      .getByText(/^game 1, line 1.*Qh7/)
      .waitFor();
    await page
      .locator('.file-list input[type=file]')
      .setInputFiles({ name: 'mine.pgn', mimeType: 'text/plain', buffer: Buffer.from(games) });
    const file = page.getByTestId('file').filter({ hasText: 'mine.pgn' });
    await file.getByText('Ann – Bob').waitFor();
    assert.match(
      await file.getByTestId('file-game').first().innerText(),
      /3 moves, 2 variations, 2 comments/,
    );
    await file.getByRole('button', { name: 'Actions for mine.pgn' }).click();
    await page.getByRole('menuitem', { name: 'Rename…' }).click();
    await page.getByLabel('Name of the file').fill('Chapter 1');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Actions for Chapter 1' }).click();
    const coming = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Download as PGN' }).click();
    assert.equal((await coming).suggestedFilename(), 'Chapter 1.pgn');
    await page.getByRole('button', { name: 'Actions for Chapter 1' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await until('gone', async () => (await page.getByTestId('file').count()) === 1);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('heading', { name: 'Chapter 1' }).waitFor();
  },

  'a game of a file is walked and changed on the board, and taken back; what others change is not overwritten':
    [
      async ({ server, visit }) => {
        const { id } = await make(server, ['e2e4', 'e7e5'], { hold: true });
        const { id: file } = await bring(server, id);
        const page = await visit(`#/analysis/${id}?tab=files`);
        await openFirst(page);
        assert.equal(await chosen(page).innerText(), 'e5', 'the root is chosen');
        await move(page, 'd6').click();
        await until('the board is there', async () => (await lineOf(page)).join() === 'g1f3,d7d6');
        await page.keyboard.press('ArrowLeft');
        await until('chosen by walking', async () => (await chosen(page).innerText()) === 'Nf3');
        await move(page, 'e4').click(); // before the root
        await page.locator('.game-tag').waitFor();
        await move(page, 'Nf3').click();
        await page.getByRole('button', { name: 'Edit', exact: true }).click();
        const has = text =>
          until(text, async () => (await pgnOf(server, id, file)).replace(/\s+/g, ' ').includes(text), 20);
        await page.getByRole('button', { name: '!! brilliant' }).click();
        await has('2. Nf3!! {mine}');
        await page.getByLabel('After Nf3').fill('mine, and known');
        assert.equal(await page.getByLabel('Before Nf3').count(), 0, 'that is behind e5');
        await move(page, 'd6').click(); // what was written is sent
        await has('2. Nf3!! {mine, and known}');
        await page.getByLabel('Before d6').fill('now');
        await move(page, 'Nf3!!').click();
        await has('({now} 2... d6');
        await draw(page, 'f1', 'b5');
        await has('[%cal Gf1b5]');
        assert.deepEqual(
          (await api(server).get(`/analyses/${id}/notes`)).notes
            .map(n => n.text)
            .filter(t => t.includes('Gf1b5')),
          [],
        );
        await clickSquares(page, 'g8', 'f6');
        await has('(2... Nf6)');
        await until('the new move is chosen', async () => (await chosen(page).innerText()) === 'Nf6');
        await page.getByRole('button', { name: 'Make main line' }).click();
        await has('2... Nf6 ({now}');
        const undo = page.locator('.game').getByRole('button', { name: 'Undo', exact: true });
        await undo.click();
        await has('(2... Nf6)');
        await page.getByRole('button', { name: 'Delete from here' }).click();
        await until('the board goes back', async () => (await lineOf(page)).join() === 'g1f3');
        await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
        await has('(2... Nf6)');
        const glyph = { game: 1, path: '0', action: 'nag', nag: 5 }; // somebody else's
        await move(page, 'e5').click();
        await page.getByLabel('After e5').waitFor();
        await api(server).post(`/analyses/${id}/files/${file}/edits`, glyph);
        await page.getByRole('button', { name: '? mistake' }).click();
        await page.getByText(/Not changed: somebody else .*You see it as it is now/).waitFor();
        await move(page, 'e4!?').waitFor();
        await page.getByRole('button', { name: '? mistake' }).click();
        await move(page, 'e5?').waitFor();
        await page.getByRole('button', { name: 'Done' }).click();
        await page.getByRole('button', { name: 'All files' }).click();
        await page.getByTestId('file').getByText('3 variations').waitFor();
      },
      { allow: /409/ },
    ],
};
