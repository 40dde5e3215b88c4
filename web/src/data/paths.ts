// Where calls go, for those that are made before the rest of the code is there, too.

export const base = '/api/v1';

// "?a=1&moves=e2e4,e7e5"; an empty list of moves is left out.
export function query(fields: Record<string, string | number | readonly string[]>): string {
  const parts: string[] = [];
  for (const [name, value] of Object.entries(fields)) {
    const text = typeof value === 'object' ? value.join() : String(value);
    if (typeof value === 'object' && !value.length) continue;
    parts.push(`${name}=${encodeURIComponent(text).replace(/%2C/g, ',')}`);
  }
  return parts.length ? `?${parts.join('&')}` : '';
}

export const analysesPath = '/analyses';
export const enginesPath = '/engines';
export const analysisPath = (id: number): string => `/analyses/${id}`;
export const nodePath = (id: number, moves: readonly string[]): string =>
  `/analyses/${id}/node${query({ moves })}`;

export const headersFor = (token: string | null): Record<string, string> =>
  token ? { Authorization: `Bearer ${token}` } : {};
