import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cellAt, hit, layout, neighbour, pan, tint } from '../src/pages/tree/picture/layout';
import { viewOf, wholeView, zoom } from '../src/pages/tree/picture/layout';
import { pictureSvg } from '../src/pages/tree/picture/pictureCanvas';
import type { Branch } from '../src/data/types';

const branch = (uci: string | null, positions: number, cp: number, children: Branch[] = []) =>
  ({ uci, san: uci, alpha: { cp }, idea: { cp }, positions, repeat: false, children }) as Branch;

const tree = branch(null, 100, 10, [
  branch('e2e4', 60, 10, [branch('e7e5', 30, 10), branch('c7c5', 20, 15)]),
  branch('d2d4', 35, 4, [branch('d7d5', 30, 4)]),
  branch('g1f3', 0, 1),
]);

test('children fill their parent, in order, without overlap; the best line is marked to its end', () => {
  const cells = layout(tree);
  assert.equal(cells.length, 7);
  for (const cell of cells.filter(c => c.children.length)) {
    let y = cell.y0;
    for (const child of cell.children) {
      assert.ok(Math.abs(child.y0 - y) < 1e-9);
      assert.ok(child.y1 > child.y0);
      y = child.y1;
    }
    assert.ok(Math.abs(y - cell.y1) < 1e-9);
  }
  const best = cells.filter(c => c.best).map(c => c.line.at(-1));
  assert.deepEqual(best, [undefined, 'e2e4', 'e7e5']);
});

test('a cell is found where it is drawn, by its line, and by arrow keys', () => {
  const cells = layout(tree);
  const cell = cellAt(cells, ['d2d4', 'd7d5'])!;
  assert.equal(hit(cells, 2, (cell.y0 + cell.y1) / 2), cell);
  assert.equal(hit(cells, 9, 0.5), null);
  assert.equal(cellAt(cells, ['a2a3']), null);
  const e4 = neighbour(cells, cells[0]!, 'ArrowRight')!;
  assert.deepEqual(e4.line, ['e2e4']);
  assert.deepEqual(neighbour(cells, e4, 'ArrowDown')?.line, ['d2d4']);
  assert.equal(neighbour(cells, e4, 'ArrowUp'), null);
  assert.deepEqual(neighbour(cells, neighbour(cells, e4, 'ArrowRight')!, 'ArrowLeft'), e4);
});

test('zooming keeps the point under the pointer, and stays inside', () => {
  const view = zoom(wholeView(), 4, 0.3);
  assert.ok(Math.abs((0.3 - view.y) * view.k - 0.3) < 1e-9);
  assert.deepEqual(zoom(view, 0.001, 0.3), { k: 1, y: 0 });
  assert.equal(pan(view, -5).y, 0);
  assert.equal(pan(view, 5).y, 1 - 1 / view.k);
  const cell = layout(tree)[2]!;
  const on = viewOf(cell);
  assert.ok(on.y <= cell.y0 && on.y + 1 / on.k >= cell.y1);
});

test('colours run from Black’s side to White’s', () => {
  assert.equal(tint(null), null);
  assert.equal(tint({ cp: 0 }), 0);
  assert.ok(tint({ cp: 50 })! > tint({ cp: 20 })!);
  assert.ok(tint({ mate: -2 })! < -0.99);
});

test('the SVG escapes its title and has every visible cell', () => {
  const cells = layout(tree);
  const svg = pictureSvg(cells, 3, 'A <b> & c');
  assert.match(svg, /A &lt;b&gt; &amp; c/);
  assert.equal(svg.match(/<rect x=/g)?.length, cells.length);
});
