// Whoever gets a link looks at one analysis: walks, reads, downloads, and changes nothing; until it is revoked.
import { api, assert, boardFen, lineOf, make, quiet, rows, square, until, untilMoves } from './helpers.mjs';
import { clean, sizes } from './axe.mjs';

const share = (server, id, more = {}) =>
  api(server).post(`/analyses/${id}/links`, { name: 'the club', ...more });

// With a note and a file, and at rest.
async function prepared(server) {
  const { id, name } = await make(server, ['e2e4', 'e7e5']);
  await untilMoves(server, id, 2);
  await api(server).post(`/analyses/${id}/directives`, { moves: [], action: 'note', text: 'look here' });
  await api(server).post(`/analyses/${id}/files`, { name: 'ours', pgn: '1. e4 e5 2. Nf3 {mine} *' });
  return { id, name };
}

const steering =
  /^(Steer |Include|Analyse now|Keep analysing|Was played|Take back|Write a note|Edit|Delete|Pause|Resume|Search further|Settings|Import|Share|How to analyse)/;

const offered = page =>
  page
    .getByRole('button')
    .evaluateAll(all => all.map(b => b.getAttribute('aria-label') ?? b.textContent ?? ''));

// Every call that the page makes, and how it was answered.
function listening(page) {
  const calls = [];
  page.on('response', response => {
    const { pathname } = new URL(response.url());
    if (pathname.startsWith('/api/'))
      calls.push(`${response.request().method()} ${pathname} ${response.status()}`);
  });
  return calls;
}

export const tests = {
  'a link is made, copied and opened by somebody else, who can only look': async ({ server, visit }) => {
    const { id, name } = await prepared(server);
    const other = await make(server, ['d2d4']);
    const owner = await visit(`#/analysis/${id}`);
    await owner.getByRole('button', { name: 'Share', exact: true }).click();
    await owner.getByTestId('loopback').waitFor(); // it opens here only
    await owner.getByText('Nobody has a link yet.').waitFor();
    await owner.getByLabel('For whom').fill('the club');
    await owner.getByRole('button', { name: 'Make a link and copy it' }).click();
    await owner.getByText('Link copied.').waitFor();
    await owner.getByTestId('link').getByText('the club').waitFor();
    const address = await owner.evaluate(() => navigator.clipboard.readText());
    const [{ path, secret }] = (await api(server).get(`/analyses/${id}/links`)).links;
    assert.equal(address, `${server.url}${path}`);

    const page = await (await visit('#/nowhere')).context().newPage();
    const calls = listening(page);
    await page.goto(address);
    await rows(page).first().waitFor();
    await page.getByTestId('shared').getByText('Shared by link, read only').waitFor();
    assert.ok(!page.url().includes(secret), page.url());
    assert.ok(!(await page.evaluate(() => JSON.stringify(localStorage))).includes(secret));
    await page.getByRole('heading', { name, exact: true }).waitFor();
    await page.getByTestId('note').getByText('look here').waitFor();

    // Walking, by a row, by keys and by a move of one's own on the board.
    await rows(page).first().click();
    await until('walked', async () => (await lineOf(page)).length === 1);
    await page.keyboard.press('ArrowLeft');
    await until('and back', async () => (await lineOf(page)).length === 0);
    const before = await boardFen(page);
    for (const at of ['a2', 'a4']) await page.mouse.click(...(await square(page, at)));
    await until('played on the board', async () => (await lineOf(page)).join() === 'a2a4');
    assert.notEqual(await boardFen(page), before);
    assert.deepEqual(
      (await offered(page)).filter(label => steering.test(label)),
      [],
    );
    await page.keyboard.press('ArrowLeft');
    await rows(page).first().waitFor();
    assert.deepEqual(
      (await offered(page)).filter(label => steering.test(label)),
      [],
    );
    for (const key of ['ArrowDown', 'x', 'i', 'd', 'n', 'c', 'm', 'k', 'p', 'o'])
      await page.keyboard.press(key);
    await page.keyboard.press('g');
    await page.keyboard.press('q');
    assert.equal(await page.getByRole('dialog').count(), 0);
    assert.equal(await page.locator('textarea').count(), 0);

    // Its other views, and nothing else of the server.
    await page.getByRole('tab', { name: 'Over time' }).click();
    await page.getByTestId('changes').waitFor();
    await page.getByRole('tab', { name: 'Picture' }).click();
    await page.getByTestId('picture').waitFor();
    await page.getByRole('tab', { name: 'Files' }).click();
    await page.getByTestId('file').getByText('ours').waitFor();
    assert.equal(await page.getByText('Choose a file…').count(), 0);
    await page.getByTestId('file-game').click();
    await page.getByTestId('game').getByText('mine').waitFor();
    assert.deepEqual(
      (await offered(page)).filter(label => /^(Edit|Undo)$/.test(label)),
      [],
    );
    assert.equal(await page.getByRole('tab', { name: 'Repertoire' }).count(), 0);
    for (const elsewhere of ['#/', `#/analysis/${other.id}`, '#/new', `#/analysis/${id}?tab=facts`]) {
      await page.evaluate(hash => (location.hash = hash), elsewhere);
      await until(`${elsewhere} leads home`, () => page.url().endsWith(`#/analysis/${id}`));
    }
    assert.ok(!(await page.evaluate(() => document.body.innerText)).includes(other.name));

    // A download.
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page
        .getByRole('dialog')
        .getByRole('button', { name: /^Download/ })
        .first()
        .click(),
    ]);
    assert.match(download.suggestedFilename(), /\.pgn$/);
    await page.keyboard.press('Escape');

    // It grows while one looks; and what was asked was allowed.
    await api(server).patch(`/analyses/${id}`, { name: `${name} renamed` });
    await page.getByRole('heading', { name: `${name} renamed` }).waitFor();
    assert.deepEqual(
      calls.filter(call => !/^GET .* (200|503)$/.test(call)),
      [],
    );
    assert.deepEqual(
      calls.filter(
        call => !call.startsWith(`GET /api/v1/analyses/${id}`) && !call.startsWith('GET /api/v1/events'),
      ),
      [],
    );
    const { directives } = await api(server).get(`/analyses/${id}/notes`);
    assert.equal(directives, undefined);
    await quiet(server, id);
  },

  'a link to a review shows the games of its file, and nothing of others': async ({ server, visit }) => {
    const { id } = await make(server, [], {
      limit: { depth: 2 },
      strategy: { kind: 'halving', refine: 1 },
    });
    const pgn = (white, moves) => `[White "${white}"]\n[Black "Ben"]\n[Result "*"]\n\n${moves} *\n\n`;
    const keep = (name, text) => api(server).post(`/analyses/${id}/files`, { name, pgn: text, seeds: false });
    const ours = await keep('ours', pgn('Ada', '1. f3 e5 {hm} 2. g4 Qh4#') + pgn('Cleo', '1. e4 e5'));
    const theirs = await keep('theirs', pgn('Mallory', '1. d4 d5'));
    const owner = await visit(`#/review/${id}/file/${ours.id}`);
    await owner.getByTestId('games').getByText('Ada').waitFor();
    await owner.getByText('All positions are searched.').waitFor();
    await owner.getByRole('button', { name: 'Share', exact: true }).click();
    await owner.getByLabel('For whom').fill('the pupil');
    await owner.getByRole('button', { name: 'Make a link and copy it' }).click();
    await owner.getByText('Link copied.').waitFor();
    const address = await owner.evaluate(() => navigator.clipboard.readText());
    const [{ path, file }] = (await api(server).get(`/analyses/${id}/links`)).links;
    assert.equal(file, ours.id);
    assert.equal(address, `${server.url}${path}`);

    const page = await (await visit('#/nowhere')).context().newPage();
    const calls = listening(page);
    await page.goto(address);
    await page.getByTestId('games').getByText('Cleo').waitFor();
    await page.getByTestId('shared').waitFor();
    await clean(page, 'shared table');
    await page.evaluate(hash => (location.hash = hash), `#/review/${id}/file/${ours.id}/game/1?at=3`);
    await page.getByRole('heading', { level: 1, name: 'Ada – Ben' }).waitFor();
    await page.getByTestId('accuracy').waitFor();
    await page.keyboard.press('d');
    await clean(page, 'shared game');
    assert.deepEqual(
      (await offered(page)).filter(label => /^(Share|Search it deeper|Find the better move)/.test(label)),
      [],
    );
    assert.equal(await page.getByRole('link', { name: /Open in the tree|Other games/ }).count(), 0);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download PGN' }).click(),
    ]);
    assert.equal(download.suggestedFilename(), 'ada-ben-review.pgn');
    for (const elsewhere of ['#/', `#/analysis/${id}`, `#/review/${id}/file/${theirs.id}`, '#/review']) {
      await page.evaluate(hash => (location.hash = hash), elsewhere);
      await until(`${elsewhere} leads home`, () => page.url().endsWith(`/review/${id}/file/${ours.id}`));
    }
    assert.ok(!(await page.evaluate(() => document.body.innerText)).includes('Mallory'));
    const own = `GET /api/v1/analyses/${id}/files/${ours.id}`;
    assert.deepEqual(
      calls.filter(
        call => !/ (200|503)$/.test(call) || !(call.startsWith(own) || / \/api\/v1\/events /.test(call)),
      ),
      [],
    );
  },

  'a link that is revoked says so, and shows nothing': [
    async ({ server, visit }) => {
      const { id, name } = await prepared(server);
      const link = await share(server, id);
      const page = await visit(link.path.slice(1));
      await rows(page).first().waitFor();
      const owner = await visit(`#/analysis/${id}`);
      await owner.getByRole('button', { name: 'Share', exact: true }).click();
      await owner.getByRole('button', { name: 'Revoke the club' }).click();
      await owner.getByText('This cannot be undone.').waitFor();
      assert.equal((await api(server).get(`/analyses/${id}/links`)).links.length, 1); // not yet
      await owner.getByRole('button', { name: 'Revoke for good' }).click();
      await owner.getByText('Nobody has a link yet.').waitFor();
      const told = page.getByRole('heading', { name: 'This link does not hold any more' });
      await told.waitFor(); // while it is open
      for (const again of [() => page.reload(), () => page.goto(`${server.url}${link.path}`)]) {
        await again();
        await told.waitFor();
        assert.ok(!(await page.evaluate(() => document.body.innerText)).includes(name));
      }
      await clean(page, 'revoked');
      await page.getByRole('button', { name: 'Leave' }).click();
      await page.getByRole('link', { name: 'Queue', exact: true }).waitFor(); // this server wants no token
    },
    { allow: /401/ },
  ],

  'axe: sharing, and what is shared': async ({ server, visit }) => {
    const { id } = await prepared(server);
    await quiet(server, id);
    const link = await share(server, id);
    for (const viewport of sizes) {
      const page = await visit(`#/analysis/${id}`, { viewport, reducedMotion: 'reduce' });
      await rows(page).first().waitFor();
      await page.getByRole('button', { name: 'Share', exact: true }).click();
      await page.getByRole('button', { name: 'Revoke the club' }).click();
      await page.getByText('This cannot be undone.').waitFor();
      await clean(page, 'share');
      await page.context().close();
      const guest = await visit(link.path.slice(1), { viewport, reducedMotion: 'reduce' });
      await rows(guest).first().waitFor();
      await clean(guest, 'shared');
      const [wide, window_] = await guest.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      assert.ok(wide <= window_, `${wide} > ${window_}`);
      await guest.context().close();
    }
  },
};
