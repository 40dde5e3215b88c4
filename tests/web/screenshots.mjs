// Pictures of the page for docs/img: light, dark, phone, of the server that ADJOURN_URL names. There
// analysis 1 is that of server/program/package/demonstration, and scenes.mjs makes the others; the three of a first evening
// (first-position first-line first-moves) want a new server instead.
// node screenshots.mjs [FOLDER] [NAME…|all]
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { launch, open } from './browser.mjs';
import { startServer } from './backend.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const folder = path.resolve(process.argv[2] ?? path.join(here, '../../docs/img'));
const named = process.argv.slice(3);
const documented = [
  'tree',
  'tree-dark',
  'tree-phone',
  'queue',
  'queue-phone',
  'new',
  'picture',
  'picture-dark',
  'time',
  'alpha-idea',
  'picture-zaitsev',
  'files',
  'export',
  'import',
  'review',
];
const only = named.includes('all') ? [] : named.length ? named : documented;
await mkdir(folder, { recursive: true });

const desktop = { viewport: { width: 1280, height: 800 } };
const phone = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };
const dark = { colorScheme: 'dark' };

const zaitsev = { viewport: { width: 1180, height: 720 } };
const small = { viewport: { width: 1180, height: 640 } };

async function typeFirst(page) {
  await page.getByLabel('Opening, moves, FEN or PGN').fill('1. e4 c5 2. Nf3 d6');
  await page.locator('[data-testid=board][data-fen*=" w "]').waitFor();
}

const immortal = `[Event "London"]
[White "Anderssen, Adolf"]
[Black "Kieseritzky, Lionel"]
[Date "1851.06.21"]
[Result "1-0"]

1. e4 e5 2. f4 exf4 3. Bc4 Qh4+ 4. Kf1 b5 5. Bxb5 Nf6 6. Nf3 Qh6 7. d3 Nh5 8. Nh4 Qg5 9. Nf5 c6 10. g4 Nf6 11. Rg1 cxb5
12. h4 Qg6 13. h5 Qg5 14. Qf3 Ng8 15. Bxf4 Qf6 16. Nc3 Bc5 17. Nd5 Qxb2 18. Bd6 Bxg1 19. e5 Qxa1+ 20. Ke2 Na6 21. Nxg7+ Kd8
22. Qf6+ Nxf6 23. Be7# 1-0
`;

const moves = page => page.getByTestId('moves').locator('tbody tr').first().waitFor();
const shots = [
  ['tree', '#/analysis/1', desktop, moves],
  [
    'tree-deep',
    '#/analysis/1/g8f6',
    desktop,
    async page => {
      await moves(page);
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
    },
  ],
  ['tree-dark', '#/analysis/1', { ...desktop, ...dark }, moves],
  ['tree-phone', '#/analysis/1', phone, moves],
  ['tree-phone-dark', '#/analysis/1', { ...phone, ...dark }, moves],
  ['queue', '#/', desktop, page => page.getByTestId('process').first().waitFor()],
  ['queue-dark', '#/', { ...desktop, ...dark }, page => page.getByTestId('process').first().waitFor()],
  ['queue-phone', '#/', phone, page => page.getByTestId('analysis').first().waitFor()],
  [
    'new',
    '#/new',
    desktop,
    async page => {
      await page.getByLabel('Opening, moves, FEN or PGN').fill('najdorf');
      await page.getByRole('option').first().waitFor();
      await page.keyboard.press('Enter'); // the list would cover what comes next
      await page.getByRole('button', { name: 'Overnight' }).click();
    },
  ],
  [
    'new-phone',
    '#/new',
    phone,
    async page => {
      await page.getByTestId('board').waitFor();
    },
  ],
  [
    'picture',
    '#/analysis/1?tab=picture',
    desktop,
    async page => {
      await page.locator('canvas[data-cells][aria-busy=false]').waitFor();
    },
  ],
  [
    'picture-dark',
    '#/analysis/1?tab=picture',
    { ...desktop, ...dark },
    async page => {
      await page.locator('canvas[data-cells][aria-busy=false]').waitFor();
    },
  ],
  ['time', '#/analysis/1?tab=time', desktop, page => page.locator('.u-wrap').first().waitFor()],
  [
    'time-dark',
    '#/analysis/1?tab=time',
    { ...desktop, ...dark },
    page => page.locator('.u-wrap').first().waitFor(),
  ],
  ['time-phone', '#/analysis/1?tab=time', phone, page => page.locator('.u-wrap').first().waitFor()],
  ['facts', '#/analysis/1?tab=facts', desktop, page => page.locator('.evaluations').waitFor()],
  // A game of its first file, while it is changed.
  [
    'files',
    '#/analysis/1?tab=files',
    { viewport: { width: 1280, height: 960 } },
    async page => {
      await page.getByTestId('file-game').first().click();
      await page.getByTestId('game-moves').getByRole('button', { name: 'Bf8', exact: true }).click();
      await page.getByRole('button', { name: 'Edit', exact: true }).click();
      await page.getByLabel('After Bf8').waitFor();
    },
  ],
  [
    'export',
    '#/analysis/1',
    desktop,
    async page => {
      await moves(page);
      await page.keyboard.press('e');
      await page.getByTestId('preview').filter({ hasText: 'Event' }).waitFor();
    },
  ],
  [
    'import',
    '#/analysis/1',
    desktop,
    async page => {
      await moves(page);
      await page.keyboard.press('o');
      const dialog = page.getByRole('dialog');
      const text =
        '[Event "A"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Bb7 ' +
        '10. d4 Re8 11. a3 {[%eval 0.4,18]} (11. Nbd2) 11... h6 *\n\n[Event "B"]\n\n1. e4 e5 2. Kf3 *\n';
      await dialog
        .getByLabel('File')
        .setInputFiles({ name: 'games.pgn', mimeType: 'text/plain', buffer: Buffer.from(text) });
      await dialog.getByRole('button', { name: 'Import', exact: true }).click();
      await dialog.getByTestId('report').getByRole('heading').waitFor();
    },
  ],
  [
    'keys',
    '#/analysis/1',
    desktop,
    async page => {
      await moves(page);
      await page.keyboard.press('?');
    },
  ],
  [
    'settings',
    '#/analysis/1',
    desktop,
    async page => {
      await moves(page);
      await page.getByRole('button', { name: 'Settings' }).click();
    },
  ],
  [
    'menu',
    '#/analysis/1',
    desktop,
    async page => {
      await moves(page);
      await page.getByTestId('move').nth(1).getByRole('button').click();
    },
  ],
  ['alpha-idea', '#/analysis/1/f3g5,e8f8', zaitsev, moves],
  [
    'picture-zaitsev',
    '#/analysis/1?tab=picture',
    zaitsev,
    async page => {
      await page.locator('canvas[data-cells][aria-busy=false]').waitFor();
    },
  ],
  ['first-position', '#/', small, typeFirst],
  [
    'first-line',
    '#/',
    small,
    async page => {
      await typeFirst(page);
      await page.getByRole('button', { name: '10 minutes' }).click();
      await page
        .getByTestId('searched-here')
        .getByText(/depth \d\d/)
        .waitFor();
    },
  ],
  [
    'first-moves',
    '#/analysis/1',
    small,
    page => page.locator('[data-testid=move] .c-alpha .score').nth(4).waitFor(),
  ],
];

// The last, since it adds an analysis to the queue.
shots.push([
  'review',
  '#/review',
  { viewport: { width: 1280, height: 960 } },
  async page => {
    await page.getByLabel(/^Paste/).fill(immortal);
    await page.getByTestId('review-start').click();
    await page.getByTestId('moment-row').first().waitFor();
    await page.getByTestId('review-progress').waitFor({ state: 'detached', timeout: 1_800_000 });
    await page.getByTestId('moment-row').nth(3).click();
    await page.getByTestId('moment').getByText('chances').first().waitFor();
  },
]);

const server = await startServer();
const browser = await launch();
for (const [name, hash, options, ready] of shots) {
  if (only.length && !only.includes(name)) continue;
  const { context, page, errors } = await open(browser, `${server.url}/${hash}`, options);
  await ready(page);
  await page.evaluate(() => document.fonts.ready);
  if (!name.startsWith('first-')) await page.waitForTimeout(400); // the board's animation; what is told meanwhile passes
  await page.screenshot({ path: path.join(folder, `${name}.png`) });
  if (errors.length) console.log(name, errors);
  await context.close();
}
await browser.close();
await server.stop();
