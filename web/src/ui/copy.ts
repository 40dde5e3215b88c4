// Text for the clipboard.
import { toast, type Ctx } from '../ctx';

export async function copyText(ctx: Ctx, text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(ctx, `${what} copied.`, { ms: 2000 });
  } catch {
    toast(ctx, `The browser does not let this page copy. ${what}: ${text.slice(0, 120)}`, { ms: 12_000 });
  }
}
