// How much an action moves what one sees: the layout shift, also of what moves right after a click, which the browser's
// own sum leaves out.
import { assert, drawn } from './helpers.mjs';

const most = 0.02;

// What one action moves, until what it leads to is there.
export async function holdsStill(page, what, act, there) {
  await drawn(page);
  await page.evaluate(() => {
    window.moved = [];
    const keep = entries =>
      entries.forEach(e =>
        window.moved.push({
          value: e.value,
          by: e.sources.map(s => s.node?.className || s.node?.nodeName || '?'),
        }),
      );
    window.shifts = new PerformanceObserver(list => keep(list.getEntries()));
    window.shifts.observe({ type: 'layout-shift' });
    window.rest = () => keep(window.shifts.takeRecords());
  });
  await act();
  await there();
  await drawn(page);
  const moved = await page.evaluate(() => {
    window.rest();
    window.shifts.disconnect();
    return window.moved;
  });
  const sum = moved.reduce((all, { value }) => all + value, 0);
  assert.ok(sum <= most, `${what}: ${sum.toFixed(3)} ${JSON.stringify(moved)}`);
}
