// A file in parts of whole games or lines, so that no request is too large and progress can be shown.
import type { ImportFormat } from '../../data/types';

export interface Part {
  text: string;
  bytes: number; // of the file up to the end of this part
  linesBefore: number; // in the file before this part
}

const newline = 10;
const event = [...'[Event "'].map(letter => letter.charCodeAt(0));

// Where the last whole game or line ends; 0 if none does.
function lastEnd(bytes: Uint8Array, format: ImportFormat): number {
  for (let at = bytes.lastIndexOf(newline); at >= 0; at = at ? bytes.lastIndexOf(newline, at - 1) : -1) {
    if (format !== 'pgn') return at + 1;
    if (event.every((letter, i) => bytes[at + 1 + i] === letter)) return at + 1;
  }
  return 0;
}

// UTF-8; lines that are not are taken for Windows-1252, as old databases are.
export function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // line by line below
  }
  const cut = bytes.indexOf(newline) + 1;
  if (!cut || cut === bytes.length) return new TextDecoder('windows-1252').decode(bytes);
  const lines: string[] = [];
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(newline, from) + 1 || bytes.length;
    lines.push(decode(bytes.subarray(from, end)));
    from = end;
  }
  return lines.join('');
}

function count(bytes: Uint8Array): number {
  let lines = 0;
  for (const byte of bytes) if (byte === newline) lines++;
  return lines;
}

// `size`: bytes read at once; a part may be larger by a game that does not fit.
export async function* parts(file: Blob, format: ImportFormat, size: number): AsyncGenerator<Part> {
  let held = new Uint8Array(0);
  let linesBefore = 0;
  for (let from = 0; from < file.size; from += size) {
    const more = new Uint8Array(await file.slice(from, from + size).arrayBuffer());
    const bytes = new Uint8Array(held.length + more.length);
    bytes.set(held);
    bytes.set(more, held.length);
    const last = from + size >= file.size;
    const end = last ? bytes.length : lastEnd(bytes, format);
    held = bytes.slice(end);
    if (!end) continue;
    const whole = bytes.subarray(0, end);
    yield { text: decode(whole), bytes: Math.min(file.size, from + size) - held.length, linesBefore };
    linesBefore += count(whole);
  }
}
