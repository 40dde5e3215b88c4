// A part of the page's code that comes when it is first needed.
import { run, type Ctx } from '../ctx';
import { ApiError } from '../data/api';

export class Part<T> {
  here: T | null = null; // null: it was not needed yet, or is on its way
  private coming: Promise<T> | null = null;

  constructor(private readonly fetch: () => Promise<T>) {}

  // Rejects with an ApiError if it cannot be had. The next call tries again, but a browser may remember what failed.
  load(): Promise<T> {
    this.coming ??= this.fetch().then(
      part => (this.here = part),
      () => {
        this.coming = null;
        throw new ApiError(0, 'unreachable', 'A part of the page cannot be loaded. Reload the page.', '');
      },
    );
    return this.coming;
  }
}

// Does something with a part when it is there.
export const usePart = <T>(ctx: Ctx, part: Part<T>, use: (code: T) => unknown): void =>
  run(ctx, part.load().then(use));
