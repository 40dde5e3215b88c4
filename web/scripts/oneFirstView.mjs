// A plugin of esbuild: all that the first view loads comes as one file. A module is put into a chunk by the set of
// entries that reach it, so modules that some later parts use, too, would make a chunk for each such set: 25 files of
// a few hundred bytes. Here each later part begins with an import of main.ts, which is there by then and is not run
// again; so every module of the first view is reached by all entries.
import { readFile } from 'node:fs/promises';
import path from 'node:path';

export const oneFirstView = main => ({
  name: 'one-first-view',
  setup(build) {
    const later = new Set();
    build.onResolve({ filter: /^\./ }, async ({ path: wanted, kind, resolveDir, importer, pluginData }) => {
      if (kind !== 'dynamic-import' || pluginData === 'resolved') return undefined;
      const found = await build.resolve(wanted, { kind, resolveDir, importer, pluginData: 'resolved' });
      later.add(found.path);
      return found;
    });
    build.onLoad({ filter: /\.ts$/ }, async ({ path: file }) => {
      if (!later.has(file)) return undefined;
      const source = await readFile(file, 'utf8');
      const resolveDir = path.dirname(file);
      const first = path.relative(resolveDir, main); // it stands in the source map: no path of this machine
      return { contents: `import ${JSON.stringify(first)};\n${source}`, loader: 'ts', resolveDir };
    });
  },
});
