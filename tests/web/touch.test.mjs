// The board under a finger, right after the page was opened.
import {
  assert,
  drawn,
  lineOf,
  make,
  node,
  phone,
  quiet,
  rows,
  square,
  until,
  untilMoves,
} from './helpers.mjs';

const sizes = [
  [390, 844],
  [844, 390],
  [768, 1024],
];

const selected = async page => {
  const marked = page.locator('cg-board square.selected');
  return (await marked.count()) ? marked.first().boundingBox() : null;
};

export const tests = {
  'moves and scores are whole in the table, however wide the window; so is the line of what engines do now':
    async ({ server, visit }) => {
      const { id } = await make(server, ['e2e4', 'e7e5', 'g1f3']);
      await untilMoves(server, id, 4);
      await quiet(server, id);
      const standing_search = {
        depth: 24,
        running_seconds: 754,
        nodes: 1_000_000,
        score: { cp: 31 },
        pv: ['e5', 'Nf3', 'Nc6', 'Bb5'],
      };
      const page = await visit(`#/analysis/${id}`, {
        before: page =>
          page.route(new RegExp(`/api/v1/analyses/${id}$`), async route => {
            const response = await route.fetch();
            return route.fulfill({ json: { ...(await response.json()), standing_search } });
          }),
      });
      await rows(page).first().waitFor();
      await page.evaluate(() => document.fonts.ready);
      for (const width of [360, 768, 844, 1024, 1180, 1280, 1440]) {
        await page.setViewportSize({ width, height: 800 });
        await drawn(page);
        const { cut, move } = await page.evaluate(() => {
          const cells = [...document.querySelectorAll('.moves tbody tr > :not(.c-line, .c-status)')];
          return {
            cut: cells.filter(cell => cell.scrollWidth > cell.clientWidth + 1).map(cell => cell.textContent),
            move: document.querySelector('.moves th.c-move').clientWidth,
          };
        });
        assert.deepEqual(cut, [], `cut at ${width}`);
        assert.ok(move >= 76, `no room for Nbxd7+ at ${width}: ${move}`);
      }
      const line = page.getByTestId('live').filter({ hasText: 'deep search' });
      await line.waitFor();
      assert.match(await line.textContent(), /depth 24.*\+0\.31 e5 Nf3 Nc6 Bb5$/);
      for (const width of [1180, 1280, 1366, 1440]) {
        await page.setViewportSize({ width, height: 800 });
        await drawn(page);
        const [all, seen] = await line.evaluate(e => [e.scrollWidth, e.clientWidth]);
        assert.ok(all <= seen, `${width}: ${all} of ${seen}`);
      }
    },

  'a board is tapped after a fresh load, whatever stands above it came later': async ({ server, visit }) => {
    const { id } = await make(server, ['e2e4']);
    await untilMoves(server, id, 2);
    await quiet(server, id);
    for (const [width, height] of sizes) {
      const page = await visit(`#/analysis/${id}`, {
        viewport: { width, height },
        hasTouch: true,
        before: page =>
          page.route(new RegExp(`/analyses/${id}$`), async route => {
            await until('the board is there', () => page.locator('cg-board').count(), 20);
            await route.continue();
          }),
      });
      await rows(page).first().waitFor();
      await page.locator('cg-board piece').first().waitFor();
      for (const name of ['a7', 'd7', 'h7', 'g8']) {
        await page.touchscreen.tap(...(await square(page, name)));
        const [x, y] = await square(page, name);
        const stands = async () => {
          const at = await selected(page);
          return at && Math.abs(at.x + at.width / 2 - x) < 3 && Math.abs(at.y + at.height / 2 - y) < 3;
        };
        await until(`${name} is selected at ${width}×${height}`, stands, 10);
      }
      await page.touchscreen.tap(...(await square(page, 'd7')));
      await page.touchscreen.tap(...(await square(page, 'd6')));
      await until('played', async () => (await lineOf(page)).join() === 'd7d6', 10);
    }
  },

  'a leaf shows what the engine said of the move that leads there, with its line': async ({
    server,
    visit,
  }) => {
    const { id } = await make(server, ['d2d4'], {
      strategy: { kind: 'halving', move_distance: 30, refine: 2 },
    });
    await untilMoves(server, id, 2);
    await quiet(server, id);
    const root = await node(server, id);
    const leaf = await until('a leaf', async () => {
      const walk = async (line, n) => {
        const found = n.moves.find(m => m.status === 'leaf' && m.alpha);
        if (found) return [...line, found.uci];
        for (const m of n.moves.filter(m => m.status === 'expanded').slice(0, 2)) {
          const deeper = await walk([...line, m.uci], await node(server, id, [...line, m.uci]));
          if (deeper) return deeper;
        }
        return null;
      };
      return walk([], root);
    });
    const page = await visit(`#/analysis/${id}/${leaf.join()}`);
    const answer = page.getByTestId('answer');
    await answer
      .getByText(/[+−]?\d\.\d\d/)
      .first()
      .waitFor();
    assert.doesNotMatch(await answer.innerText(), /^–/);
    assert.match(await page.getByTestId('value-engine').innerText(), /\d\.\d\d/);
    await page.getByTestId('callout').getByText('the engine’s word').waitFor();
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
