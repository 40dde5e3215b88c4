// Files read in through the page: what is chosen, what the server makes of it, what is told of it.
import {
  analysis,
  api,
  assert,
  drop,
  hasFocus,
  make,
  node,
  rows,
  settled,
  unfold,
  until,
} from './helpers.mjs';

const file = (name, text) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text, 'latin1') });
const reportOf = async dialog => (await dialog.getByTestId('report').innerText()).replace(/\s+/g, ' ');
const done = dialog => until('all is read', async () => /^\S+ Read /.test(await reportOf(dialog))); // else “…, so far”

const submit = dialog => dialog.getByRole('button', { name: 'Import', exact: true }).click();
const imported = async (dialog, name, text) => {
  await dialog.getByLabel('File').setInputFiles(file(name, text));
  await submit(dialog);
};

const games = `[Event "A"]
[White "Müller"]

1. e4 e5 2. a4 {[%eval 0.21,18]} (2. h4 Nc6) 2... Nf6 *

[Event "B"]

1. e4 e5 2. Na3 Qh4
3. Kxe8 *

[Event "C"]

1. d4 d5 *
`;

export const tests = {
  'a PGN seeds the analysis; what is broken is named by game and line': async ({ server, visit }) => {
    const { id } = await make(server, ['e2e4', 'e7e5'], {
      strategy: { kind: 'halving', move_distance: 10, refine: 2 },
    });
    await settled(server, id);
    const known = (await node(server, id)).moves.map(m => m.uci);
    assert.ok(!['a2a4', 'h2h4', 'b1a3'].some(uci => known.includes(uci)), known.join());
    const page = await visit(`#/analysis/${id}`);
    await rows(page).first().waitFor();
    await page.keyboard.press('o'); // the whole of it by keyboard
    const dialog = page.getByRole('dialog', { name: 'Import' });
    await until('the focus is on the file', () => hasFocus(page.locator('#import-file')));
    assert.equal(await dialog.getByLabel('Moves become seeds of').inputValue(), String(id));
    await dialog.getByLabel('File').setInputFiles(file('mine.pgn', games));
    await dialog.getByLabel('Plies from the root').focus();
    await page.keyboard.press('Enter');
    await done(dialog);
    const report = await reportOf(dialog);
    assert.match(report, /mine\.pgn Read 3 games, 12 moves/);
    assert.match(report, /Seeds 6 added/);
    assert.match(report, /Evaluations 1 added/);
    assert.match(report, /Skipped 1 game with nothing to take Broken 1 place/);
    const errors = dialog.getByTestId('errors').getByRole('listitem');
    assert.equal(await errors.count(), 1);
    assert.match(await errors.innerText(), /^game 2, line 9 .*Kxe8/);
    // Once more: all of it is known.
    await submit(dialog);
    await until('known', async () => /Seeds 0 added, 6 known before/.test(await reportOf(dialog)));
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    for (const uci of ['a2a4', 'h2h4', 'b1a3'])
      await page.locator(`tr[data-uci=${uci}]`).getByRole('img', { name: 'from an imported game' }).waitFor();
  },

  'of a file only what is wanted is taken; what was mended or left out is told with its place, and it is kept as one':
    async ({ server, visit }) => {
      const { id } = await make(server, ['e2e4', 'e7e5'], { hold: true });
      const page = await visit(`#/analysis/${id}`);
      await page.getByRole('button', { name: 'Import' }).click();
      const dialog = page.getByRole('dialog', { name: 'Import' });
      await submit(dialog);
      await dialog.getByText('Choose a file.').waitFor();
      await until('the focus is where it is wrong', () => hasFocus(page.locator('#import-file')));
      await dialog.getByLabel('File').setInputFiles(file('mine.pgn.zst', '\x28\xb5\x2f\xfd'));
      await dialog.locator('#import-file-error').filter({ hasText: 'adjourn import' }).waitFor();
      await dialog.getByLabel('File').setInputFiles(file('mine.pgn', games));
      await dialog.getByLabel('Plies from the root').fill('none');
      await submit(dialog);
      await dialog.getByText('The number of plies is a whole number').waitFor();
      await dialog.getByLabel('Plies from the root').fill('1');
      await dialog.getByRole('button', { name: 'Main lines' }).click();
      await dialog.getByLabel(/evaluations count/).check();
      await submit(dialog);
      await done(dialog);
      assert.match(await reportOf(dialog), /Seeds 2 added Evaluations/); // a4 and Na3
      await dialog.getByText(/^Its evaluations count in Test/).waitFor();
      assert.deepEqual((await analysis(server, id)).accept, ['pgn %eval']);
      await dialog.getByLabel('Plies from the root').fill('');
      await dialog.getByRole('button', { name: 'With variations' }).click();
      await dialog.getByRole('group', { name: 'Whose moves' }).getByRole('button', { name: 'White' }).click();
      await submit(dialog);
      await until('h4 is new', async () => /Seeds 1 added, 2 known before/.test(await reportOf(dialog)));

      const kept = async () => (await api(server).get(`/analyses/${id}/files`)).files.length;
      const before = await kept();
      await imported(
        dialog,
        'book.pgn',
        `${games}[Event "?"]\n[Result "*"]\n\n1. e4 e5 2. Nf3 {mine (2. f4 *\n`,
      );
      await until('all is read', async () => /^book\.pgn Read /.test(await reportOf(dialog)));
      assert.match(await reportOf(dialog), /File \d games kept as they are, .*(mended|left out)/);
      const told = dialog.getByTestId('told').getByRole('listitem');
      await told.first().waitFor();
      assert.match(await told.first().innerText(), /^game \d, line \d+/);
      assert.equal(await kept(), before + 1);
      const filler = '[Event "?"]\n\n1. e4 c5 *\n\n'.repeat(60_000); // more than a part of 1 MB
      assert.ok(filler.length > 1 << 20);
      await imported(dialog, 'many.pgn', filler);
      await until('it has too many games', async () => /many\.pgn Read 60/.test(await reportOf(dialog)));
      assert.match(await reportOf(dialog), /File not kept/);
      assert.equal(await kept(), before + 1);
    },

  'evaluations come without an analysis, from a file that is dropped; a lost network is told; a large file goes in parts':
    [
      async ({ server, visit }) => {
        const { id, name } = await make(server, ['g2g4'], { hold: true });
        const other = await make(server, ['a2a3'], { hold: true });
        const page = await visit('#/');
        await page.getByTestId('analysis').first().waitFor();
        await page.getByRole('button', { name: 'Import' }).click();
        const dialog = page.getByRole('dialog', { name: 'Import' });
        const select = dialog.getByLabel('Moves become seeds of');
        await until('all are there to choose', async () => (await select.innerText()).includes(name));
        assert.equal(await select.inputValue(), '');
        assert.equal(await dialog.getByLabel('Plies from the root').count(), 0);
        const fen = 'rnbqkbnr/pppppppp/8/8/6P1/8/PPPPPP1P/RNBQKBNR b KQkq -';
        const good = JSON.stringify({
          fen,
          evals: [{ pvs: [{ cp: -120, line: 'd7d5 f1g2' }], knodes: 9, depth: 40 }],
        });
        await drop(dialog.locator('.export-grid'), 'lichess.jsonl', `${good}\n{"fen": 3}\n`);
        await until('the format is known', async () =>
          dialog.getByRole('button', { name: 'Lichess JSONL' }).evaluate(b => b.ariaPressed === 'true'),
        );
        await submit(dialog);
        await done(dialog);
        const report = await reportOf(dialog);
        assert.match(report, /lichess\.jsonl Read 2 lines/);
        assert.match(report, /Evaluations 1 added/);
        assert.doesNotMatch(report, /Seeds/);
        assert.match(await dialog.getByTestId('errors').innerText(), /^line 2 /);
        const { evaluations } = await api(server).get(`/analyses/${id}/evaluations`);
        assert.equal(evaluations.filter(e => e.engine === 'lichess' && e.depth === 40).length, 1);
        await dialog.getByRole('button', { name: 'Close' }).click();
        await dialog.waitFor({ state: 'detached' });

        await page
          .getByTestId('analysis')
          .filter({ hasText: other.name })
          .getByRole('button', { name: /Actions/ })
          .click();
        await page.getByRole('menuitem', { name: 'Import…' }).click();
        assert.equal(await dialog.getByLabel('Moves become seeds of').inputValue(), String(other.id));
        // A lost network ends an import, and what was read is told.
        await page.route(/\/import\?/, route => route.abort());
        await imported(dialog, 'mine.pgn', games);
        await dialog.getByRole('alert').filter({ hasText: 'The server does not answer.' }).waitFor();
        await page.unroute(/\/import\?/);
        await submit(dialog);
        await dialog.getByText(/No line of the file leads through the root of Test/).waitFor();
        assert.equal(await dialog.getByRole('alert').count(), 0);

        // A large file goes in parts of whole games, and places are those of the whole file.
        const padding = 'x'.repeat(1500); // more than 4 MiB in all: it is not kept as a whole
        const one = i =>
          `[Event "${i}"]\n[Annotator "${padding}"]\n\n1. a3 ${i === 2500 ? 'a2' : 'e5 2. h3'} *\n\n`;
        const text = Array.from({ length: 3000 }, (_, i) => one(i + 1)).join('');
        const calls = [];
        page.on('request', r => r.url().includes('/import?') && calls.push(new URL(r.url()).searchParams));
        await imported(dialog, 'large.pgn', text);
        await until('all is read', async () => /^large.pgn Read 3.000 games/.test(await reportOf(dialog)));
        assert.equal(await dialog.getByTestId('errors').getByRole('listitem').count(), 1);
        assert.match(await dialog.getByTestId('errors').innerText(), /^game 2500, line 12499 /);
        assert.ok(calls.length >= 3, `${calls.length} parts`);
        assert.equal(calls[0].get('records_before'), '0');
        assert.match(await reportOf(dialog), /Seeds 2 added/);
      },
      { allow: /net::ERR_|Failed to load resource/ },
    ],

  'on a phone the dialog and the fields of a new analysis stay inside': async ({ server, visit }) => {
    const { id } = await make(server, ['h2h4'], { hold: true });
    // What sticks out of its box to either side.
    const outside = box =>
      box.evaluate(element => {
        const { left, right } = element.getBoundingClientRect();
        return [...element.querySelectorAll('button, input, select, p, h3, dd, li')]
          .filter(e => e.getClientRects().length) // shown
          .filter(e => e.getBoundingClientRect().left < left || e.getBoundingClientRect().right > right)
          .map(e => e.outerHTML);
      });
    const page = await visit(`#/analysis/${id}`, { viewport: { width: 360, height: 740 } });
    await page.getByRole('button', { name: 'Import' }).click();
    const dialog = page.getByRole('dialog', { name: 'Import' });
    await dialog.getByLabel('File').setInputFiles(file(`${'long-'.repeat(30)}name.pgn`, games));
    await dialog.getByLabel('Plies from the root').press('Enter');
    await done(dialog);
    await until('the report is in sight', () =>
      dialog.getByTestId('report').evaluate(e => e.getBoundingClientRect().bottom <= innerHeight),
    );
    assert.deepEqual(await outside(dialog.locator('.dialog-body')), []);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.goto(`${server.url}/#/new`);
    await unfold(page);
    await page.getByRole('button', { name: 'Ply by ply' }).click();
    await page.getByLabel('Plan', { exact: true }).waitFor();
    for (const part of await page.locator('fieldset').all()) assert.deepEqual(await outside(part), []);
  },
};
