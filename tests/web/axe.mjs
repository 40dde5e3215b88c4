// axe on what is shown, in windows of several sizes and in both themes; and whether it fits into them.
import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import { assert, until } from './helpers.mjs';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export const sizes = [
  { width: 1280, height: 800 },
  { width: 768, height: 1024 },
  { width: 390, height: 844 },
];

async function findings(page, options) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  return page.evaluate(async more => {
    // chessground's and the charts' insides are pictures with a name of their own
    const result = await window.axe.run({ exclude: ['.cg-wrap', '.uplot'] }, more);
    return result.violations.map(
      v =>
        `${v.id}: ${v.nodes.map(n => `${n.html.slice(0, 120)} (${n.failureSummary?.slice(0, 160)})`).join(' · ')}`,
    );
  }, options);
}

// Not beside the window's own width: a phone's grows with what is too wide.
export async function fits(page, what) {
  const { width } = page.viewportSize();
  const wide = () => page.evaluate(() => document.documentElement.scrollWidth);
  await until(`${what} fits into ${width}`, async () => (await wide()) <= width, 10);
}

// Nothing is found of what is shown now, and nothing is wider than the window.
export async function clean(page, what, windows = sizes) {
  const before = page.viewportSize();
  for (const size of windows) {
    await page.setViewportSize(size);
    await fits(page, what);
    // The other theme has other colours, and nothing else.
    for (const [colorScheme, options] of [
      ['light', {}],
      ['dark', { runOnly: ['color-contrast'] }],
    ]) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      assert.deepEqual(await findings(page, options), [], `${what}, ${size.width}, ${colorScheme}`);
    }
  }
  await page.setViewportSize(before);
}
