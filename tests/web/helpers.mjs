// What the browser tests have in common.
import assert from 'node:assert/strict';

export function api(server) {
  const call = async (method, path, body) => {
    const response = await fetch(`${server.url}/api/v1${path}`, {
      method,
      headers: body ? { 'Content-Type': 'application/json' } : {},
      body: body ? JSON.stringify(body) : undefined,
    });
    if (response.ok) return response.status === 204 ? null : response.json();
    const text = await response.text();
    if (response.status === 503 && text.includes('still reading its evaluations')) {
      await new Promise(r => setTimeout(r, 100)); // whoever asks again is answered soon
      return call(method, path, body);
    }
    throw new Error(`${method} ${path}: ${response.status} ${text}`);
  };
  return {
    get: path => call('GET', path),
    post: (path, body) => call('POST', path, body),
    patch: (path, body) => call('PATCH', path, body),
    del: path => call('DELETE', path),
  };
}

// Asks until it is so. The deadline is only there so that a broken test ends.
export async function until(what, test, seconds = 180) {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const value = await test();
    if (value) return value;
    if (Date.now() > end) throw new Error(`not within ${seconds} s: ${what}`);
    await new Promise(r => setTimeout(r, 100));
  }
}

let serial = 0;
const made = new Set();

// Takes away what the test has made, so that the engines are free for the next.
export async function clear(server) {
  const { analyses } = await api(server).get('/analyses');
  for (const { id, name } of analyses)
    if (made.has(id) || name.startsWith('Test ')) await api(server).del(`/analyses/${id}`);
  made.clear();
}

// The analysis that the page shows.
export const idOf = page => Number(/analysis\/(\d+)/.exec(page.url())[1]);

// For an analysis made through the page; its number.
export function adopt(page) {
  made.add(idOf(page));
  return idOf(page);
}

// Begins what the form says, and waits until it is shown.
export async function create(page) {
  await page.getByTestId('create').click();
  await page.getByTestId('counters').waitFor();
  return adopt(page);
}

// A new analysis with a name of its own. Moves are UCI.
export async function make(server, moves, more = {}) {
  const name = `Test ${process.pid}-${++serial}`;
  const { id } = await api(server).post('/analyses', {
    name,
    position: { moves },
    limit: { depth: 6 },
    strategy: { kind: 'halving', move_distance: 20, refine: 4 },
    ...more,
  });
  made.add(id);
  return { id, name };
}

export const analysis = (server, id) => api(server).get(`/analyses/${id}`);

export const direct = (server, id, moves, action, more = {}) =>
  api(server).post(`/analyses/${id}/directives`, { moves, action, ...more });

export const settled = (server, id) =>
  until('it is settled', async () => (await analysis(server, id)).state === 'settled');

export const settledTo = (server, id, depth) =>
  until(`depth ${depth} is settled`, async () => (await analysis(server, id)).settled >= depth);

// Games for a collection of that name.
export async function collect(server, name, pgn) {
  const response = await fetch(`${server.url}/api/v1/collections/${name}`, {
    method: 'POST',
    headers: { 'Content-Type': 'text/plain' },
    body: pgn,
  });
  assert.ok(response.ok, await response.text());
}

export const node = (server, id, moves = []) =>
  api(server).get(`/analyses/${id}/node${moves.length ? `?moves=${moves.join()}` : ''}`);

export async function untilMoves(server, id, count = 1) {
  return until('moves with scores', async () => {
    const n = await node(server, id);
    return n.moves.filter(m => m.alpha).length >= count && n;
  });
}

// Paused, and nothing under way: from now on nothing changes by itself.
export async function quiet(server, id) {
  await api(server).patch(`/analyses/${id}`, { hold: true });
  await until('all is quiet', async () => !(await analysis(server, id)).in_flight);
}

// An analysis after 1. e4, with Black to move, that is at rest with three moves or more.
export async function rested(server) {
  const { id } = await make(server, ['e2e4'], {
    strategy: { kind: 'halving', move_distance: 40, refine: 1 },
  });
  await untilMoves(server, id, 3);
  await quiet(server, id);
  return id;
}

export const rows = page => page.getByTestId('move');

export const desktop = { viewport: { width: 1440, height: 900 } };
export const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

// What comes with the next frame is drawn.
export const drawn = page =>
  page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));

export const hasFocus = locator => locator.evaluate(element => element === document.activeElement);

// The buttons that a page offers.
export const offered = page =>
  page
    .getByRole('button')
    .evaluateAll(all => all.map(b => b.getAttribute('aria-label') ?? b.textContent ?? ''));
// Those that change something: nothing for who only looks.
export const changing = async page => (await offered(page)).filter(label => steering.test(label));
const steering =
  /^(Steer |Include|Analyse now|Keep analysing|Was played|Take back|Write a note|Edit|Undo|Delete|Pause|Resume|Search further|Settings|Import|Share|How to analyse|Notify|Verify)/;

// Chooses a move in the table by keys: the next one, or that of `uci`. Looked at is what was drawn
// after the key.
export async function choose(page, uci = null) {
  const chosen = page.locator('tr[aria-current]');
  return until('a row is chosen', async () => {
    await page.keyboard.press('ArrowDown');
    await drawn(page);
    const now = (await chosen.count()) && (await chosen.getAttribute('data-uci'));
    return (!uci || now === uci) && now;
  });
}

// Middle of a square on the page's board, seen from White.
export async function square(page, name) {
  const { x, y, width } = await page.locator('cg-board').boundingBox();
  return [x + (name.charCodeAt(0) - 97 + 0.5) * (width / 8), y + (8 - Number(name[1]) + 0.5) * (width / 8)];
}

export async function clickSquares(page, ...names) {
  for (const name of names) await page.mouse.click(...(await square(page, name)));
}

// An arrow, or a circle, with the right button.
export async function draw(page, from, to = from) {
  await page.mouse.move(...(await square(page, from)));
  await page.mouse.down({ button: 'right' });
  await page.mouse.move(...(await square(page, to)), { steps: 3 });
  await drawn(page); // the board takes the square under the pointer with its next frame
  await page.mouse.up({ button: 'right' });
}

// The field that takes any position.
export const field = page => page.getByLabel('Opening, moves, FEN or PGN');

// All settings of a new analysis, where they are folded.
export async function unfold(page) {
  const button = page.getByRole('button', { name: /^(All|Fewer) settings$/ });
  if ((await button.getAttribute('aria-expanded')) === 'false') await button.click();
}

export const boardFen = page => page.getByTestId('board').getAttribute('data-fen');

export const stands = (page, fen) => until(fen, async () => (await boardFen(page)).startsWith(fen), 60);

// The line that the URL names.
export async function lineOf(page) {
  const { hash } = new URL(page.url());
  return hash.split('?')[0].split('/')[3]?.split(',') ?? [];
}

export { assert };

// Drops a file on it.
export const drop = (zone, name, text) =>
  zone.evaluate(
    (element, [file, content]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([content], file));
      for (const kind of ['dragover', 'drop'])
        element.dispatchEvent(
          new DragEvent(kind, { dataTransfer: transfer, bubbles: true, cancelable: true }),
        );
    },
    [name, text],
  );

// What is downloaded when it is clicked.
export async function saved(page, button) {
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  return download;
}

export const goTo = (page, hash) => page.evaluate(to => (location.hash = to), hash);

// Who can only look, by a link or in a site: walks by a row, by keys and by a move of one's own on the board; sees the
// other views; nothing offers a change, and nowhere else leads anywhere.
export async function readsOnly(page, { id, other }) {
  await rows(page).first().click();
  await until('walked', async () => (await lineOf(page)).length === 1);
  await page.keyboard.press('ArrowLeft');
  await until('and back', async () => (await lineOf(page)).length === 0);
  const before = await boardFen(page);
  await clickSquares(page, 'h2', 'h4');
  await until('played on the board', async () => (await lineOf(page)).join() === 'h2h4');
  assert.notEqual(await boardFen(page), before);
  assert.deepEqual(await changing(page), []);
  await page.keyboard.press('Home');
  await rows(page).first().waitFor();
  assert.deepEqual(await changing(page), []);
  for (const key of ['ArrowDown', 'x', 'i', 'd', 'n', 'c', 'm', 'k', 'p', 'o', 'v', 'g', 'q'])
    await page.keyboard.press(key);
  assert.equal(await page.getByRole('dialog').count(), 0);
  assert.equal(await page.locator('textarea').count(), 0);
  await page.getByRole('tab', { name: 'Over time' }).click();
  await page.getByTestId('changes').waitFor();
  await page.getByRole('tab', { name: 'Picture' }).click();
  await page.getByTestId('picture').waitFor();
  await page.getByRole('tab', { name: 'Files' }).click();
  await page.getByTestId('file').getByText('ours').waitFor();
  assert.equal(await page.getByText('Choose a file…').count(), 0);
  await page.getByTestId('file-game').click();
  await page.getByTestId('game').getByText('mine').waitFor();
  assert.deepEqual(await changing(page), []);
  assert.equal(await page.getByRole('tab', { name: /Repertoire|Orders|Evaluations/ }).count(), 0);
  for (const elsewhere of ['#/', `#/analysis/${other.id}`, '#/new', `#/analysis/${id}?tab=facts`]) {
    await goTo(page, elsewhere);
    await until(`${elsewhere} leads home`, () => page.url().endsWith(`#/analysis/${id}`));
  }
  assert.ok(!(await page.evaluate(() => document.body.innerText)).includes(other.name));
}
