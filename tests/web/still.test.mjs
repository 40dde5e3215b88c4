// The geometry of the page: nothing moves under the pointer, and the board is where one looks, on each size of window.
import {
  api,
  assert,
  desktop,
  drawn,
  lineOf,
  make,
  phone,
  quiet,
  rows,
  settled,
  until,
  untilMoves,
} from './helpers.mjs';
import { holdsStill } from './still.mjs';

const tablet = { width: 820, height: 1180 };

// A page at each of these sizes: one with a mouse for those of desktop and tablet, another under a finger.
async function eachSize(visit, place, look) {
  const options = { reducedMotion: 'reduce' };
  for (const [device, ...windows] of [
    [desktop, desktop.viewport, tablet],
    [phone, phone.viewport],
  ]) {
    const page = await visit(place, { ...device, ...options });
    for (const size of windows) {
      await page.setViewportSize(size);
      await page.locator('cg-board piece').first().waitFor();
      await page.evaluate(() => document.fonts.ready);
      await drawn(page);
      await look(page, size.width);
    }
  }
}

const placeOf = page => page.locator('.board').first().boundingBox();

// An analysis that has grown a little, and changes no more.
async function grown(server, moves) {
  const { id } = await make(server, moves, {
    strategy: { kind: 'halving', move_distance: 20, refine: 3 },
  });
  await untilMoves(server, id, 3);
  await settled(server, id);
  await quiet(server, id);
  return id;
}

const tabs = {
  Picture: 'canvas[aria-busy=false]',
  'Over time': '.u-wrap',
  Evaluations: 'table.evaluations',
  Repertoire: '.repertoire',
  Files: '.file-list',
  Orders: '[data-testid=orders]',
  Moves: '[data-testid=move]',
};

export const tests = {
  'nothing moves when one walks, opens settings and tabs': async ({ server, visit }) => {
    const id = await grown(server, ['e2e4', 'e7e5', 'g1f3']);
    await eachSize(visit, `#/analysis/${id}`, async (page, width) => {
      await rows(page).nth(2).waitFor();
      await rows(page).nth(1).scrollIntoViewIfNeeded();
      await drawn(page);
      const before = await placeOf(page);
      await holdsStill(
        page,
        `a click on a move, ${width}`,
        () => rows(page).nth(1).getByRole('link').first().click(),
        async () => {
          await until('we are there', async () => (await lineOf(page)).length === 1);
          await page.locator('[data-testid=moves], [data-testid=callout]').first().waitFor();
        },
      );
      await holdsStill(
        page,
        `settings, ${width}`,
        () => page.getByRole('button', { name: 'Settings', exact: true }).click(),
        () => page.getByRole('dialog').waitFor(),
      );
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      for (const [tab, shown] of Object.entries(tabs))
        await holdsStill(
          page,
          `${tab}, ${width}`,
          () => page.getByRole('tab', { name: tab }).click(),
          () => page.locator(shown).first().waitFor(),
        );
      const { width: now } = await placeOf(page);
      assert.equal(now, before.width, 'the board has its size from the window alone');
      await page.keyboard.press('Home');
      await until('back', async () => (await lineOf(page)).length === 0);
    });
  },

  'nothing moves when a game of a file is opened, walked, changed and closed': async ({ server, visit }) => {
    const { id } = await make(server, ['e2e4', 'e7e5'], { hold: true });
    const pgn = `[White "Ann"]\n[Black "Bob"]\n\n1. e4 e5 2. Nf3 {mine} Nc6 (2... d6 3. d4) 3. Bb5 a6 1-0\n`;
    await api(server).post(`/analyses/${id}/files`, { name: 'mine.pgn', pgn });
    await eachSize(visit, `#/analysis/${id}?tab=files`, async (page, width) => {
      const game = page.getByTestId('file-game').first();
      await game.waitFor();
      await game.scrollIntoViewIfNeeded();
      const moves = page.getByTestId('game-moves');
      const move = name => moves.getByRole('button', { name, exact: true });
      const chosen = name => moves.locator('[aria-current]').getByText(name, { exact: true }).waitFor();
      const press = name => page.getByRole('button', { name, exact: true }).click();
      const steps = [
        ['a game', () => game.click(), () => moves.waitFor()],
        ['a move', () => move('Nf3').click(), () => chosen('Nf3')],
        ['a variation', () => move('d6').click(), () => chosen('d6')],
        ['edit', () => press('Edit'), () => page.getByLabel('After d6').waitFor()],
        ['a glyph', () => press('?! dubious'), () => chosen('d6?!')],
        [
          'undo',
          () => page.locator('.game').getByRole('button', { name: 'Undo' }).click(),
          () => chosen('d6'),
        ],
        ['another move', () => move('Nc6').click(), () => page.getByLabel('After Nc6').waitFor()],
        ['done', () => press('Done'), () => page.getByLabel('After Nc6').waitFor({ state: 'detached' })],
        ['all files', () => press('All files'), () => game.waitFor()],
        ['paste', () => press('Paste a game…'), () => page.getByLabel('Games as PGN').waitFor()],
      ];
      for (const [what, act, there] of steps) await holdsStill(page, `${what}, ${width}`, act, there);
      await press('Cancel');
    });
  },

  'nothing moves when somebody keeps analysing, and stops': async ({ server, visit }) => {
    const id = await grown(server, ['e2e4', 'e7e5', 'f1c4']);
    let nth = 0;
    await eachSize(visit, `#/analysis/${id}`, async (page, width) => {
      await rows(page).nth(nth++).getByRole('link').first().click();
      await until('we are there', async () => (await lineOf(page)).length === 1);
      await page.locator('[data-testid=moves], [data-testid=callout]').first().waitFor();
      await holdsStill(
        page,
        `keep analysing, ${width}`,
        () => page.locator('.look-key').click(),
        () => page.locator('.look-pv').first().waitFor(),
      );
      await holdsStill(
        page,
        `stop analysing, ${width}`,
        () => page.locator('.look-key').click(),
        () => page.getByTestId('best-line').waitFor(),
      );
      await page.keyboard.press('Home');
      await until('back', async () => (await lineOf(page)).length === 0);
    });
  },

  'the board stays in sight on a telephone, has a column of its own elsewhere, and the wheel walks': async ({
    server,
    visit,
  }) => {
    const id = await grown(server, ['d2d4', 'd7d5', 'g1f3']);
    const arrows = page => page.locator('.cg-custom-svgs polygon');
    const still = { reducedMotion: 'reduce' };
    const hand = await visit(`#/analysis/${id}`, { ...phone, ...still });
    const mouse = await visit(`#/analysis/${id}`, { viewport: tablet, ...still });
    for (const [page, { width, height }] of [
      [hand, phone.viewport],
      [mouse, tablet],
      [mouse, { width: 720, height: 450 }], // 1440×900 at 200 %
      [mouse, { width: 844, height: 390 }],
      [mouse, { width: 768, height: 1024 }],
    ]) {
      const at = `${width}×${height}`;
      await page.setViewportSize({ width, height });
      await rows(page).nth(2).waitFor();
      await page.locator('cg-board piece').first().waitFor();
      await until('arrows', () => arrows(page).count());
      assert.ok((await arrows(page).count()) <= 3, 'three arrows at most');
      await page.mouse.wheel(0, 0); // the page is where it is
      await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
      await drawn(page);
      const board = await placeOf(page);
      assert.ok(board.y >= 0 && board.y + board.height <= height + 1, `in sight at ${at}: ${board.y}`);
      const side = await page.locator('.side').boundingBox();
      if (width < 768 && height > width) {
        assert.ok(board.height <= 0.44 * height + 1, `${board.height} at ${at}`);
        assert.ok(side.width >= width - 30);
      } else {
        assert.ok(side.x >= board.x + board.width, `two columns at ${at}`);
        assert.ok(board.width >= 0.38 * Math.min(width, 1.2 * height), `${board.width} at ${at}`);
      }
      const faults = await page.evaluate(() => {
        const found = [];
        if (document.documentElement.scrollWidth > innerWidth) found.push('wider than the window');
        const buttons = [...document.querySelectorAll('.controls button')].map(e => [
          e.textContent || e.title,
          e.getBoundingClientRect(),
        ]);
        for (const [a, one] of buttons)
          for (const [b, other] of buttons)
            if (one !== other && one.left < other.right - 1 && other.left < one.right - 1)
              found.push(`${a} lies on ${b}`);
        const { right } = document.querySelector('.board-pane').getBoundingClientRect();
        for (const [a, one] of buttons) if (one.right > right + 1) found.push(`${a} is outside`);
        return found;
      });
      assert.deepEqual(faults, [], at);
      if (page === mouse) {
        await page.mouse.move(board.x + board.width / 2, board.y + board.height / 2);
        await page.mouse.wheel(0, 120);
        await until('a move forward', async () => (await lineOf(page)).length === 1);
        await page.mouse.wheel(0, -120);
        await until('and back', async () => (await lineOf(page)).length === 0);
      }
    }
  },

  'the queue of a telephone has one grid: a game has one line, all columns stand below each other': async ({
    server,
    visit,
  }) => {
    const long = ['e2e4', 'e7e5', 'g1f3', 'b8c6', 'f1b5', 'a7a6', 'b5a4', 'g8f6', 'e1g1', 'f8e7'];
    const game = { white: 'Short, Nigel', black: 'Timman, Jan', event: 'Tilburg 1991' };
    await make(server, long, { hold: true, game, tags: ['Ruy Lopez'] });
    await make(server, ['e2e4'], { hold: true });
    const fen = '8/5pk1/4p1p1/3pP3/3P1P2/6K1/6P1/8 w - - 0 1';
    const { id } = await make(server, [], { hold: true, name: fen, position: { fen } });
    const page = await visit('#/', phone);
    await page.getByTestId('analysis').nth(2).waitFor();
    await page.locator(`[data-id="${id}"]`).getByRole('link', { name: 'Pawn ending' }).waitFor();
    const grid = await page.getByTestId('analysis').evaluateAll(list =>
      list.map(row => {
        const box = selector => row.querySelector(selector).getBoundingClientRect();
        return {
          lefts: ['.thumbnail', '.what', '.settled .bar', '.best'].map(s => Math.round(box(s).left)).join(),
          bar: Math.round(box('.settled .bar').width),
          line: box('.what .cut').height,
          right: box('.row-actions').right,
        };
      }),
    );
    assert.equal(new Set(grid.map(g => `${g.lefts} ${g.bar}`)).size, 1, JSON.stringify(grid));
    for (const { line, right } of grid) {
      assert.ok(line < 26, `one line: ${line}`);
      assert.ok(right <= 390);
    }
  },
};
