// What is taken along: text for the clipboard, files for the browser's downloads.
import { toast, type Ctx } from '../ctx';

// Text for the clipboard.
export async function copyText(ctx: Ctx, text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(ctx, `${what} copied.`, { ms: 2000 });
  } catch {
    toast(ctx, `The browser does not let this page copy. ${what}: ${text.slice(0, 120)}`, { ms: 12_000 });
  }
}

// Hands a file to the browser's downloads.
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  saveLink(name, url);
  setTimeout(() => URL.revokeObjectURL(url), 30_000);
}

// The same of one that has an address.
export function saveLink(name: string, url: string): void {
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.download = name;
  document.body.append(anchor);
  anchor.click();
  anchor.remove();
}
