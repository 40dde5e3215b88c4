// What changed since the last visit stands as marks in the table and in the picture, until it is seen.
import { assert, make, quiet, rows, until, untilMoves } from './helpers.mjs';
import { api } from './helpers.mjs';

export const tests = {
  'a note is corrected, deleted, and brought back': async ({ server, visit }) => {
    const { id } = await make(server, ['e2e4', 'd7d5'], { hold: true });
    const order = { moves: [], action: 'note', text: 'first thougt' };
    await api(server).post(`/analyses/${id}/directives`, order);
    const page = await visit(`#/analysis/${id}`);
    const notes = page.getByTestId('note');
    await notes.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Note', { exact: true }).fill('first thought');
    await page.getByRole('button', { name: 'Save the note' }).click();
    await until('corrected', async () => {
      const all = (await api(server).get(`/analyses/${id}/node`)).notes.map(n => n.text);
      return all.join() === 'first thought';
    });
    await notes.filter({ hasText: 'first thought' }).waitFor();
    await notes.getByRole('button', { name: 'Delete' }).click();
    await notes.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await notes.filter({ hasText: 'first thought' }).waitFor();
  },

  'two moves, and two moments, stand side by side': async ({ server, visit }) => {
    const { id } = await make(server, ['e2e4', 'c7c6'], {
      strategy: { kind: 'halving', move_distance: 20, refine: 3 },
    });
    await until('two depths', async () => (await api(server).get(`/analyses/${id}`)).settled >= 2);
    await quiet(server, id);
    const { moves } = await untilMoves(server, id, 2);
    const page = await visit(`#/analysis/${id}?tab=time`);
    // What comes above it moves it, also between the press and the release of a click.
    await page.getByTestId('changes').getByText('new evaluations').waitFor();
    await page.getByTestId('disagreements').getByRole('row').nth(1).waitFor();
    const compare = page.getByTestId('compare');
    await compare.getByRole('combobox', { name: 'Second move' }).selectOption(moves[1].uci);
    await compare.locator('cg-board').nth(1).waitFor();
    assert.equal(await compare.locator('cg-board').count(), 2);
    assert.match(await compare.innerText(), new RegExp(`line\\s+2\\. ${moves[1].san.replace('+', '\\+')}`));
    await compare.getByRole('button', { name: 'Two moments' }).click();
    const { snapshots } = await api(server).get(`/analyses/${id}/history`);
    await compare.getByRole('combobox', { name: 'First moment' }).selectOption('0');
    const table = compare.getByRole('table', { name: 'Two moments' });
    const uci = snapshots.at(-1).moves[0];
    const row = table.locator('tbody tr').filter({ hasText: uci.san }).first();
    const before = snapshots[0].moves.find(m => m.uci === uci.uci);
    const shown = await row.innerText();
    if (before) assert.match(shown, /\d\.\d\d\s+.*\d\.\d\d/);
    else assert.match(shown, /new/);
  },

  'changes since the last visit are marked in the table and in the picture, until they are seen': async ({
    server,
    visit,
  }) => {
    // Of no other test: what is known before the visit is no news.
    const { id } = await make(server, ['b1c3', 'a7a5'], {
      strategy: { kind: 'halving', move_distance: 20, refine: 1 },
    });
    await until('settled', async () => (await api(server).get(`/analyses/${id}`)).settled >= 1);
    const first = await visit(`#/analysis/${id}`);
    await rows(first).first().waitFor();
    assert.equal(await first.getByTestId('news').count(), 0, 'nothing to tell at the first visit');
    await first.goto(`${server.url}/#/`);
    await first.getByTestId('analysis').first().waitFor();
    await api(server).patch(`/analyses/${id}`, {
      strategy: { kind: 'halving', move_distance: 20, refine: 3 },
    });
    await until('grown', async () => (await api(server).get(`/analyses/${id}`)).settled >= 2);
    await untilMoves(server, id, 3);
    await quiet(server, id);
    await first.close();
    const page = await visit(`#/analysis/${id}`, { context: first.context() });
    await page.getByTestId('news').waitFor();
    const marks = page.locator('.moves .news-mark');
    assert.ok((await marks.count()) > 0);
    assert.match(await marks.first().getAttribute('aria-label'), /your last visit/);
    await page.keyboard.press('2');
    await until('marked in the picture', async () =>
      Number(await page.getByTestId('picture').getAttribute('data-marked')),
    );
    await page.keyboard.press('1');
    await page.getByTestId('news').getByRole('button', { name: 'Seen' }).click();
    await page.getByTestId('news').waitFor({ state: 'detached' });
    assert.equal(await marks.count(), 0);
  },
};
