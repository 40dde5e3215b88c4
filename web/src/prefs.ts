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

// When this analysis was last left, Unix ms.
export const lastVisit = (id: number): number | null => visits()[id] ?? null;

export function recordVisit(id: number, at: number): void {
  const kept = Object.entries({ ...visits(), [id]: at })
    .sort((a, b) => b[1] - a[1])
    .slice(0, 200);
  save('visits', JSON.stringify(Object.fromEntries(kept)));
}
