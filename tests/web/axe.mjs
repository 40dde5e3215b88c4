// axe on a page, in both themes.
import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import { assert } from './helpers.mjs';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export const sizes = [
  { width: 1280, height: 800 },
  { width: 768, height: 1024 },
  { width: 390, height: 844 },
];

async function findings(page) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  return page.evaluate(async () => {
    // chessground's and the charts' insides are pictures with a name of their own
    const result = await window.axe.run({ exclude: ['.cg-wrap', '.uplot'] });
    return result.violations.map(
      v =>
        `${v.id}: ${v.nodes.map(n => `${n.html.slice(0, 120)} (${n.failureSummary?.slice(0, 160)})`).join(' · ')}`,
    );
  });
}

// Nothing is found of what is shown now.
export async function clean(page, what) {
  const { width } = page.viewportSize();
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme });
    assert.deepEqual(await findings(page), [], `${what}, ${width}, ${colorScheme}`);
  }
}
