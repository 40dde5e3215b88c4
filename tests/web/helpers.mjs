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

// For an analysis made through the page.
export const adopt = page => made.add(Number(/analysis\/(\d+)/.exec(page.url())[1]));

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
  await until('all is quiet', async () => !(await api(server).get(`/analyses/${id}`)).in_flight);
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

// Chooses a move in the table by keys: the next one, or that of `uci`. Looked at is what was drawn
// after the key.
export async function choose(page, uci = null) {
  const chosen = page.locator('tr[aria-current]');
  return until('a row is chosen', async () => {
    await page.keyboard.press('ArrowDown');
    await page.evaluate(
      () => new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    );
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

// All settings of a new analysis, where they are folded.
export async function unfold(page) {
  const button = page.getByRole('button', { name: /^(All|Fewer) settings$/ });
  if ((await button.getAttribute('aria-expanded')) === 'false') await button.click();
}

export const boardFen = page => page.getByTestId('board').getAttribute('data-fen');

// The line that the URL names.
export async function lineOf(page) {
  const { hash } = new URL(page.url());
  return hash.split('?')[0].split('/')[3]?.split(',') ?? [];
}

export { assert };
