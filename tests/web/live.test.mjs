// Live and robust: a lost network, a killed server, what changed; nothing jumps while numbers run.
import { api, assert, lineOf, make, node, quiet, rows, until, untilMoves } from './helpers.mjs';

// What the browser itself says of a connection that is gone.
const lost = /net::ERR_|Failed to load resource/;
const endless = { strategy: { kind: 'halving', move_distance: 40, refine: 0 }, limit: { depth: 6 } };
const progress = page => page.getByTestId('progress').textContent(); // behind its button
const online = page =>
  until('online', async () => (await page.getByTestId('link').getAttribute('data-status')) === 'online');

export const tests = {
  'one stream, from one place to the next, serves all pages, and what changes between two of them is seen':
    async ({ server, visit }) => {
      const { id, name } = await make(server, ['e2e4', 'g7g6'], { hold: true });
      const streams = [];
      const page = await visit('', {
        before: page =>
          page.on('request', request => {
            const goesOn = request.headers()['last-event-id'] !== undefined; // with other positions
            if (request.url().includes('/events') && !goesOn) streams.push(request.url());
          }),
      });
      await page.getByText(name).waitFor();
      await online(page);
      await page.getByText(name).click();
      await api(server).patch(`/analyses/${id}`, { name: `${name} b` });
      await page.getByRole('heading', { name: `${name} b` }).waitFor();
      await page.goBack();
      await api(server).patch(`/analyses/${id}`, { name: `${name} c` });
      await page.getByText(`${name} c`).waitFor();
      await page.goForward();
      await page.getByRole('heading', { name: `${name} c` }).waitFor();
      assert.equal(streams.length, 1);
    },

  'two hundred analyses at work: the stream of a page has at most 20 KB a second, and tells of all': async ({
    server,
  }) => {
    const openings = [];
    for (const [white, black] of ['36', '45', '35', '46'])
      for (const a of 'abcdefgh')
        for (const b of 'abcdefgh') openings.push([`${a}2${a}${white}`, `${b}7${b}${black}`]);
    const made = [];
    for (const moves of openings.slice(0, 200)) made.push(await make(server, moves, endless));
    assert.equal(made.length, 200);
    const abort = new AbortController();
    const { body } = await fetch(`${server.url}/api/v1/events?fields=changed&nodes=0`, {
      signal: abort.signal,
    });
    const seen = new Set();
    const begun = Date.now();
    let bytes = 0;
    let text = '';
    for await (const part of body) {
      bytes += part.length;
      text += Buffer.from(part).toString();
      for (const [, id] of text.matchAll(/"id":(\d+)[,}]/g)) seen.add(Number(id));
      text = text.slice(text.lastIndexOf('\n') + 1);
      const ms = Date.now() - begun;
      if ((ms > 15_000 && seen.size >= 150) || ms > 180_000) break;
    }
    abort.abort();
    const rate = bytes / ((Date.now() - begun) / 1000);
    console.log(`      ${Math.round(rate)} bytes/s, ${seen.size} told of`);
    assert.ok(rate <= 20_000, `${rate} bytes a second`);
    assert.ok(seen.size >= 150, `${seen.size} of 200 told of`);
  },

  'parts of the code that cannot be loaded are told, and come with a new page': [
    async ({ server, visit }) => {
      const { id } = await make(server, ['e2e4', 'c7c5', 'g1f3'], { hold: true }); // draws nothing by itself
      const lost = /\/(ground|importView)-[^/]*\.js$/;
      const page = await visit(`#/analysis/${id}`, {
        before: page => page.route(lost, route => route.abort()),
      });
      const board = page.getByText("The board's code cannot be loaded.");
      await board.waitFor();
      await page.getByTestId('pause').waitFor();
      await page.keyboard.press('o');
      await page.getByText('A part of the page cannot be loaded. Reload the page.').waitFor();
      await page.unroute(lost);
      await page.getByRole('button', { name: 'Reload the page' }).click(); // a browser remembers a module that failed
      await page.locator('cg-board piece').nth(31).waitFor();
      assert.equal(await board.count(), 0);
      await page.keyboard.press('o');
      await page.getByRole('dialog', { name: 'Import' }).waitFor();
    },
    { allow: lost },
  ],

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

  'the server is killed and started again under the page; what changed is told': [
    async ({ server, visit }) => {
      const { id } = await make(server, ['e2e4', 'd7d6'], endless);
      const { moves } = await untilMoves(server, id);
      const page = await visit(`#/analysis/${id}`);
      await rows(page).first().waitFor();
      await online(page);
      await server.restart(() => page.getByTestId('offline').waitFor());
      await online(page);
      await rows(page).first().waitFor();
      const before = await progress(page);
      await until('it goes on by itself', async () => (await progress(page)) !== before);
      assert.ok((await api(server).get(`/analyses/${id}/node`)).moves.length >= moves.length);
      await page.getByRole('tab', { name: 'Over time' }).click();
      const changes = page.getByTestId('changes');
      await changes.getByText(/new evaluation/).waitFor();
      await changes.getByLabel('Since').selectOption('hour');
      await changes.getByText(/(60 min|1 h) ago .*new evaluation/).waitFor();
      await changes.getByRole('heading', { name: 'Root score' }).waitFor();
    },
    { allow: lost, restart: true },
  ],

  'nothing jumps while the numbers run': async ({ server, visit }) => {
    const { id } = await make(server, ['d2d4', 'd7d5'], endless);
    await untilMoves(server, id, 2);
    const page = await visit(`#/analysis/${id}`);
    await rows(page).nth(1).waitFor();
    await page.evaluate(() => document.fonts.ready);
    const parts = [
      '.strip-actions',
      '.strip-left',
      '.board',
      '.crumbs',
      '.value',
      '.tabs',
      '.moves thead',
      '.moves .c-alpha',
    ];
    for (const part of parts) await page.locator(part).first().waitFor();
    const places = () =>
      page.evaluate(
        all =>
          all
            .map(selector => {
              const box = document.querySelector(selector).getBoundingClientRect();
              return `${selector} ${box.left},${box.top},${box.width}`;
            })
            .join('\n'),
        parts,
      );
    const before = await places();
    const forever = await page.evaluate(
      () => document.getAnimations().filter(a => a.effect.getTiming().iterations === Infinity).length,
    );
    assert.equal(forever, 0, 'animations that never end keep a core busy');
    const seen = new Set();
    await until('the numbers have changed twelve times', async () => {
      assert.equal(await places(), before);
      seen.add(await progress(page));
      return seen.size > 12;
    });
  },

  'the picture is walked by keys and by pointer': async ({ server, visit }) => {
    const strategy = { kind: 'halving', move_distance: 10, refine: 7 };
    const { id } = await make(server, ['f2f3', 'e7e5'], { strategy });
    await until('six plies', async () => (await node(server, id)).pv.alpha.length > 6);
    await quiet(server, id);
    const page = await visit(`#/analysis/${id}?tab=picture`);
    const canvas = page.getByTestId('picture');
    await canvas.waitFor();
    await until('the tree is there', async () => (await canvas.getAttribute('aria-busy')) === 'false');
    await canvas.focus();
    await page.keyboard.press('ArrowRight');
    await until('a cell is told', async () =>
      /tree [+−]?\d/.test(await page.locator('.picture-info').innerText()),
    );
    await page.getByTestId('small-board').waitFor();
    await page.keyboard.press('Enter');
    await until('we are there', async () => /analysis\/\d+\/\w+/.test(page.url()));
    const { moves } = await node(server, id);
    assert.ok(moves.some(m => page.url().includes(m.uci)));
    assert.match(page.url(), /tab=picture/);
    await page.keyboard.press('Home');
    await until('at the root', async () => (await lineOf(page)).length === 0);
    await until('its tree', async () => (await canvas.getAttribute('aria-busy')) === 'false');
    const box = await canvas.boundingBox();
    const columns = 7; // the root and six plies
    const point = [box.x + (1.5 * box.width) / columns, box.y + 10]; // the best move's cell
    await page.mouse.move(point[0] + 1, point[1]); // a pointer has to be somewhere before it moves
    await page.mouse.move(...point);
    await until('a cell is told', async () =>
      /tree [+−]?\d/.test(await page.locator('.picture-info').innerText()),
    );
    await page.mouse.click(...point);
    await until('gone there', async () => (await lineOf(page)).length === 1);
  },
};
