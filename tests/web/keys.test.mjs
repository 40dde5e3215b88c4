// The guide names the keys that the page has.
import { readFileSync } from 'node:fs';
import { assert, until } from './helpers.mjs';

const guide = new URL('../../docs/guide/steering-and-keys.md', import.meta.url);

// First cells of the table below "## Keys", Esc left out: it takes back, and is not told on the page.
function described() {
  const part = readFileSync(guide, 'utf8').split('\n## Keys\n')[1].split('\n## ')[0];
  const rows = part.split('\n').filter(line => line.startsWith('| `'));
  return rows
    .flatMap(row => [...row.split('|')[1].matchAll(/`([^`]+)`/g)].map(match => match[1]))
    .filter(key => key !== 'Esc');
}

export const tests = {
  'the keys in the guide are those in the help of the page': async ({ visit }) => {
    const page = await visit('#/');
    await page.getByRole('heading', { name: 'Queue' }).waitFor();
    const dialog = page.getByRole('dialog');
    await until('the help is open', async () => {
      await page.evaluate(() => document.activeElement?.blur()); // a first page has its field, for text
      await page.keyboard.press('?');
      return dialog.waitFor({ timeout: 5000 }).then(
        () => true,
        () => false,
      );
    });
    const shown = await dialog.locator('kbd').allTextContents();
    assert.ok(shown.length > 20, `only ${shown.length} keys are shown`);
    assert.deepEqual([...shown].sort(), described().sort());
  },
};
