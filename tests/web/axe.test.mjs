// axe on what a click opens: dialogs, tabs and strips, in both themes and three sizes.
import { api, assert, make, quiet, rows, until, untilMoves } from './helpers.mjs';
import { clean, sizes } from './axe.mjs';

const still = viewport => ({ viewport, reducedMotion: 'reduce' });

const machine = (id, more = {}) => ({
  id,
  name: `laptop of ${id}`,
  state: 'working',
  profiles: [{ name: 'hash', processes: 4, leases: 4, busy: 0.5, nps: 1500000 }],
  silent_seconds: 1,
  answered: 1200,
  failed: 0,
  late: 3,
  refused: 0,
  last_refusal: null,
  compared: { answers: 30, different: 0, mean_cp: 0 },
  ...more,
});

const machines = {
  machines: [
    machine('ada'),
    machine('ben', { state: 'draining', compared: { answers: 30, different: 4, mean_cp: 31.7 } }),
    machine('cleo', { state: 'away', silent_seconds: 400, refused: 2, last_refusal: 'an illegal move' }),
  ],
  refusals: [{ name: 'attic', reason: 'its engine is another one', at: 1 }],
};

const hook = (name, more = {}) => ({
  name,
  events: ['settled'],
  signed: true,
  sent: 3,
  lost: 0,
  waiting: 0,
  problem: null,
  ...more,
});

// The queue of a server that has machines and webhooks.
async function company(visit, viewport) {
  const page = await visit('#/nowhere', still(viewport));
  await page.route(/\/api\/v1\/workers$/, route => route.fulfill({ json: machines }));
  await page.route(/\/api\/v1\/webhooks$/, route =>
    route.fulfill({
      json: { webhooks: [hook('chat'), hook('script', { lost: 2, problem: 'it answers 500' })] },
    }),
  );
  await page.route(/\/api\/v1\/webhooks\/test$/, route =>
    route.fulfill({
      json: {
        webhooks: [
          { name: 'chat', status: 204, problem: null, milliseconds: 31 },
          { name: 'script', status: null, problem: 'Connection refused', milliseconds: 2 },
        ],
      },
    }),
  );
  await page.goto(page.url().replace(/#.*/, '#/'));
  await page.getByTestId('machine').nth(2).waitFor();
  return page;
}

const dialogs = {
  keys: page => page.keyboard.press('?'),
  export: page => page.keyboard.press('e'),
  import: page => page.keyboard.press('o'),
  meaning: page => page.keyboard.press('w'),
  settings: page => page.getByRole('button', { name: 'Settings', exact: true }).click(),
  labels: page => page.getByTestId('labels').click(),
};

export const tests = {
  'axe: machines, webhooks and their test': async ({ visit }) => {
    for (const viewport of sizes) {
      const page = await company(visit, viewport);
      await page.getByTestId('webhook').nth(1).waitFor();
      await page.getByRole('button', { name: 'Test the webhooks' }).click();
      await page.getByText('chat took the test (204, 31 ms).').waitFor();
      await page.getByText('script: Connection refused').waitFor();
      await clean(page, 'queue');
      await page.context().close();
    }
  },

  'axe: the queue, where idea differs from alpha': async ({ server, visit }) => {
    const { id } = await make(server, ['a2a3', 'b7b6'], { hold: true });
    for (const viewport of sizes) {
      const page = await visit('#/nowhere', still(viewport));
      const nothing = { contentType: 'text/event-stream', body: ': no news\n\n' };
      await page.route(/\/api\/v1\/events/, route => route.fulfill(nothing));
      await page.route(/\/api\/v1\/analyses$/, async route => {
        const response = await route.fetch();
        const { analyses } = await response.json();
        const best = { uci: 'c1b2', san: 'Bb2', alpha: { cp: 80 }, idea: { cp: -80 } };
        const seen = analyses.map(a => (a.id === id ? { ...a, best: { ...a.best, ...best } } : a));
        await route.fulfill({ response, json: { analyses: seen } });
      });
      await page.goto(page.url().replace(/#.*/, '#/'));
      await page.reload();
      await page.locator('.best .score.idea').waitFor();
      await page.locator('.rows .row').first().hover();
      await clean(page, 'queue');
      await page.unrouteAll({ behavior: 'ignoreErrors' }); // an answer may be on its way
      await page.context().close();
    }
  },

  'axe: dialogs of an analysis': async ({ server, visit }) => {
    const { id } = await make(server, ['a2a3']);
    await untilMoves(server, id);
    for (const viewport of sizes) {
      const page = await visit(`#/analysis/${id}`, still(viewport));
      await rows(page).first().waitFor();
      for (const [name, open] of Object.entries(dialogs)) {
        await open(page);
        await page.getByRole('dialog').waitFor();
        await clean(page, name);
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' }); // from then on keys are the page's again
      }
      await page.context().close();
    }
  },

  'axe: all notes, and drawings': async ({ server, visit }) => {
    const { id } = await make(server, ['d2d4', 'd7d5'], { hold: true });
    for (const [moves, text] of [
      [['c2c4', 'e7e6'], 'the Orthodox, see round 3'],
      [[], '[%csl Gd5] [%cal Rc2c4] slow'],
    ])
      await api(server).post(`/analyses/${id}/directives`, { moves, action: 'note', text });
    for (const viewport of sizes) {
      const page = await visit(`#/analysis/${id}`, still(viewport));
      await page.getByRole('button', { name: 'All notes…' }).click();
      await page.getByTestId('listed-note').nth(1).waitFor();
      await clean(page, 'notes');
      await page.getByLabel('Search the notes').fill('nothing like it');
      await page.getByTestId('listed-note').first().waitFor({ state: 'detached' });
      await clean(page, 'no notes');
      await page.context().close();
    }
  },

  'axe: repertoire, what was played, training': async ({ server, visit }) => {
    const { id } = await make(server, ['e2e4', 'c7c5'], {
      strategy: { kind: 'halving', move_distance: 2, refine: 2 },
    });
    await until('it is settled', async () => (await api(server).get(`/analyses/${id}`)).state === 'settled');
    const pgn = '[White "Ada"]\n[Black "Ben"]\n[Date "2019.01.01"]\n\n1. e4 c5 2. a4 h5 1-0\n';
    const response = await fetch(`${server.url}/api/v1/collections/axe`, {
      method: 'POST',
      headers: { 'Content-Type': 'text/plain' },
      body: pgn,
    });
    assert.ok(response.ok, await response.text());
    try {
      for (const viewport of sizes) {
        const page = await visit(`#/analysis/${id}?tab=repertoire`, still(viewport));
        await page.getByLabel('Their moves within (cp)').fill('200');
        await page.keyboard.press('Enter');
        await page.getByTestId('gap').first().waitFor();
        await clean(page, 'gaps');
        await page.getByLabel('Games to compare with', { exact: true }).selectOption('axe');
        await page.getByTestId('played').waitFor();
        await clean(page, 'played');
        await page.getByTestId('train').click();
        await page.getByTestId('train-verdict').getByText('What do you play?').waitFor();
        await clean(page, 'training');
        await page.getByTestId('train-show').click();
        await page.getByTestId('train-verdict').getByText('What do you play?').waitFor({ state: 'detached' });
        await clean(page, 'training, shown');
        await page.context().close();
      }
    } finally {
      await api(server).del('/collections/axe');
    }
  },

  'axe: files, what had to be mended, a game and its editor': async ({ server, visit }) => {
    const { id } = await make(server, ['e2e4', 'e7e5'], { hold: true });
    const pgn = `[White "Ann"]\n[Black "Bob"]\n\n1. e4 e5 2. Nf3! {mine} Nc6 (2... d6 {[%cal Gd6d5]} 3. d4) 3. Bb5 a6 1-0\n`;
    await api(server).post(`/analyses/${id}/files`, { name: 'mine.pgn', pgn });
    for (const viewport of sizes) {
      const page = await visit(`#/analysis/${id}?tab=files`, still(viewport));
      await page.getByTestId('file').first().waitFor();
      await clean(page, 'files');
      await page.getByRole('button', { name: 'Paste a game…' }).click();
      await page.getByLabel('Games as PGN').fill('1. e4 e5 2. Nf3 Qh7 3. d4 *');
      await clean(page, 'a game to paste');
      await page.getByRole('button', { name: 'Keep the games' }).click();
      await page.getByTestId('told').waitFor();
      await clean(page, 'what had to be mended');
      await page.getByRole('button', { name: 'Actions for mine.pgn' }).click();
      await page.getByRole('menuitem', { name: 'Rename…' }).click();
      await page.getByLabel('Name of the file').waitFor();
      await clean(page, 'a file to rename');
      await page.keyboard.press('Escape');
      await page.getByTestId('file').filter({ hasText: 'mine.pgn' }).getByTestId('file-game').click();
      await page.getByTestId('game-moves').waitFor();
      await clean(page, 'a game');
      await page.getByRole('button', { name: 'Edit', exact: true }).click();
      await page.getByTestId('game-moves').getByRole('button', { name: 'd6', exact: true }).click();
      await page.getByLabel('After d6').waitFor();
      await clean(page, 'a game that is changed');
      await page.context().close();
    }
  },

  'axe: the engine that keeps analysing': async ({ server, visit }) => {
    const { id } = await make(server, ['e2e4', 'b7b6']);
    await untilMoves(server, id, 2);
    await quiet(server, id);
    for (const viewport of sizes) {
      const page = await visit(`#/analysis/${id}`, still(viewport));
      await rows(page).first().waitFor();
      await page.keyboard.press('k');
      await page.locator('.look-pv').first().waitFor();
      await page.getByRole('button', { name: 'How to analyse here' }).click();
      await page.getByLabel('Lines').selectOption('3');
      await page.locator('.look-pv').nth(2).waitFor();
      await clean(page, 'keep analysing, its choices');
      await page.keyboard.press('Escape');
      await page.getByTestId('counters').click();
      await page.getByTestId('progress').waitFor();
      await clean(page, 'counters');
      await page.keyboard.press('Escape'); // is the popover's own
      await page.getByTestId('progress').waitFor({ state: 'hidden' });
      // Who leaves ends it, unless it has gone as deep as it can meanwhile.
      await page.goto(`${server.url}/#/`);
      await page.getByRole('heading', { name: 'Queue' }).waitFor();
      await page.context().close();
    }
  },

  'axe: the board editor and the settings of a new analysis': async ({ visit }) => {
    for (const viewport of sizes) {
      const page = await visit('#/new', still(viewport));
      await page.getByTestId('board').waitFor();
      await page.getByRole('button', { name: 'Set up', exact: true }).click();
      await page
        .getByRole('button', { name: /white knight/i })
        .first()
        .waitFor();
      await clean(page, 'editor');
      await page.context().close();
    }
  },
};
