// Server-sent events as text: a parser that takes chunks as they come. Pure.

export interface SentEvent {
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
