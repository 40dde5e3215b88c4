// Builds the page into dist/: index.html and assets/NAME-HASH.*, each text file with a .gz beside it.
// Fails if the page outgrows its budget. `--watch` rebuilds on change.
import { build, context } from 'esbuild';
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { writeDescribed } from './described.mjs';

const web = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const dist = path.join(web, 'dist');
const budget = 200 * 1000; // bytes, gzipped, everything together
const watch = process.argv.includes('--watch');

const options = {
  absWorkingDir: web,
  entryPoints: { app: 'src/main.ts', theme: 'src/theme.ts', style: 'src/styles/main.css' },
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
  metafile: true,
  logLevel: 'warning',
};

async function hashed(source, name, extension) {
  const content = await readFile(path.join(web, source));
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 8).toUpperCase();
  const file = `assets/${name}-${hash}.${extension}`;
  await writeFile(path.join(dist, file), content);
  return file;
}

async function finish(metafile) {
  const output = entry =>
    Object.entries(metafile.outputs)
      .find(([, o]) => o.entryPoint === entry)[0]
      .replace(/^dist\//, '');
  const files = {
    theme: output('src/theme.ts'),
    app: output('src/main.ts'),
    style: output('src/styles/main.css'),
    icon: await hashed('src/icon.svg', 'icon', 'svg'),
    licences: await hashed('THIRD_PARTY.md', 'third-party', 'txt'),
  };
  const template = await readFile(path.join(web, 'src/index.html'), 'utf8');
  const html = template.replace(/\{\{(\w+)\}\}/g, (_, name) => {
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

async function once() {
  await rm(dist, { recursive: true, force: true });
  await mkdir(path.join(dist, 'assets'), { recursive: true });
  const result = await build(options);
  await finish(result.metafile);
  const sizes = await compress();
  const total = sizes.reduce((sum, [, size]) => sum + size, 0);
  for (const [name, size] of sizes.sort((a, b) => b[1] - a[1]))
    console.log(`${String(size).padStart(8)}  ${name}`);
  console.log(`${String(total).padStart(8)}  gzipped, of ${budget}`);
  if (total > budget) throw new Error('the page is over its size budget');
}

await writeDescribed();
if (watch) {
  await mkdir(path.join(dist, 'assets'), { recursive: true });
  const watcher = await context({
    ...options,
    minify: false,
    sourcemap: 'linked',
    plugins: [
      {
        name: 'finish',
        setup: b =>
          b.onEnd(async result => {
            if (result.errors.length) return;
            await finish(result.metafile);
            console.log(new Date().toLocaleTimeString(), 'built');
          }),
      },
    ],
  });
  await watcher.watch();
} else {
  await once();
}
