// The stream of server-sent events, kept open through sleep, restarts and lost networks. Read with
// fetch rather than EventSource: that one cannot send a token and hides the pings by which a dead
// connection is noticed.
import { base, query } from './paths';
import type { Analysis, Engine, Look, NodeEvent } from './types';

// The events of the server's stream by their kinds. What has changed comes as those fields, with the one that names it.
export type ServerEvent =
  | { kind: 'analysis'; data: Analysis }
  | { kind: 'node'; data: NodeEvent }
  | { kind: 'look'; data: Look }
  | { kind: 'look_changed'; data: Partial<Look> & { id: number } }
  | { kind: 'engine'; data: Engine }
  | { kind: 'analysis_changed'; data: Partial<Analysis> & { id: number } }
  | { kind: 'engine_changed'; data: Partial<Engine> & { name: string } }
  | { kind: 'removed'; data: { id: number } };

const kinds: readonly string[] = [
  'analysis',
  'analysis_changed',
  'node',
  'look',
  'look_changed',
  'engine',
  'engine_changed',
  'removed',
] satisfies ServerEvent['kind'][];

// null: `reset`, or a kind that a newer server knows.
export const serverEvent = (kind: string, data: unknown): ServerEvent | null =>
  kinds.includes(kind) ? ({ kind, data } as ServerEvent) : null;

// Server-sent events as text: a parser that takes chunks as they come. Pure.

interface SentEvent {
  id: string | null; // the last id seen so far, as the standard has it
  kind: string;
  data: string;
}

export class EventParser {
  private rest = '';
  private kind = '';
  private data: string[] = [];
  private lastId: string | null = null;
  place: string | null = null; // the id of the last block that is complete; it may be no event

  // Events completed by this chunk. Comments (pings) complete nothing.
  push(chunk: string): SentEvent[] {
    const events: SentEvent[] = [];
    const lines = (this.rest + chunk).split(/\r\n|\n|\r(?!$)/);
    this.rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line === '') {
        if (this.data.length)
          events.push({ id: this.lastId, kind: this.kind || 'message', data: this.data.join('\n') });
        this.place = this.lastId;
        this.kind = '';
        this.data = [];
        continue;
      }
      if (line.startsWith(':')) continue;
      const colon = line.indexOf(':');
      const field = colon < 0 ? line : line.slice(0, colon);
      const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
      if (field === 'event') this.kind = value;
      else if (field === 'data') this.data.push(value);
      else if (field === 'id' && !value.includes('\0')) this.lastId = value;
    }
    return events;
  }
}

export interface StreamHandlers {
  headers(): Record<string, string>;
  // The analysis whose positions are looked at; 0: none.
  watched(): number;
  event(kind: string, data: unknown): void;
  // Connected. `again`: after a loss, so that what was missed must be fetched.
  open(again: boolean): void;
  lost(status: number): void; // 0 = could not be reached
  mistake(error: unknown): void; // thrown by one of the others: no fault of the connection
}

const silence = 40_000; // ms without a byte (pings come every 15 s) before we call it dead
const firstDelay = 500;
const longestDelay = 8_000;

export class Stream {
  private abort: AbortController | null = null;
  private lastId: string | null = null;
  private opened = false;
  private watched = 0;
  private delay = firstDelay;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private watchdog: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly handlers: StreamHandlers) {}

  start(): void {
    this.connect().catch((error: unknown) => this.handlers.mistake(error));
  }

  stop(): void {
    clearTimeout(this.retry);
    clearTimeout(this.watchdog);
    const abort = this.abort;
    this.abort = null;
    abort?.abort();
  }

  // The network is back, or the page woke up: don't wait for the next try.
  hurry(): void {
    if (this.retry === undefined) return;
    clearTimeout(this.retry);
    this.delay = firstDelay;
    this.start();
  }

  // Another analysis may be looked at: goes on with the events of its positions, from the same place.
  follow(): void {
    if (!this.abort || this.retry !== undefined || this.handlers.watched() === this.watched) return;
    const before = this.abort;
    this.connect(this.lastId !== null).catch((error: unknown) => this.handlers.mistake(error));
    before.abort();
  }

  // `goesOn`: nothing was missed.
  private async connect(goesOn = false): Promise<void> {
    this.retry = undefined;
    const abort = new AbortController();
    this.abort = abort;
    this.watched = this.handlers.watched();
    let status = 0;
    try {
      const headers: Record<string, string> = { Accept: 'text/event-stream' };
      if (this.lastId !== null) headers['Last-Event-ID'] = this.lastId;
      this.guard(abort);
      const response = await fetch(`${base}/events${query({ fields: 'changed', nodes: this.watched })}`, {
        headers: { ...headers, ...this.handlers.headers() },
        cache: 'no-store',
        signal: abort.signal,
      });
      status = response.status;
      if (!response.ok || !response.body) throw new Error(`events: ${status}`);
      this.delay = firstDelay;
      const again = this.opened && !goesOn;
      this.opened = true;
      this.tell(() => this.handlers.open(again));
      await this.read(response.body, abort);
      status = 0; // the server closed it
    } catch {
      // Whatever it was (refused, cut, aborted by the watchdog): `lost` says so and we try again.
    }
    if (this.abort !== abort) return; // stopped or replaced
    clearTimeout(this.watchdog);
    this.tell(() => this.handlers.lost(status));
    this.retry = setTimeout(() => this.start(), this.delay);
    this.delay = Math.min(longestDelay, this.delay * 1.7);
  }

  private async read(body: ReadableStream<Uint8Array>, abort: AbortController): Promise<void> {
    const reader = body.getReader();
    const decoder = new TextDecoder();
    const parser = new EventParser();
    for (;;) {
      const { done, value } = await reader.read();
      if (done || this.abort !== abort) return;
      this.guard(abort);
      const events = parser.push(decoder.decode(value, { stream: true }));
      this.lastId = parser.place ?? this.lastId;
      for (const event of events) {
        this.tell(() => this.handlers.event(event.kind, JSON.parse(event.data)));
      }
    }
  }

  // What goes wrong in a handler or in the data of one event leaves the connection as it is.
  private tell(handler: () => void): void {
    try {
      handler();
    } catch (error) {
      this.handlers.mistake(error);
    }
  }

  private guard(abort: AbortController): void {
    clearTimeout(this.watchdog);
    this.watchdog = setTimeout(() => abort.abort(), silence);
  }
}
