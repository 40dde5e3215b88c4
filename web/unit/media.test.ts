// Breakpoints by name, and layers: what the build makes of the styles.
import { equal, match, ok, throws } from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { breakpoints, withBreakpoints } from '../scripts/media.mjs';

const styles = path.resolve('src/styles');
const read = (name: string): string => readFileSync(path.join(styles, name), 'utf8');
const names = breakpoints(read('breakpoints.css'));

test('a media query names its breakpoint', () => {
  equal(
    withBreakpoints('@media (--a) and (not (--b)) {', { '--a': '(x)', '--b': '(y)' }, 'f'),
    '@media (x) and (not (y)) {',
  );
  throws(() => withBreakpoints('@media (--phon) {', names, 'f.css'), /f\.css: no breakpoint is named --phon/);
  throws(() => withBreakpoints('@media (max-width: 700px) {', names, 'f.css'), /widths have names/);
  equal(withBreakpoints('@media (forced-colors: active) {', names, 'f'), '@media (forced-colors: active) {');
});

test('no file of the page has a width of its own in a query, and each name is used', () => {
  const all = readdirSync(styles)
    .filter(f => f !== 'breakpoints.css')
    .map(f => [f, read(f)] as const);
  for (const [file, css] of all) withBreakpoints(css, names, file);
  for (const name of Object.keys(names))
    ok(
      all.some(([, css]) => css.includes(`(${name})`)),
      name,
    );
});

test('each style is in a layer that is declared', () => {
  const main = read('main.css');
  const layers = /@layer ([^;]+);/.exec(main)![1]!.split(', ');
  for (const [line, layer] of [...main.matchAll(/^@import [^;]+?(?:layer\((\w+)\))?;$/gm)].map(m => [
    m[0],
    m[1],
  ])) {
    match(line!, /layer\(/);
    ok(layers.includes(layer!), line);
  }
});
