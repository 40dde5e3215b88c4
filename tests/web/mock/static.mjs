// Serves web/dist as the real server does: hashed files for good, index.html checked each time.
import { existsSync, readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const dist = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../../web/dist');
const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.map': 'application/json',
  '.woff2': 'font/woff2',
};
export const security = {
  'Content-Security-Policy':
    "default-src 'self'; img-src 'self' data:; style-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
};

export function serveFile(request, response, pathname) {
  const relative = pathname === '/' ? '/index.html' : pathname;
  const file = path.join(dist, relative);
  if (!file.startsWith(dist + path.sep) || !existsSync(file)) return false;
  const packed = existsSync(`${file}.gz`) && /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
  const body = readFileSync(packed ? `${file}.gz` : file);
  const etag = `"${createHash('sha1').update(body).digest('hex').slice(0, 16)}"`;
  const headers = {
    ...security,
    'Content-Type': types[path.extname(file)] ?? 'application/octet-stream',
    'Cache-Control': relative.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    ETag: etag,
    ...(packed && { 'Content-Encoding': 'gzip' }),
  };
  if (request.headers['if-none-match'] === etag) response.writeHead(304, headers).end();
  else response.writeHead(200, headers).end(body);
  return true;
}
