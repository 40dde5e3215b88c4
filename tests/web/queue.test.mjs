// The queue: order, pausing, deleting with undo, settings.
import { analysis, api, assert, lineOf, make, rows, settled, until } from './helpers.mjs';

const order = page =>
  page.getByTestId('analysis').evaluateAll(list => list.map(row => Number(row.dataset.id)));

export const tests = {
  'queue, head and table name one best move with one value; the head says how it was decided, in a sentence':
    async ({ server, visit }) => {
      const { id } = await make(server, ['a2a4'], {
        strategy: { kind: 'anchored', move_distance: 10, refine: 1 },
      });
      await settled(server, id);
      const { best } = await analysis(server, id);
      assert.ok(best.court.length >= 2 && best.court.some(m => m.uci === best.uci));
      // Whether the tree has another move is the engine's business; here it has.
      const other = best.court.find(m => m.uci !== best.uci);
      const page = await visit('#/', {
        before: page =>
          page.route(/\/api\/v1\/analyses(\/\d+)?(\?.*)?$/, async route => {
            if (route.request().method() !== 'GET') return route.continue();
            const response = await route.fetch();
            const json = await response.json();
            for (const a of json.analyses ?? [json]) if (a.id === id && a.best) a.best.tree = other;
            return route.fulfill({ response, json });
          }),
      });
      const row = page.locator(`[data-testid=analysis][data-id="${id}"]`);
      await row.locator('.best .san').getByText(best.san, { exact: true }).waitFor();
      const shown = (await row.locator('.best .score').first().innerText()).trim();
      await page.goto(page.url().replace(/#.*/, `#/analysis/${id}`));
      const answer = page.getByTestId('answer');
      await answer.getByText(`1… ${best.san}`).waitFor();
      assert.equal((await answer.locator('.score').innerText()).trim(), shown);
      const first = rows(page).first();
      assert.equal(await first.getAttribute('data-uci'), best.uci);
      assert.equal((await first.locator('.c-alpha .score').innerText()).trim(), shown);
      const court = page.getByTestId('court');
      assert.equal(
        await court.innerText(),
        `${best.court.map(m => m.san).join(', ')} were searched together; the tree alone has ${other.san}`,
      );
      assert.equal(await page.getByTestId('value-alpha').count(), 0);
      assert.equal(await page.getByTestId('value-engine').count(), 0);
      await page.keyboard.press('Enter'); // the best move
      await until('it is followed', async () => (await lineOf(page)).join() === best.uci);
      await until('elsewhere there was no court', async () => (await court.count()) === 0);
      await page.getByTestId('value-alpha').waitFor();
    },

  'the order is dragged, kept by the server, and moved by keys too': async ({ server, visit }) => {
    for (let i = 0; i < 3; i++) await make(server, ['e2e4', 'd7d5'], { hold: true });
    const page = await visit('#/');
    await page.getByTestId('analysis').nth(2).waitFor();
    const before = await order(page);
    const last = before.length - 1;
    const handle = page
      .getByTestId('analysis')
      .nth(last)
      .getByRole('button', { name: /^Move / });
    await handle.scrollIntoViewIfNeeded();
    const box = await handle.boundingBox();
    await page.mouse.move(box.x + 8, box.y + 10);
    await page.mouse.down();
    await page.mouse.move(box.x + 8, box.y - 60, { steps: 4 });
    await page.mouse.move(box.x + 8, box.y - 80, { steps: 4 });
    await page.mouse.up();
    const wanted = [...before.slice(0, last - 1), before[last], before[last - 1]];
    await until('the rows have changed places', async () => (await order(page)).join() === wanted.join());
    const server_ = async () => (await api(server).get('/analyses')).analyses.map(a => a.id).join();
    await until('the server has the order', async () => (await server_()) === wanted.join());
    await page
      .getByTestId('analysis')
      .nth(last)
      .getByRole('button', { name: /^Move / })
      .press('ArrowUp');
    await until('back by key', async () => (await server_()) === before.join());
    await until('the page agrees', async () => (await order(page)).join() === before.join());
    const menu = async (row, item) => {
      await page
        .getByTestId('analysis')
        .nth(row)
        .getByRole('button', { name: /Actions/ })
        .click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    await menu(0, 'Move down');
    const down = [before[1], before[0], ...before.slice(2)].join();
    await until('down by the menu', async () => (await server_()) === down);
    await until('the page agrees', async () => (await order(page)).join() === down);
    await menu(1, 'Move up');
    await until('up by the menu', async () => (await server_()) === before.join());
    await page.reload();
    await until('after a reload', async () => (await order(page)).join() === before.join());
  },

  'an analysis in the queue: paused, resumed, its settings, tags and game, duplicated, deleted and brought back; a filter that finds nothing':
    async ({ server, visit }) => {
      const { id, name } = await make(server, ['d2d4', 'g8f6'], {
        limit: { nodes: 5000 },
        strategy: { kind: 'halving', move_distance: 30, refine: 0 },
      });
      const now = () => analysis(server, id);
      const page = await visit('#/');
      const row = page.locator(`[data-testid=analysis][data-id="${id}"]`);
      const dialog = page.getByRole('dialog');
      const menu = async item => {
        await row.getByRole('button', { name: /Actions/ }).click();
        await page.getByRole('menuitem', { name: item }).click();
      };
      const save = () => dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByTestId('process').first().waitFor();
      await page.getByRole('button', { name: `Pause ${name}` }).click();
      await until('paused', async () => (await now()).state === 'paused');
      await page.getByRole('button', { name: `Resume ${name}` }).click();
      await until('resumed', async () => !(await now()).hold);
      await page.getByRole('button', { name: `Pause ${name}` }).click();
      await until('paused again', async () => (await now()).hold);

      await menu('Settings…');
      await dialog.getByLabel('Strategy').waitFor();
      await dialog.getByLabel('Name', { exact: true }).fill(`${name} renamed`);
      // Each field below its name, whole.
      for (const name of ['Until', 'Priority']) {
        const [label, input] = [dialog.getByText(name, { exact: true }), dialog.getByLabel(name)];
        const [above, below] = [await label.boundingBox(), await input.boundingBox()];
        assert.ok(Math.abs(above.x - below.x) < 3 && below.y - above.y < 30, name);
      }
      assert.ok(await dialog.getByLabel('Until').evaluate(e => e.clientWidth >= 190), 'a date and its hour');
      await dialog.getByLabel('Priority').fill('999');
      await save();
      await dialog.locator('#settings-priority-error').waitFor();
      await dialog.getByLabel('Only at these hours').check();
      await dialog.getByLabel('From', { exact: true }).fill('25:00');
      await save();
      await dialog.getByText('Times are written like 22:00.').waitFor();
      await dialog.getByLabel('Priority').fill('7');
      await dialog.getByLabel('From', { exact: true }).fill('22:00');
      await dialog.getByLabel('Positions').fill('500');
      await dialog.getByLabel('Engine nodes').fill('2500000');
      await save();
      await dialog.waitFor({ state: 'hidden' });
      const a = await now();
      assert.equal(a.name, `${name} renamed`);
      assert.equal(a.window, '22:00-07:00');
      assert.deepEqual(a.budget, { positions: 500, nodes: 2_500_000 });
      assert.equal(a.priority, 7);
      assert.equal(a.strategy.kind, 'halving');
      await row.getByText(`${name} renamed`).waitFor();

      await menu('Tags and game…');
      await dialog.getByLabel('Tags').fill('club');
      await dialog.getByLabel('Opponent').fill('Timman');
      await dialog.getByLabel('Move by').fill('2031-02-03');
      await save();
      await dialog.waitFor({ state: 'detached' });
      const { tags, game } = await now();
      assert.deepEqual([tags, game], [['club'], { opponent: 'Timman', move_by: '2031-02-03' }]);
      await row.getByText(/move by 3 Feb 2031 \(in \d+ days\)/).waitFor();
      await row.getByRole('button', { name: 'club' }).click();
      await page.getByTestId('shown').getByText(/^1 of/).waitFor();
      await row.getByRole('button', { name: 'club' }).click();
      await page.getByLabel('Search the queue').fill('nothing has this');
      await page.getByText('No analysis has “nothing has this”.').waitFor();
      await page.getByLabel('State', { exact: true }).selectOption('failed');
      await page.getByText('No analysis has “nothing has this” and the state failed.').waitFor();
      await page.getByRole('button', { name: 'Show all' }).click();
      await row.waitFor();
      await page.goto(`${server.url}/#/analysis/${id}`);
      const labels = page.getByTestId('labels');
      await labels.getByText(/against Timman · move by 3 Feb 2031.* · club/).waitFor();
      await labels.click();
      await dialog.getByLabel('Move by').fill('');
      await save();
      await labels.getByText('against Timman · club', { exact: true }).waitFor();

      await page.goto(`${server.url}/#/`);
      await menu('Duplicate…');
      const copy = `${name} renamed (copy)`;
      const field = page.getByLabel('Name', { exact: true });
      await until('the fields are filled', async () => (await field.inputValue()) === copy);
      assert.equal(await page.getByLabel('Nodes', { exact: true }).inputValue(), '5000');
      assert.match(await page.getByTestId('board').getAttribute('data-fen'), /rnbqkb1r\/pppppppp\/5n2/);

      await page.goto(`${server.url}/#/`);
      await menu('Delete');
      await row.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Undo' }).click();
      await row.waitFor();
      assert.equal((await now()).id, id);
      await menu('Delete');
      await row.waitFor({ state: 'detached' });
      const { get } = api(server);
      await until('gone', async () => !(await get('/analyses')).analyses.some(a => a.id === id));
    },

  'a long queue draws only what is in sight': async ({ server, visit }) => {
    const names = [];
    for (let i = 0; i < 120; i++) names.push((await make(server, [], { hold: true })).name);
    const page = await visit('#/');
    const drawn = page.getByTestId('analysis');
    await drawn.first().waitFor();
    assert.ok((await drawn.count()) < 60, `${await drawn.count()} rows`);
    assert.equal(await page.getByText(names[119], { exact: true }).count(), 0);
    await until('the last one comes into sight', async () => {
      await page.mouse.wheel(0, 2000);
      return page.getByText(names[119], { exact: true }).isVisible();
    });
    assert.ok((await drawn.count()) < 60);
    const height = await page.evaluate(() => document.querySelector('.rows').clientHeight);
    assert.equal(height, 120 * (await drawn.first().evaluate(row => row.offsetHeight)));
  },

  'a queue with tags: filtered, sorted, selected by keys, tagged and deleted with one question': async ({
    server,
    visit,
  }) => {
    const made = [];
    for (const moves of [['e2e4'], ['d2d4'], ['c2c4'], ['g1f3']])
      made.push(await make(server, moves, { hold: true }));
    const [a, b, c, d] = made;
    const late = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10);
    const soon = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10);
    await api(server).patch(`/analyses/${a.id}`, { game: { move_by: soon, opponent: 'Timman' } });
    await api(server).patch(`/analyses/${c.id}`, { game: { move_by: late } });
    const page = await visit('#/');
    const mine = async () => (await order(page)).filter(id => made.some(m => m.id === id));
    const row = id => page.locator(`[data-testid=analysis][data-id="${id}"]`);
    await row(d.id).waitFor();
    await row(a.id)
      .getByText(/move by \d+ \w+.* \(in (9|10|11) days\)/)
      .waitFor();
    await row(a.id).getByText('against Timman').waitFor();
    assert.match(await row(c.id).getByTestId('move-by').innerText(), /days late/);
    await page.getByLabel('Sorted by').selectOption('move_by');
    await until('by date', async () => (await mine()).join() === [c.id, a.id, b.id, d.id].join());
    assert.equal(await page.getByRole('button', { name: /^Move / }).count(), 0);
    await page.reload(); // it is remembered
    await until('still by date', async () => (await mine()).join() === [c.id, a.id, b.id, d.id].join());

    await page.getByRole('button', { name: 'Select', exact: true }).press('Enter');
    const bar = page.getByRole('toolbar', { name: 'Selected analyses' });
    await bar.waitFor();
    for (const id of [a.id, c.id]) await row(id).getByRole('checkbox').press('Space');
    await bar.getByText(/^2 of/).waitFor();
    await bar.getByRole('button', { name: 'Tags…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('All of them get').fill('postal, late');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.deepEqual((await analysis(server, c.id)).tags, ['postal', 'late']);
    await page.getByLabel('Tag', { exact: true }).selectOption('late');
    await until('two are left', async () => (await order(page)).join() === [c.id, a.id].join());
    await bar.getByRole('button', { name: 'Priority…' }).click();
    await page.getByRole('menuitem', { name: 'Raise by 1' }).click();
    await until('priority', async () => (await analysis(server, a.id)).priority === 1);
    await bar.getByRole('button', { name: 'Resume' }).click();
    await until('resumed', async () => !(await analysis(server, a.id)).hold);
    await bar.getByRole('button', { name: 'Pause' }).click();
    await until('paused', async () => (await analysis(server, a.id)).hold);
    await bar.getByRole('button', { name: 'Delete…' }).click();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await bar.getByRole('button', { name: 'Delete…' }).click();
    await dialog.getByRole('button', { name: 'Delete 2 analyses' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { analyses } = await api(server).get('/analyses');
    assert.deepEqual(
      made.map(m => analyses.some(x => x.id === m.id)),
      [false, true, false, true],
    );
  },
};
