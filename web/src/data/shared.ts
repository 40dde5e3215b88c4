// A link shows one analysis, or one file of games of it, to people who have no token. Its secret is this tab's alone. It
// leaves the address, so that what is copied from there opens nothing; where the tab may keep nothing, it stays there.

export interface Shared {
  secret: string;
  id: number; // of the analysis
  file: number | null; // null: all of it
}

declare global {
  var adjournShared: Shared | undefined;
}

const key = 'adjourn.shared';
const address =
  /^#\/shared\/(link-[0-9a-f]{32})(\/(?:analysis\/(\d{1,15})|review\/(\d{1,15})\/file\/(\d{1,15}))(?:[/?].*)?)$/;

// What the address names, if it is that of a link.
export function sharedIn(hash: string): (Shared & { rest: string }) | null {
  const [, secret, rest, analysis, reviewed, file] = address.exec(hash) ?? [];
  if (secret === undefined || rest === undefined) return null;
  return {
    secret,
    id: Number(analysis ?? reviewed),
    file: file === undefined ? null : Number(file),
    rest: `#${rest}`,
  };
}

// Takes it out of the address of the page. False: it is not that of a link.
export function takeShared(): boolean {
  const found = sharedIn(location.hash);
  if (!found) return false;
  const { rest, ...shared } = found;
  globalThis.adjournShared = shared;
  try {
    sessionStorage.setItem(key, JSON.stringify(shared));
    history.replaceState(null, '', rest);
  } catch {
    // forbidden: a reload needs the address as it is
  }
  return true;
}

// What this tab was opened to show; null: it is nobody's guest.
export function sharedHere(): Shared | null {
  if (globalThis.adjournShared) return globalThis.adjournShared;
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') as Shared | null;
  } catch {
    return null; // forbidden
  }
}

export function dropShared(): void {
  globalThis.adjournShared = undefined;
  try {
    sessionStorage.removeItem(key);
  } catch {
    // forbidden: nothing was kept
  }
}
