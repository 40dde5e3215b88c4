// The source of a page that a server has sent: its API.
import { takeEarly } from './early';
import { base, headersFor } from './paths';
import type { Answered, Source, Wish } from './source';

export class ServerSource implements Source {
  // `token` is asked for at each call, so that a token typed later is used at once.
  constructor(private readonly token: () => string | null) {}

  headers(more: Record<string, string> = {}): Record<string, string> {
    return { ...more, ...headersFor(this.token()) };
  }

  async ask({ method, path, body, signal, keepalive }: Wish): Promise<Answered> {
    const early = method === 'GET' ? takeEarly(path, this.token()) : null;
    if (early) {
      const { response, value } = await early;
      if (!response.ok) return response;
      const { ok, status, headers } = response;
      const json = (): Promise<unknown> => Promise.resolve(value);
      return { ok, status, headers, json, text: () => response.text(), blob: () => response.blob() };
    }
    return fetch(base + path, {
      method,
      headers: this.headers(body === undefined ? {} : { 'Content-Type': typeOf(body) }),
      body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
      cache: 'no-store',
      ...(signal && { signal }),
      ...(keepalive && { keepalive }),
    });
  }
}

// A text is sent as it is, anything else as JSON.
const typeOf = (body: unknown): string => (typeof body === 'string' ? 'text/plain' : 'application/json');
