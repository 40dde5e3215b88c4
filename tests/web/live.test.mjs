// Live and robust: a lost network, a killed server, what changed; nothing jumps while numbers run.
import { api, assert, lineOf, make, node, quiet, rows, until, untilMoves } from './helpers.mjs';

// What the browser itself says of a connection that is gone.
const lost = /net::ERR_|Failed to load resource/;
const endless = { strategy: { kind: 'halving', move_distance: 40, refine: 0 }, limit: { depth: 6 } };
const progress = page => page.getByTestId('progress').textContent(); // behind its button
const online = page =>
  until('online', async () => (await page.getByTestId('link').getAttribute('data-status')) === 'online');

export const tests = {
  'news are drawn at a calm rate, and the last of them is shown': async ({ server, visit }) => {
    const { id } = await make(server, ['e2e4', 'c7c6'], endless);
    await untilMoves(server, id);
    const page = await visit('#/');
    await page.addInitScript(() => {
      const real = window.requestAnimationFrame.bind(window);
      window.drawn = [];
      window.requestAnimationFrame = work =>
        real(at => {
          window.drawn.push(performance.now());
          work(at);
        });
    });
    await page.goto(`${server.url}/?fresh#/analysis/${id}`);
    await rows(page).first().waitFor();
    const evaluations = async () => (await api(server).get('/health')).store.evaluations;
    const [first, begun] = [await evaluations(), await page.evaluate(() => performance.now())];
    await until('200 evaluations more', async () => (await evaluations()) >= first + 200);
    const { drawn, ended } = await page.evaluate(() => ({ drawn: window.drawn, ended: performance.now() }));
    // What was just done leads to frames of its own; the board has its own, too.
    const calm = drawn.filter(at => at > begun + 1000);
    const most = (2 * Math.max(0, ended - begun - 1000)) / 250 + 4;
    assert.ok(calm.length <= most, `${calm.length} redraws in ${ended - begun} ms`);
    const forever = await page.evaluate(
      () => document.getAnimations().filter(a => a.effect.getTiming().iterations === Infinity).length,
    );
    assert.equal(forever, 0, 'animations that never end keep a core busy');
    await quiet(server, id);
    const { version, alpha } = await node(server, id);
    assert.ok(version > 0);
    await until('the last state is shown', async () => {
      const shown = await page.getByTestId('answer').locator('.score').textContent();
      return shown.replace('−', '-').trim() === (alpha.cp >= 0 ? '+' : '') + (alpha.cp / 100).toFixed(2);
    });
  },

  'one stream, from one place to the next, serves all pages, and what changes between two of them is seen':
    async ({ server, visit }) => {
      const { id, name } = await make(server, ['e2e4', 'g7g6'], { hold: true });
      const page = await visit('');
      const streams = [];
      page.on('request', request => {
        const goesOn = request.headers()['last-event-id'] !== undefined; // with other positions
        if (request.url().includes('/events') && !goesOn) streams.push(request.url());
      });
      await page.reload();
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
    for (const a of 'abcdefgh') for (const b of 'abcdefgh') openings.push([`${a}2${a}3`, `${b}7${b}6`]);
    for (const a of 'abcdefgh') for (const b of 'abcdefgh') openings.push([`${a}2${a}4`, `${b}7${b}5`]);
    for (const a of 'abcdefgh') for (const b of 'abcdefgh') openings.push([`${a}2${a}3`, `${b}7${b}5`]);
    for (const a of 'abcdefgh') openings.push([`${a}2${a}4`, 'a7a6']);
    const made = [];
    for (const moves of openings) made.push(await make(server, moves, endless));
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

  'a part of the code that cannot be loaded is told, and asked for again': [
    async ({ server, visit }) => {
      const { id } = await make(server, ['e2e4', 'g8f6'], { hold: true });
      const page = await visit(`#/analysis/${id}`);
      await page.getByTestId('pause').waitFor();
      await page.route(/assets\/importView/, route => route.abort());
      await page.keyboard.press('o');
      await page.getByText('A part of the page cannot be loaded. Reload the page.').waitFor();
      await page.unroute(/assets\/importView/);
      await page.reload(); // a browser remembers a module that failed
      await page.getByTestId('pause').waitFor();
      await page.keyboard.press('o');
      await page.getByRole('dialog', { name: 'Import' }).waitFor();
    },
    { allow: lost },
  ],

  'a board whose code cannot be loaded says so, and comes with a new page': [
    async ({ server, visit }) => {
      const { id } = await make(server, ['e2e4', 'c7c5', 'g1f3'], { hold: true }); // draws nothing by itself
      const page = await visit('#/');
      await page.route(/\/ground-[^/]*\.js$/, route => route.abort());
      await page.goto(page.url().replace(/#.*/, `#/analysis/${id}`));
      await page.getByText("The board's code cannot be loaded.").waitFor();
      await page.unroute(/\/ground-[^/]*\.js$/);
      await page.getByRole('button', { name: 'Reload the page' }).click();
      await page.locator('cg-board piece').nth(31).waitFor();
      assert.equal(await page.getByText("The board's code cannot be loaded.").count(), 0);
    },
    { allow: /ERR_FAILED/ },
  ],

  'the network goes and comes back': [
    async ({ server, visit }) => {
      const { id } = await make(server, ['e2e4', 'c7c6'], endless);
      await untilMoves(server, id);
      const page = await visit(`#/analysis/${id}`);
      await rows(page).first().waitFor();
      await online(page);
      await server.cut();
      await page.getByTestId('offline').waitFor();
      assert.ok(await rows(page).first().isVisible(), 'what was there stays');
      await page.keyboard.press('ArrowDown');
      await page.locator('tr[aria-current]').waitFor();
      await server.mend();
      await page.getByTestId('offline').waitFor({ state: 'detached' });
      await online(page);
      const before = await progress(page);
      await until('numbers move again', async () => (await progress(page)) !== before);
      await api(server).patch(`/analyses/${id}`, { hold: true });
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
      await api(server).patch(`/analyses/${id}`, { hold: true });
    },
    { allow: lost, restart: true },
  ],

  'what changed since the last visit, over a restart of the server, each a link': [
    async ({ server, visit }) => {
      const { id } = await make(server, ['d2d4', 'f7f5'], endless);
      await untilMoves(server, id, 2);
      const page = await visit(`#/analysis/${id}`);
      await rows(page).first().waitFor();
      await page.keyboard.press('g');
      await page.keyboard.press('q'); // the visit ends
      await page.getByRole('heading', { name: 'Queue' }).waitFor();
      const left = Date.now();
      await server.restart();
      await until('some lines are new since then', async () => {
        const changes = await api(server).get(`/analyses/${id}/changes?since=${left}`);
        return changes.new_lines.length > 2 && changes.best.before;
      });
      const later = await visit(`#/analysis/${id}?tab=time`, { context: page.context() });
      const changes = later.getByTestId('changes');
      await changes.getByText(/just now|min ago/).waitFor();
      assert.equal(await changes.getByLabel('Since').inputValue(), 'visit');
      assert.match(await changes.innerText(), /Best move[^]*Root score[^]*New lines/);
      const line = async () => (await lineOf(later)).length;
      await changes.getByRole('listitem').last().getByRole('link').click();
      await until('a new line is a link', async () => (await line()) > 0);
      await rows(later).first().waitFor();
      await later.goBack();
      await changes.locator('.card a').last().click();
      await until('so is the best move', async () => (await line()) === 1);
      await later.goBack();
      await until('at the root', async () => (await line()) === 0);
      await api(server).patch(`/analyses/${id}`, { hold: true });
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
    const seen = new Set();
    await until('the numbers have changed twelve times', async () => {
      assert.equal(await places(), before);
      seen.add(await progress(page));
      return seen.size > 12;
    });
    await api(server).patch(`/analyses/${id}`, { hold: true });
  },

  'over time: charts, and a time before the beginning': async ({ server, visit }) => {
    const { id } = await make(server, ['c2c4', 'e7e5']);
    await until(
      'two depths are settled',
      async () => (await api(server).get(`/analyses/${id}`)).settled >= 2,
    );
    const page = await visit(`#/analysis/${id}?tab=time`);
    await page.locator('.chart.scores canvas').waitFor();
    await page.locator('.chart.evaluations canvas').waitFor();
    const newest = page.locator('.chart.scores .u-legend .u-series').nth(1).locator('.u-value');
    const told = () => until('the newest score is told', async () => /\d/.test(await newest.innerText()));
    await told();
    await page.locator('.chart.scores .u-over').hover();
    await page.getByRole('heading', { level: 1 }).hover();
    await told();
    const changes = page.getByTestId('changes');
    await changes.getByText(/new evaluation/).waitFor();
    await changes.getByText('The tree had not begun then: everything is new.').waitFor();
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

  'raw evaluations are listed with where they come from': async ({ server, visit }) => {
    const { id } = await make(server, ['g1f3', 'd7d5']);
    await untilMoves(server, id, 2);
    const page = await visit(`#/analysis/${id}?tab=facts`);
    const table = page.getByRole('table', { name: 'Evaluations' });
    await table.locator('tbody tr').nth(1).waitFor();
    assert.match(await table.innerText(), /depth \d+/);
  },
};
