// For everyone: axe on every view and on what a click opens there; no view is wider than its window.
import { api, assert, collect, direct, make, quiet, rows, settled, untilMoves } from './helpers.mjs';
import { clean, fits, sizes } from './axe.mjs';

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

// What a server says that has machines and webhooks.
const company = {
  workers: {
    machines: [
      machine('ada'),
      machine('ben', { state: 'draining', compared: { answers: 30, different: 4, mean_cp: 31.7 } }),
      machine('cleo', { state: 'away', silent_seconds: 400, refused: 2, last_refusal: 'an illegal move' }),
    ],
    refusals: [{ name: 'attic', reason: 'its engine is another one', at: 1 }],
  },
  webhooks: { webhooks: [hook('chat'), hook('script', { lost: 2, problem: 'it answers 500' })] },
  'webhooks/test': {
    webhooks: [
      { name: 'chat', status: 204, problem: null, milliseconds: 31 },
      { name: 'script', status: null, problem: 'Connection refused', milliseconds: 2 },
    ],
  },
};

const dialogs = {
  keys: page => page.keyboard.press('?'),
  export: page => page.keyboard.press('e'),
  import: page => page.keyboard.press('o'),
  meaning: page => page.keyboard.press('w'),
  settings: page => page.getByRole('button', { name: 'Settings', exact: true }).click(),
  labels: page => page.getByTestId('labels').click(),
};

export const tests = {
  'every view: axe finds nothing, and nothing is wider than its window': async ({ server, visit }) => {
    const { id } = await make(server, ['e2e4', 'e7e5', 'g1f3'], {
      name: 'A name that is rather long',
      strategy: { kind: 'halving', move_distance: 20, refine: 2 },
    });
    await untilMoves(server, id, 3);
    await quiet(server, id);
    const other = await make(server, []);
    await untilMoves(server, other.id);
    const views = [
      ['#/', '[data-testid=process]', true],
      ['#/review', '[data-testid=review-start]', true],
      ['#/new', '[data-testid=create]', true],
      ['#/summary', '.summary-page h1', true],
      [`#/analysis/${id}`, '[data-testid=move]', true],
      [`#/analysis/${id}?tab=picture`, '[data-testid=picture]'],
      [`#/analysis/${id}?tab=time`, '[data-testid=changes]'],
      [`#/analysis/${id}?tab=facts`, 'table.evaluations'],
      [`#/review/${other.id}/e2e4,e7e5,g1f3?at=2`, '[data-testid=accuracy]'],
      ['#/nowhere', 'main.lost h1'],
    ];
    const desk = await visit('#/nowhere');
    const hand = await visit('#/nowhere', {
      viewport: { width: 360, height: 740 },
      hasTouch: true,
      isMobile: true,
    });
    for (const [hash, there, narrow] of views)
      for (const page of [desk, hand]) {
        await page.goto(`${server.url}/${hash}`);
        await page.locator(there).first().waitFor();
        await page.evaluate(() => document.fonts.ready);
        if (page === hand) {
          await fits(page, hash);
          const cut = await page.evaluate(() => {
            const left = document.querySelector('.strip-left span');
            const main = document.querySelector('.strip-main');
            return left && main && left.getBoundingClientRect().right > main.getBoundingClientRect().left;
          });
          assert.ok(!cut, `${hash}: what is left lies under the button`);
          continue;
        }
        await clean(page, hash, [{ width: 1920, height: 1080 }, ...sizes]);
        await page.setViewportSize({ width: 900, height: 700 });
        await fits(page, hash);
        if (!narrow) continue;
        await page.setViewportSize({ width: 320, height: 640 });
        await fits(page, hash);
        const wide = await page.evaluate(() =>
          [...document.querySelectorAll('.top *, table *, main')]
            .filter(e => e.getBoundingClientRect().right > innerWidth)
            .map(e => `${e.tagName} ${e.className} ${e.getBoundingClientRect().right}`),
        );
        assert.deepEqual(wide, [], hash);
      }
  },

  'axe: a queue with tags, dates, a selection, machines, webhooks and their test': async ({
    server,
    visit,
  }) => {
    for (const move_by of ['2020-01-01', '2090-01-01'])
      await make(server, ['a2a3'], {
        hold: true,
        tags: ['club', 'najdorf'],
        game: { opponent: 'Timman', move_by },
      });
    const page = await visit('#/', {
      before: async page => {
        for (const [call, json] of Object.entries(company))
          await page.route(new RegExp(`/api/v1/${call}$`), route => route.fulfill({ json }));
      },
    });
    await page.getByTestId('machine').nth(2).waitFor();
    await page.getByTestId('webhook').nth(1).waitFor();
    await page.getByRole('button', { name: 'Test the webhooks' }).click();
    await page.getByText('chat took the test (204, 31 ms).').waitFor();
    await page.getByText('script: Connection refused').waitFor();
    await page.getByRole('button', { name: 'Select', exact: true }).click();
    await page.getByRole('checkbox').first().check();
    await clean(page, 'queue');
    for (const name of ['Tags…', 'Delete…']) {
      await page.getByRole('button', { name }).click();
      await page.getByRole('dialog').waitFor();
      await clean(page, name);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
  },

  'axe: the queue, where idea differs from alpha': async ({ server, visit }) => {
    const { id } = await make(server, ['a2a3', 'b7b6'], { hold: true });
    const page = await visit('#/', {
      before: async page => {
        const nothing = { contentType: 'text/event-stream', body: ': no news\n\n' };
        await page.route(/\/api\/v1\/events/, route => route.fulfill(nothing));
        await page.route(/\/api\/v1\/analyses$/, async route => {
          const response = await route.fetch();
          const { analyses } = await response.json();
          const best = { uci: 'c1b2', san: 'Bb2', alpha: { cp: 80 }, idea: { cp: -80 } };
          const seen = analyses.map(a => (a.id === id ? { ...a, best: { ...a.best, ...best } } : a));
          await route.fulfill({ response, json: { analyses: seen } });
        });
      },
    });
    await page.locator('.best .score.idea').waitFor();
    await page.locator('.rows .row').first().hover();
    await clean(page, 'queue');
  },

  'axe: an analysis, its dialogs, notes, files, games and engines; the board editor': async ({
    server,
    visit,
  }) => {
    const { id } = await make(server, ['e2e4', 'e7e5']);
    await untilMoves(server, id, 2);
    await quiet(server, id);
    await direct(server, id, ['g1f3', 'b8c6'], 'note', { text: 'the Spanish, see round 3' });
    await direct(server, id, [], 'note', { text: '[%csl Gd5] [%cal Rc2c4] slow' });
    const pgn = `[White "Ann"]\n[Black "Bob"]\n\n1. e4 e5 2. Nf3! {mine} Nc6 (2... d6 {[%cal Gd6d5]} 3. d4) 3. Bb5 a6 1-0\n`;
    await api(server).post(`/analyses/${id}/files`, { name: 'mine.pgn', pgn });
    const page = await visit(`#/analysis/${id}`);
    await rows(page).first().waitFor();
    const dialog = page.getByRole('dialog');
    for (const [name, open] of Object.entries(dialogs)) {
      await open(page);
      await dialog.waitFor();
      await clean(page, name);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' }); // from then on keys are the page's again
    }
    await page.getByRole('button', { name: 'All notes…' }).click();
    await page.getByTestId('listed-note').nth(1).waitFor();
    await clean(page, 'notes');
    await page.getByLabel('Search the notes').fill('nothing like it');
    await page.getByTestId('listed-note').first().waitFor({ state: 'detached' });
    await clean(page, 'no notes');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });

    await page.keyboard.press('k');
    await page.locator('.look-pv').first().waitFor();
    // What a button opens stands beside it: opened in each window.
    for (const size of sizes) {
      await page.setViewportSize(size);
      await page.getByRole('button', { name: 'How to analyse here' }).click();
      await page.getByLabel('Lines').selectOption('3');
      await page.locator('.look-pv').nth(2).waitFor();
      await clean(page, 'keep analysing, its choices', [size]);
      await page.keyboard.press('Escape');
      await page.getByTestId('counters').click();
      await page.getByTestId('progress').waitFor();
      await clean(page, 'counters', [size]);
      await page.keyboard.press('Escape'); // is the popover's own
      await page.getByTestId('progress').waitFor({ state: 'hidden' });
    }
    await page.setViewportSize(sizes[0]);

    await page.goto(`${server.url}/#/analysis/${id}?tab=files`);
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

    await page.goto(`${server.url}/#/new`);
    await page.getByRole('button', { name: 'Set up', exact: true }).click();
    await page
      .getByRole('button', { name: /white knight/i })
      .first()
      .waitFor();
    await clean(page, 'editor');
  },

  'axe: repertoire, what was played, training': async ({ server, visit }) => {
    const { id } = await make(server, ['e2e4', 'c7c5'], {
      strategy: { kind: 'halving', move_distance: 2, refine: 2 },
    });
    await settled(server, id);
    const pgn = '[White "Ada"]\n[Black "Ben"]\n[Date "2019.01.01"]\n\n1. e4 c5 2. a4 h5 1-0\n';
    await collect(server, 'axe', pgn);
    try {
      const page = await visit(`#/analysis/${id}?tab=repertoire`);
      const verdict = page.getByTestId('train-verdict').getByText('What do you play?');
      await page.getByLabel('Their moves within (cp)').fill('200');
      await page.keyboard.press('Enter');
      await page.getByTestId('gap').first().waitFor();
      await clean(page, 'gaps');
      await page.getByLabel('Games to compare with', { exact: true }).selectOption('axe');
      await page.getByTestId('played').waitFor();
      await clean(page, 'played');
      await page.getByTestId('train').click();
      await verdict.waitFor();
      await clean(page, 'training');
      await page.getByTestId('train-show').click();
      await verdict.waitFor({ state: 'detached' });
      await clean(page, 'training, shown');
    } finally {
      await api(server).del('/collections/axe');
    }
  },
};
