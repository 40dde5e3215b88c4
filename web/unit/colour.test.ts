// The colours that carry a meaning stay apart for people who see fewer of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { colour, darkPalette, lightPalette } from '../src/pages/tree/picture/palette';

type Rgb = [number, number, number];

// What is seen instead, in linear light, where one kind of cone is missing (Machado, Oliveira and Fernandes
// 2009, severity 1).
const visions: Record<string, number[][]> = {
  full: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const linear = (v: number): number => (v <= 10.31475 ? v / 3294.6 : ((v / 255 + 0.055) / 1.055) ** 2.4);
const apply = (matrix: number[][], v: number[]): number[] =>
  matrix.map(row => row.reduce((sum, x, i) => sum + x * v[i]!, 0));
const toXyz = [
  [0.4124, 0.3576, 0.1805],
  [0.2126, 0.7152, 0.0722],
  [0.0193, 0.1192, 0.9505],
];

// CIE L*a*b* of a colour as such eyes see it.
function lab(rgb: Rgb, vision: number[][]): number[] {
  const seen = apply(vision, rgb.map(linear)).map(v => Math.min(1, Math.max(0, v)));
  const [x, y, z] = apply(toXyz, seen).map((v, i) => {
    const t = v / [0.9505, 1, 1.089][i]!;
    return t > 216 / 24_389 ? Math.cbrt(t) : (t * 24_389) / 27 / 116 + 16 / 116;
  }) as Rgb;
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const apart = (a: Rgb, b: Rgb, vision: number[][]): number =>
  Math.hypot(...lab(a, vision).map((v, i) => v - lab(b, vision)[i]!));

const rgbOf = (text: string): Rgb => text.match(/\d+/g)!.map(Number) as Rgb;

for (const [theme, palette] of Object.entries({ light: lightPalette, dark: darkPalette }))
  test(`${theme}: White better, even and Black better are told apart, by whomever`, () => {
    const [white, even, black] = [1, 0, -1].map(tint => rgbOf(colour(palette, tint))) as [Rgb, Rgb, Rgb];
    for (const [name, vision] of Object.entries(visions)) {
      const least = Math.min(
        apart(white, black, vision),
        apart(white, even, vision),
        apart(even, black, vision),
      );
      assert.ok(least > 23, `${name}: ${least}`); // 2.3 is just noticeable; ten times as much is seen at a glance
    }
  });

test('the measure knows red from green, and who does not', () => {
  const [red, green] = ['190 90 60', '120 120 60'].map(rgbOf) as [Rgb, Rgb];
  assert.ok(apart(red, green, visions['full']!) > 2 * apart(red, green, visions['deuteranopia']!));
});

test('the picture is told apart in grey: lighter and lighter from Black to White', () => {
  const lightness = ([r, g, b]: Rgb): number => 0.2126 * r + 0.7152 * g + 0.0722 * b;
  for (const palette of [lightPalette, darkPalette]) {
    const steps = [-1, -0.5, 0, 0.5, 1].map(tint => lightness(rgbOf(colour(palette, tint))));
    steps.slice(1).forEach((l, i) => assert.ok(l > steps[i]! + 5, `${steps.join()}`));
  }
});
