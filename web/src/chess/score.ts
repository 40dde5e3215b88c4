// The chess score: order, text, colour scale. Everything about scores that the page shows goes
// through here. Always White's side; "for" a side means with the sign turned.
import type { Score, WinDrawLoss } from '../data/types';

// White's winning chances in percent, by lichess' formula (https://lichess.org/page/accuracy).
export function winPercent(score: Score): number {
  const cp = Math.max(-1000, Math.min(1000, order(score)));
  return 50 + 50 * (2 / (1 + Math.exp(-0.00368208 * cp)) - 1);
}

// Centipawns for charts: wins stand at the edge.
export function chartValue(score: Score | null, edge = 1000): number | null {
  if (!score) return null;
  return Math.max(-edge, Math.min(edge, order(score)));
}

export type Side = 'white' | 'black';

const MATE = 1_000_000;
const TABLE = 100_000;

// A number that sorts scores: higher is better for White. Centipawns as they are; wins far above.
export function order(score: Score): number {
  if ('cp' in score) return score.cp;
  if ('mate' in score) {
    if ('side' in score) return score.side === 'white' ? -MATE : MATE;
    return score.mate > 0 ? MATE - score.mate : -MATE - score.mate;
  }
  switch (score.tb) {
    case 'win':
      return TABLE - Math.abs(score.dtz);
    case 'loss':
      return -TABLE + Math.abs(score.dtz);
    case 'cursed_win':
      return 1;
    case 'blessed_loss':
      return -1;
    case 'draw':
      return 0;
  }
}

export const orderFor = (side: Side, score: Score): number =>
  side === 'white' ? order(score) : -order(score);

export const same = (a: Score | null, b: Score | null): boolean =>
  a === null || b === null ? a === b : order(a) === order(b);

const minus = '−'; // as wide as +, so columns stay put

export function pawns(cp: number): string {
  const text = (Math.abs(cp) / 100).toFixed(Math.abs(cp) >= 10_000 ? 0 : 2);
  return Number(text) === 0 ? '0.00' : (cp < 0 ? minus : '+') + text;
}

// What the tables of endgames say, as a game's result: a win that the 50-move rule takes away is a draw.
export function result(score: Score): '1-0' | '½' | '0-1' | null {
  if (!('tb' in score)) return null;
  return score.tb === 'win' ? '1-0' : score.tb === 'loss' ? '0-1' : '½';
}

// Short text for tables: "+0.23", "#5", "#−3", "TB 1-0", "TB ½".
export function text(score: Score | null): string {
  if (!score) return '–';
  if ('cp' in score) return pawns(score.cp);
  if ('mate' in score) {
    if ('side' in score) return score.side === 'white' ? `#${minus}0` : '#0';
    return score.mate > 0 ? `#${score.mate}` : `#${minus}${-score.mate}`;
  }
  return `TB ${result(score)}`;
}

// The same in words, for tooltips and screen readers.
export function words(score: Score | null): string {
  if (!score) return 'no score yet';
  if ('cp' in score) {
    if (score.cp === 0) return 'equal, 0.00';
    return `${pawns(score.cp)}, ${score.cp > 0 ? 'White' : 'Black'} is better`;
  }
  if ('mate' in score) {
    if ('side' in score) return `${score.side === 'white' ? 'White' : 'Black'} is mated`;
    const winner = score.mate > 0 ? 'White' : 'Black';
    return `${winner} mates in ${Math.abs(score.mate)}`;
  }
  const dtz = `distance to zeroing ${Math.abs(score.dtz)}`;
  switch (score.tb) {
    case 'win':
      return `tablebase win for White, ${dtz}`;
    case 'loss':
      return `tablebase win for Black, ${dtz}`;
    case 'cursed_win':
      return `White would win, but the 50-move rule makes it a draw, ${dtz}`;
    case 'blessed_loss':
      return `Black would win, but the 50-move rule makes it a draw, ${dtz}`;
    case 'draw':
      return 'tablebase draw';
  }
}

// White's expected share of the point, 0 to 1: a logistic curve over centipawns.
export function whiteShare(score: Score): number {
  const value = order(score);
  if (value > TABLE / 2) return 1;
  if (value < -TABLE / 2) return 0;
  return 1 / (1 + Math.exp(-0.0037 * value));
}

// White's wins, draws and Black's wins in percent, 100 in all.
export function percents([white = 0, draw = 0]: WinDrawLoss): [number, number, number] {
  const won = Math.round(white / 10);
  const held = Math.round((white + draw) / 10);
  return [won, held - won, 100 - held];
}

export function chances(wdl: WinDrawLoss): string {
  const [white, draw, black] = percents(wdl);
  return `White wins ${white} %, draw ${draw} %, Black wins ${black} %`;
}

// How many centipawns `score` is worse than `best` for the side; null where either is not in centipawns.
export function lossFor(side: Side, best: Score | null, score: Score | null): number | null {
  if (!best || !score || !('cp' in best) || !('cp' in score)) return null;
  return side === 'white' ? best.cp - score.cp : score.cp - best.cp;
}
