// Where the page's calls are answered: by a server, or from the scripts of a site (site/siteSource.ts).
import type { Changes } from './types';

export interface Wish {
  method: string;
  path: string; // below /api/v1
  body?: unknown; // a text as it is, anything else as JSON
  signal?: AbortSignal | undefined;
  keepalive?: boolean; // outlives the page
}

// As a Response.
export interface Answered {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  json(): Promise<unknown>;
  text(): Promise<string>;
  blob(): Promise<Blob>;
}

export interface Source {
  // Rejects where no answer came, whatever the reason.
  ask(wish: Wish): Promise<Answered>;
}

// An analysis as files: what is told of the whole (server/program/client/site.cpp).
export interface Site {
  exported: number; // Unix ms
  folder: string; // of its scripts
  positions: number;
  moves: number; // listed at them
  cut: boolean; // there are more, but so many were asked for
  margin: number; // cp: what was followed
  plies: number;
  changes: { name: 'site' | 'day' | 'week'; since: Changes['since'] }[]; // that it can tell
}
