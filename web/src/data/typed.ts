// What is typed on the first page before its field is there (src/first.ts), so that it goes there and is no shortcut.
declare global {
  var adjournTyped: string | undefined; // undefined: nothing is kept
}

// A letter or a digit, without Ctrl, Alt and the like; the field has what else moves and names have by then.
export const isLetter = (event: KeyboardEvent): boolean =>
  /^[\p{L}\p{N}]$/u.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey;

export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

export function keepTyped(event: KeyboardEvent): void {
  const before = globalThis.adjournTyped;
  if (before === undefined || isTyping(event.target)) return;
  if (!isLetter(event) && !(before && /^[ .-]$/.test(event.key))) return;
  globalThis.adjournTyped = before + event.key;
  event.preventDefault(); // a blank would scroll
}

export function beginTyped(): void {
  globalThis.adjournTyped ??= '';
}

export function takeTyped(): string {
  const text = globalThis.adjournTyped ?? '';
  globalThis.adjournTyped = undefined;
  return text;
}
