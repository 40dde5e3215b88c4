// The types and limits of the protocol, from docs/openapi.yaml: writes src/data/described.ts.
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { describe } from './describe.mjs';

const web = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const target = path.join(web, 'src/data/described.ts');

export async function writeDescribed() {
  const document = parse(await readFile(path.join(web, '../docs/openapi.yaml'), 'utf8'));
  const text = describe(document);
  if (text !== (await readFile(target, 'utf8').catch(() => ''))) await writeFile(target, text);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeDescribed();
