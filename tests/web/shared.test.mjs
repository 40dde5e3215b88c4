// Whoever gets a link looks at one analysis: walks, reads, downloads, and changes nothing; until it is revoked.
import { api, assert, direct, goTo, make, offered } from './helpers.mjs';
import { quiet, readsOnly, rows, saved, until, untilMoves } from './helpers.mjs';
import { clean, sizes } from './axe.mjs';

// With a note and a file, and at rest.
async function prepared(server) {
  const { id, name } = await make(server, ['e2e4', 'e7e5']);
  await untilMoves(server, id, 2);
  await direct(server, id, [], 'note', { text: 'look here' });
  await api(server).post(`/analyses/${id}/files`, { name: 'ours', pgn: '1. e4 e5 2. Nf3 {mine} *' });
  return { id, name };
}

// The owner makes a link for somebody, and copies it.
async function shareWith(owner, whom) {
  await owner.getByLabel('For whom').fill(whom);
  await owner.getByRole('button', { name: 'Make a link and copy it' }).click();
  await owner.getByText('Link copied.').waitFor();
  return owner.evaluate(() => navigator.clipboard.readText());
}

// Somebody else opens it: the page, and every call that it makes, with how it was answered.
async function guestAt(visit, address) {
  const calls = [];
  const page = await visit(address, {
    before: page =>
      page.on('response', response => {
        const { pathname } = new URL(response.url());
        if (pathname.startsWith('/api/'))
          calls.push(`${response.request().method()} ${pathname} ${response.status()}`);
      }),
  });
  return { page, calls };
}

export const tests = {
  'a link is made, copied and opened by somebody else, who can only look, until it is revoked': [
    async ({ server, visit }) => {
      const { id, name } = await prepared(server);
      const other = await make(server, ['d2d4']);
      const owner = await visit(`#/analysis/${id}`);
      await owner.getByRole('button', { name: 'Share', exact: true }).click();
      await owner.getByTestId('loopback').waitFor(); // it opens here only
      await owner.getByText('Nobody has a link yet.').waitFor();
      const address = await shareWith(owner, 'the club');
      await owner.getByTestId('link').getByText('the club').waitFor();
      const [{ path, secret }] = (await api(server).get(`/analyses/${id}/links`)).links;
      assert.equal(address, `${server.url}${path}`);

      const { page, calls } = await guestAt(visit, address);
      await rows(page).first().waitFor();
      await page.getByTestId('shared').getByText('Shared by link, read only').waitFor();
      assert.ok(!page.url().includes(secret), page.url());
      assert.ok(!(await page.evaluate(() => JSON.stringify(localStorage))).includes(secret));
      await page.getByRole('heading', { name, exact: true }).waitFor();
      await page.getByTestId('note').getByText('look here').waitFor();

      await readsOnly(page, { id, other });
      await page.getByRole('button', { name: 'Export', exact: true }).click();
      const dialog = page.getByRole('dialog');
      const download = await saved(page, dialog.getByRole('button', { name: /^Download/ }).first());
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
      await clean(page, 'shared');

      // It is revoked while it is open.
      await owner.getByRole('button', { name: 'Revoke the club' }).click();
      await owner.getByText('This cannot be undone.').waitFor();
      await clean(owner, 'share');
      assert.equal((await api(server).get(`/analyses/${id}/links`)).links.length, 1); // not yet
      await owner.getByRole('button', { name: 'Revoke for good' }).click();
      await owner.getByText('Nobody has a link yet.').waitFor();
      const told = page.getByRole('heading', { name: 'This link does not hold any more' });
      await told.waitFor();
      for (const again of [() => page.reload(), () => page.goto(address)]) {
        await again();
        await told.waitFor();
        assert.ok(!(await page.evaluate(() => document.body.innerText)).includes(name));
      }
      await clean(page, 'revoked', [sizes[0]]);
      await page.getByRole('button', { name: 'Leave' }).click();
      await page.getByRole('link', { name: 'Queue', exact: true }).waitFor(); // this server wants no token
    },
    { allow: /401/ },
  ],

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
    const address = await shareWith(owner, 'the pupil');
    const [{ path, file }] = (await api(server).get(`/analyses/${id}/links`)).links;
    assert.equal(file, ours.id);
    assert.equal(address, `${server.url}${path}`);

    const { page, calls } = await guestAt(visit, address);
    await page.getByTestId('games').getByText('Cleo').waitFor();
    await page.getByTestId('shared').waitFor();
    await clean(page, 'shared table', [sizes[0]]);
    await goTo(page, `#/review/${id}/file/${ours.id}/game/1?at=3`);
    await page.getByRole('heading', { level: 1, name: 'Ada – Ben' }).waitFor();
    await page.getByTestId('accuracy').waitFor();
    await page.keyboard.press('d');
    await clean(page, 'shared game', [sizes[0]]);
    assert.deepEqual(
      (await offered(page)).filter(label => /^(Share|Search it deeper|Find the better move)/.test(label)),
      [],
    );
    assert.equal(await page.getByRole('link', { name: /Open in the tree|Other games/ }).count(), 0);
    const download = await saved(page, page.getByRole('button', { name: 'Download PGN' }));
    assert.equal(download.suggestedFilename(), 'ada-ben-review.pgn');
    for (const elsewhere of ['#/', `#/analysis/${id}`, `#/review/${id}/file/${theirs.id}`, '#/review']) {
      await goTo(page, elsewhere);
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
};
