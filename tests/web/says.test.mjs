// The page says what is: nothing of another position, no verdict without a search, no loss without a way back.
import {
  adopt,
  api,
  assert,
  choose,
  boardFen,
  lineOf,
  make,
  node,
  quiet,
  rows,
  until,
  untilMoves,
} from './helpers.mjs';

const lost = /net::ERR_|Failed to load resource/; // what the browser says of a connection that is gone
const field = page => page.getByLabel('Opening, moves, FEN or PGN');
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

export const tests = {
  'after a click nothing is previewed until the pointer moves': async ({ server, visit }) => {
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
    await steps.nth(2).waitFor();
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
      page.evaluate(([a, b]) => document.elementFromPoint(a, b)?.closest('.pv-step a')?.href ?? '', [px, py]);
    await until('another step is under the pointer', async () => (await under()).includes(line.join()));
    await until('the browser knows', () =>
      page.evaluate(([a, b]) => document.elementFromPoint(a, b).matches(':hover'), [px, py]),
    );
    await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));
    assert.equal(await page.getByTestId('small-board').count(), 0);
    assert.equal((await boardFen(page)).split(' ')[0], fen.split(' ')[0]);
    await page.mouse.move(px + 1, py);
    await page.getByTestId('small-board').waitFor();
  },

  'offline, nothing of another position stands below a path': [
    async ({ server, visit }) => {
      const { id } = await make(server, ['e2e4', 'c7c5']);
      await untilMoves(server, id, 2);
      await quiet(server, id);
      const { moves } = await node(server, id);
      const page = await visit(`#/analysis/${id}`);
      await rows(page).nth(1).waitFor();
      const value = page.getByTestId('answer').locator('.score');
      await page.keyboard.press('2'); // its code has to be there
      await page.locator('canvas[aria-busy=false]').waitFor();
      await page.keyboard.press('1');
      await server.cut();
      try {
        await page.getByTestId('offline').waitFor();
        await page.locator(`tr[data-uci=${moves[1].uci}] .san`).click();
        await until('we are there', async () => (await lineOf(page)).join() === moves[1].uci);
        await page
          .getByTestId('waiting')
          .getByText(/is not known here/)
          .waitFor();
        assert.equal(await rows(page).count(), 0);
        // What the position before said of the move is known.
        const said = await value.textContent();
        assert.equal(Math.round(100 * Number(said.replace('−', '-'))), moves[1].alpha.cp);
        await page.keyboard.press('2');
        await page.getByText(/picture of this position comes as soon as/).waitFor();
        await page.keyboard.press('1');
        await page.keyboard.press('ArrowLeft');
        await rows(page).nth(1).waitFor(); // what was seen is there again
        await page.keyboard.press('ArrowRight');
        await page.getByTestId('waiting').waitFor();
      } finally {
        await server.mend();
      }
      await page.locator('[data-testid=moves], [data-testid=callout]').first().waitFor();
      assert.equal(await page.getByTestId('waiting').count(), 0);
    },
    { allow: lost },
  ],

  'a note that is being written outlives the page, and is offered again': async ({ server, visit }) => {
    const { id } = await make(server, ['e2e4', 'e7e5'], { hold: true });
    const page = await visit(`#/analysis/${id}`);
    await page.getByRole('button', { name: 'Write a note' }).click();
    await page.getByLabel('Note', { exact: true }).fill('Compare round 3');
    await page.reload();
    await page.getByTestId('draft').getByText('Compare round 3').waitFor();
    await page.getByRole('button', { name: 'Go on writing' }).click();
    const text = page.getByLabel('Note', { exact: true });
    assert.equal(await text.inputValue(), 'Compare round 3');
    await text.fill('Compare round 4');
    await page.getByRole('button', { name: 'Save the note' }).click();
    await page.getByTestId('note').getByText('Compare round 4').waitFor();
    await page.reload();
    await page.getByTestId('note').getByText('Compare round 4').waitFor();
    assert.equal(await page.getByTestId('draft').count(), 0);
  },

  'steering by a bare key has a way back': async ({ server, visit }) => {
    const { id } = await make(server, ['e2e4', 'e7e6'], {
      strategy: { kind: 'halving', move_distance: 20, refine: 3 },
    });
    const analysis = () => api(server).get(`/analyses/${id}`);
    await until('it is settled', async () => (await analysis()).state === 'settled');
    await quiet(server, id);
    const { moves } = await node(server, id);
    const { uci, san } = moves[1];
    const page = await visit(`#/analysis/${id}`);
    await page.locator(`tr[data-uci=${uci}]`).waitFor();
    const status = async () => (await node(server, id)).moves.find(m => m.uci === uci)?.status;
    const undo = page.getByRole('status').getByRole('button', { name: 'Undo' });
    await choose(page, uci);
    await page.keyboard.press('x');
    await page.getByText(`${san} is excluded.`).waitFor();
    assert.equal(await status(), 'excluded');
    await undo.click();
    await until('not excluded any more', async () => (await status()) !== 'excluded');
    await until('settled as it was', async () => (await analysis()).settled === 3);
    // An exclusion that stood before stands after a slip, too.
    await api(server).post(`/analyses/${id}/directives`, { moves: [uci], action: 'exclude' });
    await page.locator(`tr.excluded[data-uci=${uci}]`).waitFor();
    await choose(page, uci);
    await page.keyboard.press('i');
    await until('included', async () => (await status()) !== 'excluded');
    await undo.last().click();
    await until('excluded as before', async () => (await status()) === 'excluded');
  },

  'what is legal of pasted moves is taken, and said; an address is told as one': [
    async ({ server, visit }) => {
      const page = await visit('#/new');
      await field(page).fill('https://lichess.org/Kf3xTq1A');
      await page.getByText(/address holds no position/).waitFor();
      await page.getByTestId('create').click();
      assert.match(page.url(), /#\/new$/);
      assert.doesNotMatch(await page.locator('main').innerText(), /\d fields/);
      await field(page).fill('1. a3 a6 2. Nf3 Nc6 3. Bb6 d6');
      await page
        .getByTestId('input-note')
        .getByText(/Move 3, “Bb6”, is not legal/)
        .waitFor();
      await until('on the board', async () =>
        (await boardFen(page)).startsWith('r1bqkbnr/1ppppppp/p1n5/8/8/P4N2'),
      );
      await field(page).press('Enter');
      assert.match(page.url(), /#\/new$/, 'Enter begins nothing');
      await page.getByTestId('create').click();
      await page.getByTestId('counters').waitFor();
      adopt(page);
      const { id } = /analysis\/(?<id>\d+)/.exec(page.url()).groups;
      assert.deepEqual((await api(server).get(`/analyses/${id}`)).moves, ['a2a3', 'a7a6', 'g1f3', 'b8c6']);
    },
    { allow: /400/ }, // what cannot be read is asked of the server
  ],

  'a filter that finds nothing says so': async ({ server, visit }) => {
    const { id } = await make(server, ['a2a3', 'h7h6'], { hold: true });
    await api(server).patch(`/analyses/${id}`, { tags: ['najdorf'] });
    const page = await visit('#/');
    await page.getByLabel('Search the queue').fill('nothing has this');
    await page.getByText('No analysis has “nothing has this”.').waitFor();
    await page.getByLabel('State', { exact: true }).selectOption('failed');
    await page.getByText('No analysis has “nothing has this” and the state failed.').waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.locator(`[data-testid=analysis][data-id="${id}"]`).waitFor();
  },

  'ten minutes are minutes of work, and what ends first is told': async ({ server, visit }) => {
    const page = await visit('#/new');
    await field(page).fill('1. h3 h6 2. a3');
    await page.getByRole('button', { name: '10 minutes' }).click();
    await page
      .getByTestId('summary')
      .getByText(/At most 20:00 min of engine time/)
      .waitFor();
    await page.getByTestId('create').click();
    await page.getByTestId('counters').waitFor();
    adopt(page);
    const { id } = /analysis\/(?<id>\d+)/.exec(page.url()).groups;
    const { budget } = await api(server).get(`/analyses/${id}`);
    assert.deepEqual(budget, { engine_seconds: 1200 }); // of two processes
    await api(server).patch(`/analyses/${id}`, {
      budget: { engine_seconds: 1200, until: Date.now() + 9 * 3_600_000 },
    });
    await page.getByTestId('counters').click();
    await page
      .getByTestId('progress')
      .getByText(/ of engine time/)
      .waitFor();
    await api(server).patch(`/analyses/${id}`, {
      budget: { engine_seconds: 1e6, until: Date.now() + 9 * 3_600_000 },
    });
    await page
      .getByTestId('progress')
      .getByText(/until \d\d:\d\d/)
      .waitFor();
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

  'the caps of keys stand beside their text': async ({ visit }) => {
    for (const width of [1440, 820, 390]) {
      const page = await visit('#/', { viewport: { width, height: 900 } });
      await page.getByRole('button', { name: 'Keyboard help' }).click();
      await page.getByRole('dialog').waitFor();
      const over = await page.evaluate(() =>
        [...document.querySelectorAll('.keys-list dt')]
          .filter(dt => {
            const text = dt.nextElementSibling.getBoundingClientRect();
            return [...dt.children].some(cap => cap.getBoundingClientRect().right > text.left);
          })
          .map(dt => dt.textContent),
      );
      assert.deepEqual(over, [], `at ${width}`);
      await page.context().close();
    }
  },

  'on a phone nothing is cut, and no hint asks for keys or a wheel': async ({ server, visit }) => {
    const { id } = await make(server, ['b2b3']);
    await untilMoves(server, id, 2);
    await quiet(server, id);
    const page = await visit(`#/analysis/${id}`, phone);
    await rows(page).first().waitFor();
    const cut = await page.evaluate(() =>
      [...document.querySelectorAll('.moves thead th:not(.c-status)')] // its word is for screen readers
        .filter(th => th.clientWidth && th.scrollWidth > th.clientWidth)
        .map(th => th.textContent),
    );
    assert.deepEqual(cut, []);
    await rows(page).first().getByRole('button', { name: /Steer/ }).tap();
    await page.getByRole('menuitem').first().waitFor();
    assert.equal(await page.locator('.menu kbd:visible').count(), 0);
    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: 'Picture' }).tap();
    await page.getByText('Tap a cell to go there').waitFor();
    assert.equal(await page.getByText('the wheel zooms').isVisible(), false);
  },
};
