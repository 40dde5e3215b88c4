// What the tree view tells about moves and lines: previews, transpositions, repetitions, who proposed
// what, values of endgame tables, disagreements.
import {
  api,
  assert,
  boardFen,
  direct,
  drawn,
  lineOf,
  make,
  node,
  quiet,
  rows,
  until,
  untilMoves,
} from './helpers.mjs';

export const tests = {
  'the engine’s line stands beside each move where there is room, else below it': async ({
    server,
    visit,
  }) => {
    const { id } = await make(server, ['e2e4', 'e7e6']);
    await untilMoves(server, id, 2);
    await quiet(server, id);
    const { evaluations } = await api(server).get(`/analyses/${id}/evaluations`);
    const [first, second] = evaluations.find(e => e.pv.length > 1).pv;
    const page = await visit(`#/analysis/${id}`, { viewport: { width: 1920, height: 1080 } });
    const row = rows(page).filter({ has: page.getByRole('link', { name: first, exact: true }) });
    await row.locator('.c-line').filter({ hasText: second }).waitFor();
    const { right } = await page.getByTestId('moves').evaluate(e => e.getBoundingClientRect());
    assert.ok(right > 1850, `the table ends at ${right}`);
    for (const width of [1280, 900]) {
      await page.setViewportSize({ width, height: 800 });
      const below = row.locator('.c-line').filter({ hasText: second });
      await until(`at ${width} it is below`, async () => {
        const [line, move] = [await below.boundingBox(), await row.locator('.san').boundingBox()];
        return line && line.y >= move.y + move.height - 4 && line.width > 250;
      });
      assert.match(await below.getAttribute('title'), new RegExp(second.replace(/[+#]/g, '.')));
    }
    await page.setViewportSize({ width: 390, height: 844 });
    await row.locator('.c-line').waitFor({ state: 'hidden' });
  },

  'pointing at the expected line shows it on a small board, and the board stays; after a click nothing is shown until the pointer moves':
    async ({ server, visit }) => {
      const { id } = await make(server, ['d2d4', 'g8f6'], {
        strategy: { kind: 'halving', move_distance: 0, refine: 7 },
      });
      const long = async () => (await node(server, id)).pv.alpha.length > 6;
      await until('a long line that stays', async () => {
        if (!(await long())) return false;
        await quiet(server, id);
        if (await long()) return true;
        await api(server).patch(`/analyses/${id}`, { hold: false }); // what was on its way has changed it
        return false;
      });
      const page = await visit(`#/analysis/${id}`, { viewport: { width: 1440, height: 900 } });
      const steps = page.getByTestId('best-line').locator('.pv-step a');
      const elsewhere = page.getByRole('heading', { level: 1 });
      await steps.nth(2).waitFor();
      const before = await boardFen(page);
      await elsewhere.hover(); // a pointer has to be somewhere before it moves
      await steps.nth(2).hover();
      const preview = page.getByTestId('small-board');
      await preview.locator('piece').first().waitFor();
      const shown = await preview.getAttribute('data-fen');
      assert.notEqual(shown, before);
      assert.equal(await boardFen(page), before);
      assert.deepEqual(await lineOf(page), []);
      await elsewhere.hover();
      await preview.waitFor({ state: 'detached' });
      await steps.nth(2).focus(); // by keyboard likewise
      await until('previewed again', async () => (await preview.getAttribute('data-fen')) === shown);
      await page.keyboard.press('Enter');
      await until('gone there', async () => (await lineOf(page)).length === 3);
      await page.keyboard.press('Home');
      await until('back', async () => (await lineOf(page)).length === 0);
      await steps.nth(2).waitFor();
      await preview.waitFor({ state: 'detached' });

      // The second move of the line: the one that stands there once the first two are played is under the pointer, too.
      const { x, y, width, height } = await steps.nth(1).boundingBox();
      const [px, py] = [x + width / 2, y + height / 2];
      await page.mouse.move(px - 1, py);
      await page.mouse.move(px, py);
      await page.getByTestId('small-board').waitFor();
      await page.mouse.click(px, py);
      await until('we are there', async () => (await lineOf(page)).length === 2);
      const line = await lineOf(page);
      const { fen } = await node(server, id, line);
      const under = () =>
        page.evaluate(
          ([a, b]) => document.elementFromPoint(a, b)?.closest('.pv-step a')?.href ?? '',
          [px, py],
        );
      await until('another step is under the pointer', async () => (await under()).includes(line.join()));
      await until('the browser knows', () =>
        page.evaluate(([a, b]) => document.elementFromPoint(a, b).matches(':hover'), [px, py]),
      );
      await drawn(page);
      assert.equal(await page.getByTestId('small-board').count(), 0);
      assert.equal((await boardFen(page)).split(' ')[0], fen.split(' ')[0]);
      await page.mouse.move(px + 1, py);
      await page.getByTestId('small-board').waitFor();
    },

  'a transposition has a badge, and tells the other ways as links': async ({ server, visit }) => {
    const { id } = await make(server, ['h2h4', 'h7h5']);
    const line = ['b1c3', 'b8c6', 'g1f3'];
    for (const moves of [line, [...line].reverse()])
      for (let i = 1; i <= moves.length; i++) await direct(server, id, moves.slice(0, i), 'include');
    await direct(server, id, line, 'now');
    await until('two ways to one position', async () =>
      (await node(server, id, line.slice(0, 2))).moves.some(
        m => m.uci === line[2] && m.transposition && m.status === 'expanded',
      ),
    );
    const page = await visit(`#/analysis/${id}/${line.slice(0, -1).join()}`);
    await page
      .locator(`tr[data-uci=${line.at(-1)}]`)
      .getByRole('img', { name: 'also reached another way' })
      .waitFor();
    await page.locator(`tr[data-uci=${line.at(-1)}] a`).click();
    const other = page.getByTestId('parents').getByRole('link').first();
    await other.waitFor();
    const position = (await boardFen(page)).split(' ').slice(0, 4).join(' ');
    await other.click();
    await until('another line', async () => (await lineOf(page)).join() !== line.join());
    await rows(page).first().waitFor();
    assert.equal((await boardFen(page)).split(' ').slice(0, 4).join(' '), position);
  },

  'a move back into the line is marked as a repetition and worth 0.00; where it leads stood before, and says so':
    async ({ server, visit }) => {
      const { id } = await make(server, []);
      const line = ['g1f3', 'g8f6', 'f3g1', 'f6g8'];
      for (let i = 1; i <= line.length; i++) await direct(server, id, line.slice(0, i), 'include');
      await until('scored', async () =>
        (await node(server, id, line.slice(0, 3))).moves.some(m => m.uci === 'f6g8' && m.engine),
      );
      const page = await visit(`#/analysis/${id}/${line.slice(0, 3).join()}`);
      const row = page.locator('tr[data-uci=f6g8]');
      await row.locator('.status[data-status=repetition]').waitFor();
      assert.equal(await row.locator('.c-alpha').innerText(), '0.00');
      assert.match(await row.locator('.status').innerText(), /repeats/);
      await row.getByRole('img', { name: 'proposed by a person' }).waitFor();
      await row.getByRole('link').first().click();
      await page.getByTestId('best-line').getByText('stood here before').waitFor();
      assert.match(await page.getByTestId('answer').innerText(), /0\.00/);
      assert.equal(await page.getByTestId('include').count(), 0);
      assert.match(await page.getByTestId('value-idea').innerText(), /[+−]\d/);
    },

  'values of endgame tables are told as results, with their distance': async ({ server, visit }) => {
    const { id } = await make(server, ['e2e4', 'd7d5']);
    await untilMoves(server, id, 3);
    await quiet(server, id);
    const values = [
      { tb: 'win', dtz: 12 },
      { tb: 'cursed_win', dtz: 104 },
      { tb: 'loss', dtz: 7 },
    ];
    const { moves } = await node(server, id);
    const { uci, san } = moves[0];
    const [value] = values;
    // Tables are no part of the test's server: its answers get their values here.
    const page = await visit(`#/analysis/${id}`, {
      before: async page => {
        await page.route(/\/node(\?|$)/, async route => {
          const response = await route.fetch();
          const body = await response.json();
          for (const [i, value] of values.entries())
            Object.assign(body.moves[i], { alpha: value, idea: value, status: 'terminal' });
          Object.assign(body, { alpha: value, idea: value, pv: { alpha: [], idea: [] } });
          await route.fulfill({ response, json: body });
        });
        await page.route(new RegExp(`/analyses/${id}$`), async route => {
          const response = await route.fetch();
          const json = { ...(await response.json()), best: { uci, san, alpha: value, idea: value } };
          await route.fulfill({ response, json });
        });
      },
    });
    await rows(page).nth(2).waitFor();
    await page.getByTestId('answer').getByText('TB').waitFor();
    const alphas = await page.locator('.c-alpha .score').allInnerTexts();
    assert.deepEqual(
      alphas.slice(0, 3).map(t => t.replace(/\s+/g, ' ')),
      ['TB 1-0', 'TB ½', 'TB 0-1'],
    );
    assert.match(await page.locator('.c-alpha .score').nth(1).getAttribute('title'), /50-move rule/);
    assert.equal(await rows(page).first().locator('.status').innerText(), 'in tables');
    assert.match(
      await page.getByTestId('best-line').innerText(),
      /tablebase win for White, distance to zeroing 12/,
    );
  },

  'disagreements are those of the whole tree, then of the branch, each a link': async ({ server, visit }) => {
    const { id } = await make(server, ['e2e4', 'e7e5'], {
      strategy: { kind: 'halving', move_distance: 40, refine: 4 },
    });
    const found = async line =>
      (await api(server).get(`/analyses/${id}/disagreements${line.length ? `?moves=${line}` : ''}`))
        .disagreements;
    // The page shows the first twelve.
    const deeper = async () => (await found([])).slice(0, 12).find(d => d.line.length > 1);
    await until('one of them is deeper than the root', deeper);
    await quiet(server, id);
    const deep = await until('and stays', deeper);
    const page = await visit(`#/analysis/${id}?tab=time`);
    const list = page.getByTestId('disagreements');
    await list.getByRole('heading', { name: 'Disagreements in the whole tree' }).waitFor();
    const links = list.getByRole('link');
    await links.first().waitFor();
    const href = `#/analysis/${id}/${deep.line.map(s => s.uci).join()}`;
    await list.locator(`a[href="${href}"]`).click();
    await until('we are there', async () => (await lineOf(page)).join() === deep.line.map(s => s.uci).join());
    await rows(page).first().waitFor();
    const branch = [deep.line[0].uci];
    await page.goto(`${server.url}/#/analysis/${id}/${branch}?tab=time`);
    await list.getByRole('heading', { name: `Disagreements below ${deep.line[0].san}` }).waitFor();
    const expected = (await found(branch)).slice(0, 12).length;
    await until('those of the branch', async () => (await links.count()) === expected);
  },
};
