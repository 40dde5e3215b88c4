// The board under a finger, right after the page was opened.
import { api, assert, lineOf, make, node, quiet, rows, square, until, untilMoves } from './helpers.mjs';

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
  'moves and scores are whole in the table, however wide the window': async ({ server, visit }) => {
    const { id } = await make(server, ['e2e4', 'e7e5', 'g1f3']);
    await untilMoves(server, id, 4);
    await quiet(server, id);
    for (const width of [360, 768, 844, 1024, 1180, 1280, 1440]) {
      const page = await visit('#/', { viewport: { width, height: 800 } });
      await page.goto(page.url().replace(/#.*/, `#/analysis/${id}`));
      await rows(page).first().waitFor();
      const { cut, move } = await page.evaluate(() => {
        const cells = [...document.querySelectorAll('.moves tbody tr > :not(.c-line, .c-status)')];
        return {
          cut: cells.filter(cell => cell.scrollWidth > cell.clientWidth + 1).map(cell => cell.textContent),
          move: document.querySelector('.moves th.c-move').clientWidth,
        };
      });
      assert.deepEqual(cut, [], `cut at ${width}`);
      assert.ok(move >= 76, `no room for Nbxd7+ at ${width}: ${move}`);
      await page.context().close();
    }
  },

  'a board is tapped after a fresh load, whatever stands above it came later': async ({ server, visit }) => {
    const { id } = await make(server, ['e2e4']);
    await untilMoves(server, id, 2);
    await quiet(server, id);
    for (const [width, height] of sizes) {
      const page = await visit('#/', { viewport: { width, height }, hasTouch: true });
      await page.route(new RegExp(`/analyses/${id}$`), async route => {
        await until('the board is there', () => page.locator('cg-board').count(), 20);
        await route.continue();
      });
      await page.goto(page.url().replace(/#.*/, `#/analysis/${id}`));
      await page.reload();
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

  'a position that stood here before is worth a draw, and says so': async ({ server, visit }) => {
    const { id } = await make(server, []);
    await untilMoves(server, id, 2);
    await quiet(server, id);
    const page = await visit(`#/analysis/${id}/g1f3,g8f6,f3g1,f6g8`);
    await page.getByTestId('best-line').getByText('stood here before').waitFor();
    assert.match(await page.getByTestId('answer').innerText(), /0\.00/);
    assert.equal(await page.getByTestId('include').count(), 0);
    assert.match(await page.getByTestId('value-idea').innerText(), /[+−]\d/);
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

  'excluded moves stand last': async ({ server, visit }) => {
    const { id } = await make(server, ['e2e4', 'e7e6']);
    const n = await untilMoves(server, id, 2);
    await quiet(server, id);
    const page = await visit(`#/analysis/${id}`);
    await rows(page).nth(1).waitFor();
    await api(server).post(`/analyses/${id}/directives`, { moves: [n.moves[0].uci], action: 'exclude' });
    await page.reload();
    await page.locator('tr.excluded').waitFor();
    assert.equal(await rows(page).last().getAttribute('data-uci'), n.moves[0].uci);
  },

  'now on a paused analysis says why not, and resumes if asked': [
    async ({ server, visit }) => {
      const { id } = await make(server, ['c2c4']);
      await untilMoves(server, id, 2);
      await quiet(server, id);
      const page = await visit(`#/analysis/${id}`);
      await rows(page).first().waitFor();
      await page.keyboard.press('n');
      await page.getByRole('status').getByRole('button', { name: 'Resume' }).click();
      await until('at work', async () => !(await api(server).get(`/analyses/${id}`)).hold);
    },
    { allow: /409/ },
  ],
};
