// What changed since the last visit stands as marks in the table and in the picture, until it is seen.
import { api, assert, lineOf, make, quiet, rows, settledTo, until, untilMoves } from './helpers.mjs';

export const tests = {
  'over time: charts, a time before the beginning; two moves, and two moments, stand side by side': async ({
    server,
    visit,
  }) => {
    const { id } = await make(server, ['e2e4', 'c7c6'], {
      strategy: { kind: 'halving', move_distance: 20, refine: 3 },
    });
    await settledTo(server, id, 3); // the last one: it has disagreements, however quick the engine was
    const { moves } = await untilMoves(server, id, 2);
    const page = await visit(`#/analysis/${id}?tab=time`);
    await page.locator('.chart.evaluations canvas').waitFor();
    const newest = page.locator('.chart.scores .u-legend .u-series').nth(1).locator('.u-value');
    const told = () => until('the newest score is told', async () => /\d/.test(await newest.innerText()));
    await told();
    await page.locator('.chart.scores .u-over').hover();
    await page.getByRole('heading', { level: 1 }).hover();
    await told();
    await page.getByText('The tree had not begun then: everything is new.').waitFor();
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
    await settledTo(server, id, 1);
    const first = await visit(`#/analysis/${id}`);
    await rows(first).first().waitFor();
    assert.equal(await first.getByTestId('news').count(), 0, 'nothing to tell at the first visit');
    await first.goto(`${server.url}/#/`);
    await first.getByTestId('analysis').first().waitFor();
    await api(server).patch(`/analyses/${id}`, {
      strategy: { kind: 'halving', move_distance: 20, refine: 3 },
    });
    await settledTo(server, id, 2);
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

    // All of it is told over time, each a link.
    await page.getByRole('tab', { name: 'Over time' }).click();
    const changes = page.getByTestId('changes');
    await changes.getByText(/just now|min ago/).waitFor();
    assert.equal(await changes.getByLabel('Since').inputValue(), 'visit');
    assert.match(await changes.innerText(), /Best move[^]*Root score/);
    await changes.locator('.card a').last().click();
    await until('the best move is a link', async () => (await lineOf(page)).length === 1);
  },
};
