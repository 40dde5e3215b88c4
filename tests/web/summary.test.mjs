// What changed in all analyses: since when, what, where it is, and what was seen.
import { api, assert, lineOf, make, settled, until, untilMoves } from './helpers.mjs';
import { clean } from './axe.mjs';

const changed = (page, id) => page.locator(`[data-testid=changed-entry][data-id="${id}"]`);

// A game that leaves the file before it with 3. Bc4.
async function bringGames(server, id) {
  const bring = pgn => api(server).post(`/analyses/${id}/files`, { name: 'mine.pgn', pgn });
  await bring('1. e4 e5 2. Nf3 Nc6 (2... d6 3. d4) 3. Bb5 *');
  await bring('[White "Karla"]\n[Black "Emil"]\n\n1. e4 e5 2. Nf3 d6 3. Bc4 Be7 *');
}

export const tests = {
  'an entry says what changed, leads to its place, and is searched by one press': async ({
    server,
    visit,
  }) => {
    const { id, name } = await make(server, ['e2e4', 'e7e5'], { strategy: { kind: 'halving', refine: 1 } });
    await untilMoves(server, id);
    await bringGames(server, id);
    const page = await visit('#/summary');
    const left = page
      .getByTestId('changed-entry')
      .filter({ hasText: 'Karla – Emil leaves your files with 3.Bc4; they have 3.d4' });
    await left.getByRole('link', { name }).waitFor();
    assert.equal(await left.getAttribute('data-kind'), 'left');
    await clean(page, 'an entry');
    const search = left.getByRole('button', { name: 'Search this' });
    assert.match(await search.getAttribute('title'), /go two plies deeper after Bc4$/);
    await search.click();
    await left.getByRole('button', { name: 'Asked' }).waitFor();
    await until('the directive', async () => {
      const { directives } = await api(server).get(`/analyses/${id}/directives`);
      return directives.some(
        ({ action, line }) => action === 'deepen' && line.map(s => s.san).join(' ') === 'Nf3 d6 Bc4',
      );
    });
    await left.getByRole('link', { name }).click();
    await until('at its place', async () => page.url().includes(`/analysis/${id}`));
    assert.deepEqual(await lineOf(page), ['g1f3', 'd7d6', 'f1c4']);
  },

  'what changed is reached from the queue, leads to its place, and is seen once': async ({
    server,
    visit,
  }) => {
    const { id, name } = await make(server, ['e2e4'], { strategy: { kind: 'halving', refine: 2 } });
    await settled(server, id);
    const page = await visit('#/');
    await page.getByRole('link', { name: 'What changed' }).click();
    const mine = changed(page, id).filter({ hasText: 'Settled to depth 2.' });
    await mine.waitFor();
    assert.equal(await mine.getByRole('button', { name: 'Search this' }).count(), 0);
    assert.match(await page.getByTestId('changed').innerText(), /^\d+ changes? since \d{4}-/);
    await mine.getByRole('link', { name }).click();
    await until('at its place', async () => page.url().includes(`/analysis/${id}`));
    assert.deepEqual(await lineOf(page), []);

    await page.keyboard.press('g');
    await page.keyboard.press('c');
    await mine.waitFor();
    await page.getByRole('button', { name: 'Mark as seen' }).click();
    await mine.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByText(/^\d+ changes? since/).waitFor();
    assert.equal(await mine.count(), 0, 'this browser remembers');
    await page.getByRole('button', { name: 'Yesterday evening' }).click();
    await mine.waitFor();
    await page.getByRole('button', { name: 'A time' }).click();
    await page.getByLabel('Since when').fill('2001-01-01T00:00');
    await page.getByText(/since 2001-01-01 00:00/).waitFor();
    await mine.waitFor();
    await clean(page, 'what changed');
  },
};
