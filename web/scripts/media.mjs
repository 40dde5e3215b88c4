// Named breakpoints: `@media (--phone)` means what styles/breakpoints.css says of --phone.
import { readFile } from 'node:fs/promises';
import path from 'node:path';

export function breakpoints(css) {
  const found = {};
  for (const [, name, query] of css.matchAll(/@custom-media\s+(--[\w-]+)\s+([^;]+);/g)) found[name] = query;
  return found;
}

// Throws where a width stands in a query, or a name that nobody declared.
export function withBreakpoints(css, names, file) {
  return css.replace(/@media([^{]+)\{/g, (whole, query) => {
    if (/\d(px|em)\b/.test(query))
      throw new Error(`${file}: @media${query}: widths have names in breakpoints.css`);
    const said = query.replace(/\((--[\w-]+)\)/g, (_, name) => {
      if (!names[name]) throw new Error(`${file}: no breakpoint is named ${name}`);
      return names[name];
    });
    return `@media${said}{`;
  });
}

// For esbuild: of the page's own styles.
export const media = styles => ({
  name: 'breakpoints',
  setup(build) {
    const declared = path.join(styles, 'breakpoints.css');
    build.onLoad({ filter: /\.css$/ }, async ({ path: file }) => {
      if (path.dirname(file) !== styles) return null;
      const names = breakpoints(await readFile(declared, 'utf8'));
      try {
        const contents = withBreakpoints(await readFile(file, 'utf8'), names, path.basename(file));
        return { contents, loader: 'css', watchFiles: [declared] };
      } catch (error) {
        return { errors: [{ text: error.message }] };
      }
    });
  },
});
