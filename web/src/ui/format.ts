// Numbers, spans of time, moments and sizes as people read them.

const thin = '\u202f';

export function count(n: number): string {
  if (n < 10_000) return String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, thin);
  if (n < 1_000_000) return `${trim(n / 1000)}k`;
  if (n < 1_000_000_000) return `${trim(n / 1_000_000)}M`;
  return `${trim(n / 1_000_000_000)}G`;
}

function trim(n: number): string {
  return n >= 100 ? n.toFixed(0) : n.toFixed(1);
}

// "8 s", "2:05", "3 h 12", "4 d 2 h"
export function span(seconds: number): string {
  const s = Math.max(0, Math.round(seconds));
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)}:${String(s % 60).padStart(2, '0')} min`;
  if (s < 86_400) return `${Math.floor(s / 3600)} h ${String(Math.floor((s % 3600) / 60)).padStart(2, '0')}`;
  return `${Math.floor(s / 86_400)} d ${Math.floor((s % 86_400) / 3600)} h`;
}

// "40 s", "5 min", "3 h", "2 d": as exact as an estimate is.
function roughly(seconds: number): string {
  const steps: [number, string][] = [
    [86_400, 'd'],
    [3600, 'h'],
    [60, 'min'],
  ];
  const [size, unit] = steps.find(([s]) => seconds >= 1.5 * s) ?? [1, 's'];
  return `${Math.max(1, Math.round(seconds / size))} ${unit}`;
}

// Time still to go, from the least to the most.
export function timeLeft([least, most]: readonly number[]): string {
  const month = 30 * 86_400;
  if (least! > month) return 'over a month';
  const [from, to] = [roughly(least!), most! > month ? 'over a month' : roughly(most!)];
  if (least! < 1) return `up to ${to}`;
  return from === to ? `about ${from}` : `${from} to ${to}`;
}

export function ago(at: number, now: number): string {
  const s = Math.round((now - at) / 1000);
  if (s < 45) return 'just now';
  if (s < 3600) return `${Math.max(1, Math.round(s / 60))} min ago`;
  if (s < 86_400) return `${Math.round(s / 3600)} h ago`;
  const days = Math.round(s / 86_400);
  return days === 1 ? 'yesterday' : `${days} days ago`;
}

const two = (n: number): string => String(n).padStart(2, '0');

// "2026-09-21 22:05" in local time
export function moment(at: number): string {
  const d = new Date(at);
  return `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())} ${two(d.getHours())}:${two(d.getMinutes())}`;
}

// The value of an <input type="datetime-local">, and back.
export const toLocalInput = (at: number): string => moment(at).replace(' ', 'T');
export const fromLocalInput = (value: string): number | null => {
  const at = new Date(value).getTime();
  return Number.isFinite(at) ? at : null;
};

export function bytes(n: number): string {
  if (n < 1024) return `${n} B`;
  if (n < 1024 * 1024) return `${trim(n / 1024)} KB`;
  return `${trim(n / 1024 / 1024)} MB`;
}

export const plural = (n: number, one: string, many = `${one}s`): string =>
  `${count(n)} ${n === 1 ? one : many}`;

export const percent = (share: number): string => `${Math.round(share * 100)}%`;

// "23.4 kB/s"-style speeds are not needed; nodes a second are: "912k"
export const speed = (nps: number): string => `${count(nps)}/s`;

// A name for a downloaded file from free text.
export function fileName(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/[^\w .-]+/g, '')
    .trim()
    .replace(/\s+/g, '-')
    .toLowerCase();
  return plain || 'analysis';
}
