// Builds the page into dist/: index.html and assets/NAME-HASH.*, each text file with a .gz beside it.
// Fails if the page outgrows its budget. `--watch` rebuilds on change.
import { build, context } from 'esbuild';
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { writeDescribed } from './described.mjs';
import { media } from './media.mjs';
import { oneFirstView } from './oneFirstView.mjs';

const web = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const dist = path.join(web, 'dist');
// Bytes, gzipped: everything together; what the first view loads; what each part that comes later loads on top.
const budget = 265 * 1000;
const budgets = {
  'src/main.ts': 56_700,
  'src/ui/board/ground.ts': 14_000,
  'src/styles/main.css': 17_000,
  'src/pages/queue/queueView.ts': 10_000,
  'src/pages/queue/addEngine.ts': 2_000,
  'src/pages/create/createPart.ts': 36_000, // with the board
  'src/pages/review/reviewPart.ts': 22_000,
  'src/pages/summary/summaryView.ts': 4_000,
  'src/pages/tree/picture/pictureView.ts': 8_000,
  'src/pages/tree/beside/besideView.ts': 4_000,
  'src/pages/tree/verdict/verdictView.ts': 4_000,
  'src/pages/tree/time/timeView.ts': 8_000,
  'src/pages/tree/facts/factsView.ts': 3_000,
  'src/pages/tree/repertoire/repertoireView.ts': 8_000,
  'src/pages/tree/files/filesView.ts': 8_000,
  'src/pages/tree/orders/ordersView.ts': 3_000,
  'src/pages/tree/time/chart.ts': 26_000,
  'src/dialogs/settings/settingsView.ts': 9_000,
  'src/dialogs/import/importView.ts': 9_000,
  'src/dialogs/export/exportView.ts': 9_000,
  'src/dialogs/labels/labelsView.ts': 4_000,
  'src/dialogs/notes/notesView.ts': 3_000,
  'src/dialogs/share/shareView.ts': 3_000,
  'src/dialogs/meaning/meaningDialog.ts': 6_000,
};
// The page of a site (src/siteMain.ts): one script, style and fonts in one file, so that it works from a folder, too.
const siteBudget = 450_000; // bytes as they are: a folder compresses nothing
const watch = process.argv.includes('--watch');

const options = {
  absWorkingDir: web,
  entryPoints: { app: 'src/main.ts', style: 'src/styles/main.css' },
  outdir: 'dist/assets',
  bundle: true,
  minify: true,
  splitting: true,
  format: 'esm',
  target: 'es2022',
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  assetNames: '[name]-[hash]',
  loader: { '.woff2': 'file' },
  legalComments: 'none',
  sourcemap: 'linked', // fetched by nobody but who looks into the page
  metafile: true,
  logLevel: 'warning',
  plugins: [media(path.join(web, 'src/styles')), oneFirstView(path.join(web, 'src/main.ts'))],
};

async function hashed(source, name, extension) {
  const content = await readFile(path.join(web, source));
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 8).toUpperCase();
  const file = `assets/${name}-${hash}.${extension}`;
  await writeFile(path.join(dist, file), content);
  return file;
}

// What a page or a tab of the tree (router.ts) needs besides the first view, so that it is asked for with it.
const partsOf = {
  queue: 'src/pages/queue/queueView.ts',
  new: 'src/pages/create/createPart.ts',
  review: 'src/pages/review/reviewPart.ts',
  summary: 'src/pages/summary/summaryView.ts',
  picture: 'src/pages/tree/picture/pictureView.ts',
  time: 'src/pages/tree/time/timeView.ts',
  facts: 'src/pages/tree/facts/factsView.ts',
  repertoire: 'src/pages/tree/repertoire/repertoireView.ts',
  files: 'src/pages/tree/files/filesView.ts',
  orders: 'src/pages/tree/orders/ordersView.ts',
};

// What no site shows; the code of these parts is left out of its page.
const notInSites =
  /\/(queueView|createPart|reviewPart|summaryView|factsView|repertoireView|ordersView|besideView|settingsView|importView|exportView|labelsView|shareView|addEngine)$/;
const leaveOut = {
  name: 'leave-out',
  setup(b) {
    b.onResolve({ filter: notInSites }, ({ kind, path: wanted }) =>
      kind === 'dynamic-import' ? { path: wanted, namespace: 'left-out' } : undefined,
    );
    b.onLoad({ filter: /./, namespace: 'left-out' }, () => ({ contents: 'export {};' }));
  },
};

// dist/site/: what `adjourn export --format site` puts beside the data. `{{folder}}` and `{{title}}` of its index.html
// are the exporter's.
async function buildSite() {
  const { metafile } = await build({
    ...options,
    entryPoints: { page: 'src/siteMain.ts', style: 'src/styles/main.css' },
    outdir: 'dist/site',
    format: 'iife', // a module cannot be loaded from a folder
    splitting: false,
    entryNames: '[name]',
    loader: { '.woff2': 'dataurl' }, // nor a font
    sourcemap: false,
    plugins: [media(path.join(web, 'src/styles')), leaveOut],
  });
  const size = Object.values(metafile.outputs).reduce((sum, output) => sum + output.bytes, 0);
  for (const [source, name] of [
    ['src/site.html', 'index.html'],
    ['src/icon.svg', 'icon.svg'],
    ['THIRD_PARTY.md', 'third-party.txt'],
  ])
    await writeFile(path.join(dist, 'site', name), await readFile(path.join(web, source)));
  return size;
}

// The script that runs at once knows the others' names, so it is made last. Gives its own.
async function buildFirst(metafile) {
  const partFiles = Object.fromEntries(
    Object.entries(partsOf).map(([word, entry]) => [word, [...withImports(metafile, entry, true)]]),
  );
  const { metafile: own } = await build({
    ...options,
    entryPoints: { first: 'src/first.ts' },
    format: 'iife',
    splitting: false,
    plugins: [],
    define: { partFiles: JSON.stringify(partFiles) },
  });
  Object.assign(metafile.outputs, own.outputs);
  return fileOf(outputOf(metafile, 'src/first.ts'));
}

const fileOf = name => name.replace(/^dist\//, '');

function outputOf(metafile, entry) {
  const found = Object.entries(metafile.outputs).find(([, o]) => o.entryPoint === entry);
  if (!found) throw new Error(`there is no output of ${entry}`);
  return found[0];
}

// The files that an entry needs at once; `later`: without those that are there with the first view.
function withImports(metafile, entry, later) {
  const there = later ? withImports(metafile, 'src/main.ts', false) : new Set();
  const files = new Set();
  const take = name => {
    if (files.has(fileOf(name)) || there.has(fileOf(name))) return;
    files.add(fileOf(name));
    for (const { path: next, kind } of metafile.outputs[name].imports)
      if (kind === 'import-statement') take(next);
  };
  take(outputOf(metafile, entry));
  return files;
}

async function finish(metafile) {
  const output = entry => fileOf(outputOf(metafile, entry));
  const files = {
    first: await buildFirst(metafile),
    app: output('src/main.ts'),
    style: output('src/styles/main.css'),
    icon: await hashed('src/icon.svg', 'icon', 'svg'),
    licences: await hashed('THIRD_PARTY.md', 'third-party', 'txt'),
  };
  const preloads = [...withImports(metafile, 'src/main.ts', false)]
    .filter(file => file !== files.app)
    .map(file => `<link rel="modulepreload" href="${file}">`)
    .join('');
  const template = await readFile(path.join(web, 'src/index.html'), 'utf8');
  const html = template.replace(/\{\{(\w+)\}\}/g, (_, name) => {
    if (name === 'preloads') return preloads;
    if (!files[name]) throw new Error(`index.html names an unknown file: ${name}`);
    return files[name];
  });
  await writeFile(path.join(dist, 'index.html'), html);
}

// Writes the .gz files and returns what the page weighs on the wire.
async function compress() {
  const names = ['index.html', ...(await readdir(path.join(dist, 'assets'))).map(n => `assets/${n}`)];
  const sizes = [];
  for (const name of names) {
    const content = await readFile(path.join(dist, name));
    if (/\.map$/.test(name)) continue; // no part of the page
    if (/\.woff2$/.test(name)) {
      sizes.push([name, content.length]);
      continue;
    }
    const packed = gzipSync(content, { level: 9 });
    await writeFile(path.join(dist, `${name}.gz`), packed);
    sizes.push([name, packed.length]);
  }
  return sizes;
}

// What earlier builds of a watch have left.
async function removeOld(metafile) {
  const made = new Set(Object.keys(metafile.outputs).map(fileOf));
  const html = await readFile(path.join(dist, 'index.html'), 'utf8');
  for (const name of await readdir(path.join(dist, 'assets')))
    if (!made.has(`assets/${name}`) && !html.includes(name)) await rm(path.join(dist, 'assets', name));
}

async function once() {
  await rm(dist, { recursive: true, force: true });
  await mkdir(path.join(dist, 'assets'), { recursive: true });
  const result = await build(options);
  await finish(result.metafile);
  const sizes = await compress();
  const site = await buildSite();
  const total = sizes.reduce((sum, [, size]) => sum + size, 0);
  for (const [name, size] of sizes.sort((a, b) => b[1] - a[1]))
    console.log(`${String(size).padStart(8)}  ${name}`);
  console.log(`${String(total).padStart(8)}  gzipped, of ${budget}`);
  const over = total > budget ? ['the page'] : [];
  for (const [entry, most] of Object.entries(budgets)) {
    const files = [...withImports(result.metafile, entry, entry !== 'src/main.ts')];
    const size = files.reduce((sum, file) => sum + sizes.find(([name]) => name === file)[1], 0);
    console.log(`${String(size).padStart(8)}  ${entry}, of ${most}`);
    if (size > most) over.push(entry);
  }
  console.log(`${String(site).padStart(8)}  page of a site, not compressed, of ${siteBudget}`);
  if (site > siteBudget) over.push('the page of a site');
  if (over.length) throw new Error(`over the size budget: ${over.join(', ')}`);
}

await writeDescribed();
if (watch) {
  await mkdir(path.join(dist, 'assets'), { recursive: true });
  const watcher = await context({
    ...options,
    minify: false,
    plugins: [
      ...options.plugins,
      {
        name: 'finish',
        setup: b =>
          b.onEnd(async result => {
            if (result.errors.length) return;
            await finish(result.metafile);
            await buildSite();
            await removeOld(result.metafile);
            console.log(new Date().toLocaleTimeString(), 'built');
          }),
      },
    ],
  });
  await watcher.watch();
} else {
  await once();
}
