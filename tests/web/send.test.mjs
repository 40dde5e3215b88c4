// What can be sent to somebody: one HTML file, and paper.
import { mkdtempSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { assert, direct, make, quiet, rows, settledTo, untilMoves } from './helpers.mjs';

export const tests = {
  'an analysis becomes one HTML file that shows itself without a server; paper shows it without anything to click':
    async ({ server, visit }) => {
      const { id, name } = await make(server, ['e2e4', 'e7e5'], {
        strategy: { kind: 'halving', move_distance: 20, refine: 3 },
      });
      await settledTo(server, id, 2);
      await quiet(server, id);
      const { moves } = await untilMoves(server, id, 2);
      const text = 'Not <b>so</b> sure';
      await direct(server, id, [moves[0].uci], 'note', { text });
      const page = await visit(`#/analysis/${id}`);
      await rows(page).first().waitFor();
      await page.keyboard.press('e');
      const saved = page.waitForEvent('download');
      await page.getByTestId('html').click();
      const file = path.join(mkdtempSync(path.join(tmpdir(), 'adjourn-page-')), 'sent.html');
      await (await saved).saveAs(file);
      assert.doesNotMatch(await readFile(file, 'utf8'), /<script/i);
      const sent = await page.context().newPage();
      const asked = [];
      sent.on('request', request => asked.push(request.url()));
      await sent.goto(pathToFileURL(file).href);
      await sent.getByRole('heading', { level: 1, name }).waitFor();
      assert.equal(
        await sent.getByRole('table').locator('tbody tr').count(),
        moves.filter(m => m.alpha).length,
      );
      assert.ok((await sent.getByRole('img', { name: 'Board' }).count()) > 2);
      await sent.getByText(text).waitFor(); // as text: nothing in it is HTML
      await sent.getByRole('heading', { name: 'The tree' }).waitFor();
      assert.ok((await sent.locator('details').count()) > 0);
      assert.deepEqual(
        asked.filter(url => !/^(data|file):/.test(url)),
        [],
      );

      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.emulateMedia({ media: 'print' });
      assert.ok(await page.getByTestId('board').isVisible());
      assert.ok(await rows(page).first().isVisible());
      for (const name of ['Settings', 'Export', 'Pause'])
        assert.equal(await page.getByRole('button', { name }).count(), 0);
      assert.equal(await page.getByRole('navigation', { name: 'Pages' }).count(), 0);
    },
};
