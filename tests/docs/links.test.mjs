// Links of the documents lead somewhere, and so do the paths that they and the sources name.
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { documents, exists, files, prose, read } from './documents.mjs';

// As GitHub makes them of headings.
const anchor = heading =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-');

const anchors = file => [...prose(read(file)).matchAll(/^#+ +(.+)$/gm)].map(match => anchor(match[1]));

const lineOf = (text, at) => text.slice(0, at).split('\n').length;

test('links in documents', () => {
  const dead = [];
  let count = 0;
  for (const file of documents()) {
    const text = prose(read(file)).replace(/`[^`\n]*`/g, code => ' '.repeat(code.length));
    for (const match of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      const [target, fragment] = match[1].split('#');
      if (/^[a-z]+:/.test(target)) continue;
      count++;
      const where = `${file}:${lineOf(text, match.index)}: ${match[1]}`;
      const to = target ? path.normalize(path.join(path.dirname(file), decodeURI(target))) : file;
      if (to.startsWith('..') || !exists(to)) dead.push(where);
      else if (fragment && !anchors(to).includes(fragment)) dead.push(`${where}: no such heading`);
    }
  }
  assert.deepEqual(dead, []);
  assert.ok(count > 50, `only ${count} links were found`);
});

test('the README is short and says how to start and to test', () => {
  const text = read('README.md');
  assert.ok(text.split('\n').length <= 61, 'at most 60 lines');
  for (const command of ['./run', './test']) assert.ok(text.includes(command), command);
});

test('every page is two links from the README at most', () => {
  const links = file =>
    [...prose(read(file)).matchAll(/\]\(([^)#\s]+\.md)(?:#[^)]*)?\)/g)].map(match =>
      path.normalize(path.join(path.dirname(file), match[1])),
    );
  const near = new Set(['README.md']);
  for (let clicks = 0; clicks < 2; clicks++)
    for (const file of [...near].filter(exists)) for (const to of links(file)) near.add(to);
  assert.deepEqual(
    files('docs').filter(file => file.endsWith('.md') && !near.has(file)),
    [],
  );
});

test('the list of decisions has all of them', () => {
  const listed = [...read('docs/decisions/README.md').matchAll(/\]\((\d{3}-[\w-]+\.md)\)/g)].map(
    match => match[1],
  );
  const all = files('docs/decisions').map(file => path.basename(file));
  assert.deepEqual(
    listed,
    all.filter(name => name !== 'README.md').sort(),
    'docs/decisions/README.md needs a line for each decision, by number',
  );
});

const textual = /\.(md|cpp|hpp|c|h|sql|ts|mjs|css|html|yaml|json|cmake|txt|sh)$|(^|\/)(run|test)$/;

test('paths below docs/ that any text names', () => {
  const decisions = files('docs/decisions').map(file => path.basename(file).slice(0, 3));
  const there = name => exists(name) || decisions.includes(/^docs\/decisions\/(\d{3})$/.exec(name)?.[1]);
  const dead = [];
  let count = 0;
  for (const file of files().filter(name => textual.test(name) && !name.startsWith('tests/data/'))) {
    const text = read(file);
    for (const match of text.matchAll(/(?<![\w/.-])(?:\.\.\/)*(docs\/[\w./-]*\w)/g)) {
      count++;
      if (!there(match[1])) dead.push(`${file}:${lineOf(text, match.index)}: ${match[1]}`);
    }
  }
  assert.deepEqual(dead, []);
  assert.ok(count > 50, `only ${count} paths were found`);
});

// `server/host/config.cpp`, and `host/config.hpp` as an #include names it. Names with … * < > or capitals for a number are patterns.
test('files that documents name', () => {
  const all = files();
  const tops = new Set(all.filter(file => file.includes('/')).map(file => file.split('/')[0]));
  const known = new Set(all);
  for (const file of all) for (let at = path.dirname(file); at !== '.'; at = path.dirname(at)) known.add(at);
  const dead = [];
  let count = 0;
  for (const file of documents()) {
    const text = prose(read(file));
    for (const match of text.matchAll(/`([\w.-]+\/[\w./-]*)`/g)) {
      const name = match[1].replace(/\/$/, '');
      if (!tops.has(name.split('/')[0]) || /NNN|vN/.test(name)) continue;
      if (/^build\//.test(name) || /\/(dist|node_modules)(\/|$)/.test(name)) continue;
      count++;
      if (!known.has(name) && !known.has(`server/${name}`))
        dead.push(`${file}:${lineOf(text, match.index)}: ${name}`);
    }
  }
  assert.deepEqual(dead, []);
  assert.ok(count > 30, `only ${count} paths were found`);
});
