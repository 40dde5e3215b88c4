// One analysis as one HTML file that needs nothing else: boards, moves, tree, graph, notes. No script, so that any
// mail program and any phone shows it. Pure.
import { follow, lineText, plyOf, sans, ucis } from '../../chess/chess';
import { chartValue, orderFor, text, type Side } from '../../chess/score';
import { wordsOf } from '../../chess/marks';
import type { Analysis, Branch, Note, Snapshot, TreeNode } from '../../data/types';
import { count, moment } from '../../ui/format';
import { boardSvg, type PieceImages } from './boardImage';

export interface PageContent {
  analysis: Analysis;
  node: TreeNode; // the position that is sent
  tree: Branch; // below it
  snapshots: readonly Snapshot[];
  notes: readonly Note[]; // of the whole analysis
  orientation: Side;
  images: PieceImages;
  at: number; // Unix ms
}

const boardsShown = 8; // plies of the best line

export const escaped = (raw: string): string => raw.replace(/[&<>"']/g, sign => `&#${sign.charCodeAt(0)};`);

// Each piece once; boards refer to it.
function pieces(images: PieceImages): string {
  const symbols = Object.entries(images).map(
    ([name, uri]) =>
      `<symbol id="${name.replace(' ', '-')}" viewBox="0 0 45 45"><image width="45" height="45" href="${escaped(uri)}"/></symbol>`,
  );
  return `<svg width="0" height="0" style="position:absolute" aria-hidden="true">${symbols.join('')}</svg>`;
}

function board(fen: string, line: readonly string[], orientation: Side, images: PieceImages): string {
  const place = follow(fen, line);
  if (!place) return '';
  const names = Object.fromEntries(Object.keys(images).map(name => [name, `#${name.replace(' ', '-')}`]));
  return boardSvg(place, orientation, names)
    .replace(/<image /g, '<use ')
    .replace('<svg ', '<svg role="img" aria-label="Board" ');
}

function graph(snapshots: readonly Snapshot[], side: Side): string {
  const last = snapshots.at(-1);
  if (!last || snapshots.length < 2) return '';
  const best = [...last.moves]
    .filter(m => m.alpha)
    .sort((a, b) => orderFor(side, b.alpha!) - orderFor(side, a.alpha!))
    .slice(0, 5);
  const of = (s: Snapshot, uci: string): number | null =>
    chartValue(s.moves.find(m => m.uci === uci)?.alpha ?? null);
  const all = snapshots.flatMap(s => best.map(m => of(s, m.uci))).filter(v => v !== null);
  const [low, high] = [Math.min(0, ...all) - 10, Math.max(0, ...all) + 10];
  const [width, height] = [640, 220];
  const x = (i: number): number => 44 + (i * (width - 120)) / (snapshots.length - 1);
  const y = (v: number): number => 10 + ((high - v) / (high - low)) * (height - 34);
  const dashes = ['', '8 4', '2 3', '10 3 2 3', '5 2'];
  // Names at the ends of the lines do not stand on each other.
  const places = best.map((move, n) => ({ n, at: y(of(last, move.uci)!) + 4 })).sort((a, b) => a.at - b.at);
  places.forEach((place, i) => (place.at = Math.max(place.at, (places[i - 1]?.at ?? -Infinity) + 13)));
  const lines = best.map((move, n) => {
    const points = snapshots.flatMap((s, i) => {
      const v = of(s, move.uci);
      return v === null ? [] : [`${x(i).toFixed(1)},${y(v).toFixed(1)}`];
    });
    const end = places.find(place => place.n === n)!.at;
    return `<polyline points="${points.join(' ')}" fill="none" stroke="currentColor" stroke-width="${n ? 1.3 : 2.5}" stroke-dasharray="${dashes[n]}"/><text x="${width - 70}" y="${end.toFixed(1)}">${escaped(move.san)} ${text(move.alpha)}</text>`;
  });
  const marks = snapshots.map(
    (s, i) => `<text x="${x(i)}" y="${height - 4}" text-anchor="middle">${s.refine}</text>`,
  );
  return `<h2>Best moves, depth by depth</h2><svg class="graph" viewBox="0 0 ${width} ${height}" role="img" aria-label="alpha of the best root moves over the settled depths"><line x1="44" x2="${width - 76}" y1="${y(0)}" y2="${y(0)}" stroke="#999"/><text x="38" y="${y(0) + 4}" text-anchor="end">0.00</text>${lines.join('')}${marks.join('')}</svg>`;
}

function branches(parent: Branch, ply: number, depth: number): string {
  if (!parent.children.length) return '';
  const items = parent.children.map((child, i) => {
    const head = `<b>${escaped(lineText(ply, [child.san]))}</b> <span>${text(child.alpha)}</span>`;
    const below = branches(child, ply + 1, depth + 1);
    if (!below) return `<li>${head}</li>`;
    return `<li><details${i === 0 || depth < 1 ? ' open' : ''}><summary>${head}</summary>${below}</details></li>`;
  });
  return `<ul>${items.join('')}</ul>`;
}

const style = `
body{font:16px/1.5 system-ui,sans-serif;max-width:900px;margin:0 auto;padding:16px;color:#1f1d19;background:#fff}
h1{font-size:24px;margin:0}h2{font-size:18px;margin:28px 0 8px}p{margin:4px 0}.muted{color:#5c574d}
.top{display:grid;grid-template-columns:minmax(0,360px) 1fr;gap:20px;align-items:start}
svg{max-width:100%;height:auto}table{border-collapse:collapse;width:100%}td,th{padding:4px 8px;text-align:right;border-top:1px solid #ddd8cc;font-variant-numeric:tabular-nums}
td:first-child,th:first-child{text-align:left}.graph{font-size:12px;color:#0c6f6a}.graph text{fill:#1f1d19}
.boards{display:grid;grid-template-columns:repeat(auto-fill,minmax(180px,1fr));gap:14px}figure{margin:0}
ul{list-style:none;padding-left:18px;margin:0}summary{cursor:pointer}span{color:#5c574d}blockquote{margin:4px 0 12px;padding:4px 12px;border-left:3px solid #0c6f6a;white-space:pre-wrap}
@media (max-width:640px){.top{grid-template-columns:1fr}}
@media print{details:not([open])>*{display:revert}figure,tr{break-inside:avoid}}
`;

export function pageFile(c: PageContent): string {
  const { analysis: a, node } = c;
  const side: Side = node.turn;
  const ply = plyOf(a.start_fen) + a.moves.length;
  const here = ucis(node.line);
  const before = [a.san, lineText(ply, sans(node.line))].filter(Boolean).join(' ');
  const pv = node.pv.alpha.slice(0, boardsShown);
  const rows = node.moves
    .filter(m => m.alpha && m.status !== 'excluded')
    .map(
      m =>
        `<tr><th scope="row">${escaped(m.san)}</th><td><b>${text(m.alpha)}</b></td><td>${text(m.idea)}</td><td>${text(m.engine?.score ?? null)}</td><td>${m.engine?.depth ?? ''}</td><td>${count(m.positions)}</td></tr>`,
    );
  const boards = pv.map((step, i) => {
    const line = [...here, ...ucis(pv.slice(0, i + 1))];
    return `<figure>${board(a.fen, line, c.orientation, c.images)}<figcaption>${escaped(lineText(ply + here.length + i, [step.san]))}</figcaption></figure>`;
  });
  const notes = c.notes
    .map(n => ({ sans: sans(n.line), text: wordsOf(n.text) }))
    .filter(n => n.text)
    .map(
      n =>
        `<p><b>${escaped(lineText(ply, n.sans) || 'The root')}</b></p><blockquote>${escaped(n.text)}</blockquote>`,
    );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(a.name)}</title><style>${style}</style></head><body>${pieces(c.images)}
<h1>${escaped(a.name)}</h1>
<p class="muted">${escaped(before || 'Start position')}</p>
<p class="muted">${escaped(a.engine)}, ${escaped(
    Object.entries(a.limit)
      .map(([k, v]) => `${k} ${v}`)
      .join(),
  )}; ${count(a.positions)} positions, settled to depth ${a.settled}; ${moment(c.at)}. Scores are White’s, in pawns. Made with Adjourn.</p>
<div class="top"><div>${board(a.fen, here, c.orientation, c.images)}<p>${side === 'white' ? 'White' : 'Black'} to move: <b>${text(node.alpha)}</b></p>
<p>${escaped(lineText(ply + here.length, sans(node.pv.alpha)))}</p></div>
<table><thead><tr><th scope="col">Move</th><th scope="col">alpha</th><th scope="col">idea</th><th scope="col">engine</th><th scope="col">depth</th><th scope="col">below</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>
${graph(c.snapshots, a.fen.split(' ')[1] === 'b' ? 'black' : 'white')}
${boards.length ? `<h2>The best line</h2><div class="boards">${boards.join('')}</div>` : ''}
${notes.length ? `<h2>Notes</h2>${notes.join('')}` : ''}
<h2>The tree</h2>${branches(c.tree, ply + here.length, 0) || '<p class="muted">Nothing yet.</p>'}
</body></html>
`;
}
