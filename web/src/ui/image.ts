// Pictures as files.
import { toast, type Ctx } from '../ctx';
import { saveFile } from './download';
import { fileName } from './format';

// The name of a file about the analysis of that name.
export const exportName = (name: string, suffix: string): string => `adjourn-${fileName(name)}.${suffix}`;

// `width`: px of a PNG.
export async function saveImage(
  ctx: Ctx,
  svg: string,
  kind: 'svg' | 'png',
  name: string,
  width: number,
): Promise<void> {
  const png = kind === 'png' ? await svgToPng(svg, width) : null;
  if (kind === 'svg') saveFile(name, new Blob([svg], { type: 'image/svg+xml' }));
  else if (png) saveFile(name, png);
  else toast(ctx, 'The browser could not draw the picture.', { tone: 'bad' });
}

// SVG text → PNG, by the browser's own drawing. Null if it cannot.
async function svgToPng(svg: string, width: number): Promise<Blob | null> {
  const image = new Image();
  const bytes = new TextEncoder().encode(svg);
  let binary = '';
  for (let i = 0; i < bytes.length; i += 8192) binary += String.fromCharCode(...bytes.subarray(i, i + 8192));
  image.src = `data:image/svg+xml;base64,${btoa(binary)}`; // data:, since the page's policy has no blob:
  try {
    await image.decode();
  } catch {
    return null; // not drawable here
  }
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = Math.round((width * image.naturalHeight) / image.naturalWidth);
  const context = canvas.getContext('2d');
  if (!context) return null;
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise(resolve => canvas.toBlob(resolve, 'image/png'));
}
