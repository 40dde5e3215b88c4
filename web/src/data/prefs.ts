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

type Visits = Record<string, number>;

function visits(): Visits {
  try {
    const parsed: unknown = JSON.parse(load('visits') ?? '{}');
    return typeof parsed === 'object' && parsed !== null ? (parsed as Visits) : {};
  } catch {
    return {}; // not ours
  }
}

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
