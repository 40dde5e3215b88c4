// A small extract of the lichess opening list (CC0): names by line, and a search.
import { readFileSync } from 'node:fs';
import { parseSan } from 'chessops/san';
import { Chess } from 'chessops/chess';
import { uciOf } from './evaluate.mjs';

const rows = readFileSync(new URL('openings.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .slice(1);
export const openings = rows.map(row => {
  const [eco, name, pgn] = row.split('\t');
  const pos = Chess.default();
  const uci = [];
  for (const san of pgn.split(/\s+/).filter(t => !/^\d+\.+$/.test(t))) {
    const move = parseSan(pos, san);
    uci.push(uciOf(pos, move));
    pos.play(move);
  }
  return { eco, name, pgn, uci };
});
const byLine = new Map(openings.map(o => [o.uci.join(), o]));

export function nameOf(uci) {
  for (let n = uci.length; n > 0; n--) {
    const found = byLine.get(uci.slice(0, n).join());
    if (found) return { eco: found.eco, name: found.name };
  }
  return null;
}

export function searchOpenings(q, limit) {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  const hits = openings.filter(o => {
    const text = `${o.eco} ${o.name} ${o.pgn}`.toLowerCase();
    return words.every(word => text.includes(word));
  });
  return hits.sort((a, b) => a.uci.length - b.uci.length).slice(0, limit);
}
