// What the browser remembers: theme, board side, token, last visits. Storage may be forbidden
// (private windows); then the page works and forgets.

export type Theme = 'auto' | 'light' | 'dark';

const prefix = 'adjourn.';

export function load(name: string): string | null {
  try {
    return localStorage.getItem(prefix + name);
  } catch {
    return null; // forbidden
  }
}

export function save(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(prefix + name);
    else localStorage.setItem(prefix + name, value);
  } catch {
    // forbidden or full: forget
  }
}

export function loadTheme(): Theme {
  const theme = load('theme');
  return theme === 'light' || theme === 'dark' ? theme : 'auto';
}

export function applyTheme(theme: Theme): void {
  if (theme === 'auto') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

// A record or list that was saved as JSON; `none` where there is none of ours.
export function loadJson<T extends object>(name: string, none: T): T {
  try {
    const parsed: unknown = JSON.parse(load(name) ?? 'null');
    const ours =
      typeof parsed === 'object' && parsed !== null && Array.isArray(parsed) === Array.isArray(none);
    return ours ? (parsed as T) : none;
  } catch {
    return none;
  }
}

type Visits = Record<string, number>;

const visits = (): Visits => loadJson('visits', {});

// When this analysis was left the last time before this sitting, Unix ms: reloading the page or looking
// away for a moment is not a new visit.
export function lastVisit(id: number): number | null {
  const before = visits()[id] ?? null;
  try {
    const key = `${prefix}before.${id}`;
    const kept = sessionStorage.getItem(key);
    if (kept !== null) return Number(kept) || null;
    sessionStorage.setItem(key, String(before ?? 0));
  } catch {
    // forbidden: the last time we left is the best we know
  }
  return before;
}

export function recordVisit(id: number, at: number): void {
  const all: Visits = { ...visits(), [id]: at };
  const kept = Object.entries(all)
    .sort((a, b) => b[1] - a[1])
    .slice(0, 200);
  save('visits', JSON.stringify(Object.fromEntries(kept)));
}

// Was this browser never here? Only asked once: from then on it was. Who makes an analysis is no stranger, either.
export function firstVisit(): boolean {
  const first = load('toured') === null;
  if (first) save('toured', '1');
  return first;
}
