// What the first view shows is asked for before the page's code is there (src/first.ts), so that the answers come
// while it does. Each answer is taken once; what nobody has taken when something else may have happened is dropped.
import type { Route } from '../router';
import { analysesPath, analysisPath, base, enginesPath, headersFor, nodePath } from './paths';

interface Answer {
  response: Response;
  value: unknown; // its JSON, read already, so that the first view is drawn once; null: the answer tells of a problem
}

interface Early {
  token: string | null; // with which it was asked
  answers: Map<string, Promise<Answer>>; // by path
}

declare global {
  var adjournEarly: Early | undefined;
}

export function earlyPaths(route: Route): string[] {
  if (route.page === 'tree') return [analysisPath(route.id), nodePath(route.id, route.line)];
  return route.page === 'queue' ? [analysesPath, enginesPath] : [];
}

export function askEarly(route: Route, token: string | null): void {
  const answers = new Map<string, Promise<Answer>>();
  for (const path of earlyPaths(route)) {
    const answer = ask(path, token);
    answer.catch(() => undefined); // told to who takes it
    answers.set(path, answer);
  }
  globalThis.adjournEarly = { token, answers };
}

async function ask(path: string, token: string | null): Promise<Answer> {
  const response = await fetch(base + path, { headers: headersFor(token), cache: 'no-store' });
  return { response, value: response.ok ? await response.json() : null };
}

// When all of them are there, whatever they say; at once where nothing was asked for.
export const earlyHere = (): Promise<unknown> =>
  Promise.allSettled([...(globalThis.adjournEarly?.answers.values() ?? [])]);

// Rejects where the server could not be reached. null: it was not asked for.
export function takeEarly(path: string, token: string | null): Promise<Answer> | null {
  const early = globalThis.adjournEarly;
  const answer = early?.token === token ? early.answers.get(path) : undefined;
  early?.answers.delete(path);
  return answer ?? null;
}

export function dropEarly(): void {
  globalThis.adjournEarly = undefined;
}
