// The scripts of a site, each with one value. A page in a folder may fetch no file and import no module; a script it
// may load, from there as from any server.
import { ApiError } from '../data/api';

type Call = [name: string, value: unknown];

declare global {
  // Scripts that came before the page's code wait in it.
  var adjournSite: Call[] | { push(call: Call): unknown } | undefined;
}

const mostKept = 48; // values of scripts: some megabytes

export class SiteScripts {
  private readonly came = new Map<string, unknown>(); // the latest used last
  private readonly waiting = new Map<string, Promise<unknown>>();

  // `folder`: where they are, from the page.
  constructor(private folder = '') {
    const early = Array.isArray(globalThis.adjournSite) ? globalThis.adjournSite : [];
    globalThis.adjournSite = { push: ([name, value]: Call) => this.came.set(name, value) };
    for (const [name, value] of early) this.came.set(name, value);
  }

  // What is here already.
  here = <T>(name: string): T | null => (this.came.get(name) as T | undefined) ?? null;

  in(folder: string): void {
    this.folder = folder;
  }

  // Rejects with an ApiError where there is no such script.
  async load<T>(name: string): Promise<T> {
    const known = this.came.get(name);
    if (known !== undefined) {
      this.came.delete(name); // to the young end
      this.came.set(name, known);
      return known as T;
    }
    const coming = this.waiting.get(name) ?? this.fetch(name);
    this.waiting.set(name, coming);
    try {
      return (await coming) as T;
    } finally {
      this.waiting.delete(name);
    }
  }

  private fetch(name: string): Promise<unknown> {
    return new Promise((done, fail) => {
      const script = document.createElement('script');
      const end = (): void => {
        script.remove();
        const value = this.came.get(name);
        if (value === undefined) fail(new ApiError(0, 'unreachable', missing, ''));
        else done(value);
        while (this.came.size > mostKept) this.came.delete(this.came.keys().next().value!);
      };
      script.onload = script.onerror = end;
      script.src = `${this.folder}/${name}.js`;
      document.head.append(script);
    });
  }
}

const missing =
  'A part of this site is missing. It may have been written anew since you opened it: reload the page.';
