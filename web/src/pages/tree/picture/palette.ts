// The colours of the picture: amber where White is better, violet where Black is (told apart by
// people with any colour vision), through a neutral middle. From violet to amber they get lighter, so that they are
// told apart in grey, too. Both themes.

export interface Palette {
  white: [number, number, number];
  middle: [number, number, number];
  black: [number, number, number];
  unknown: string;
  text: string;
  bestEdge: string;
  focusEdge: string;
  carrierEdge: string; // what the answer rests on
  gap: string;
}

export const lightPalette: Palette = {
  white: [255, 206, 96],
  middle: [190, 188, 188],
  black: [132, 114, 206],
  unknown: '#e4e0d6',
  text: '#1d1b17',
  bestEdge: '#0c6f6a',
  focusEdge: '#1d1b17',
  carrierEdge: '#a8480c',
  gap: '#fffdf9',
};

export const darkPalette: Palette = {
  white: [208, 146, 48],
  middle: [108, 112, 120],
  black: [62, 36, 142],
  unknown: '#2b3037',
  text: '#f4f1ea',
  bestEdge: '#5ec8bd',
  focusEdge: '#ffffff',
  carrierEdge: '#f0823c',
  gap: '#1b1f25',
};

export function colour(palette: Palette, tint: number | null): string {
  if (tint === null) return palette.unknown;
  const end = tint >= 0 ? palette.white : palette.black;
  const t = Math.abs(tint);
  const mix = palette.middle.map((from, i) => Math.round(from + (end[i]! - from) * t));
  return `rgb(${mix.join()})`;
}

export const isDark = (): boolean => {
  const chosen = document.documentElement.dataset['theme'];
  return chosen ? chosen === 'dark' : window.matchMedia('(prefers-color-scheme: dark)').matches;
};
