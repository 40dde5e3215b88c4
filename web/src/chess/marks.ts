// Circles and arrows that people drew, as notes keep them: "[%csl Gd4] [%cal Re2e4]", PGN's own words. Pure.
import type { DrawShape } from '@lichess-org/chessground/draw';
import type { Key } from '@lichess-org/chessground/types';

const brushes: Record<string, string> = { G: 'green', R: 'red', Y: 'yellow', B: 'blue' };
const letters = Object.fromEntries(Object.entries(brushes).map(([letter, brush]) => [brush, letter]));

export const marksOf = (text: string): DrawShape[] =>
  [...text.matchAll(/\[%c[sa]l ([^\]]*)\]/g)].flatMap(([, list]) =>
    [...list!.matchAll(/([GRYB])([a-h][1-8])([a-h][1-8])?/g)].map(([, letter, orig, dest]) => ({
      orig: orig as Key,
      ...(dest && { dest: dest as Key }),
      brush: brushes[letter!]!,
    })),
  );

// "Re2e4"; shapes of other colours have no word in PGN.
export const markWord = ({ brush, orig, dest }: DrawShape): string[] =>
  brush && letters[brush] ? [`${letters[brush]}${orig}${dest ?? ''}`] : [];

export function marksText(told: readonly DrawShape[]): string {
  const command = (name: string, list: DrawShape[]): string => {
    const words = list.flatMap(markWord);
    return words.length ? `[%${name} ${words.join()}]` : '';
  };
  return [
    command(
      'csl',
      told.filter(s => !s.dest),
    ),
    command(
      'cal',
      told.filter(s => s.dest),
    ),
  ]
    .filter(Boolean)
    .join(' ');
}

// What is there to read.
export const wordsOf = (text: string): string => text.replace(/\[%c[sa]l [^\]]*\]/g, '').trim();

// With the shape, or without it where it was there in the same colour.
export function drawn(shapes: readonly DrawShape[], shape: DrawShape): DrawShape[] {
  const same = (s: DrawShape): boolean => s.orig === shape.orig && s.dest === shape.dest;
  const known = shapes.find(same);
  const rest = shapes.filter(s => !same(s));
  return known?.brush === shape.brush ? rest : [...rest, shape];
}
