// One question that is asked again and again: only the answer to the newest one counts.
import { ApiError } from './api';

// What became of a call. Programming errors are none of these: they are thrown.
export type Answer<T> = { value: T } | { problem: ApiError };

export async function answerOf<T>(call: Promise<T>): Promise<Answer<T>> {
  try {
    return { value: await call };
  } catch (error) {
    if (error instanceof ApiError) return { problem: error };
    throw error;
  }
}

export class Latest {
  private own: AbortController | null = null;
  private what: string | undefined;

  // Gives up what was asked before, and asks. null: overtaken or stopped itself, nobody wants the answer.
  // `what` names the question: as long as the same is on its way it is not asked again, since a server that is
  // slower than we ask would never come to an end.
  async ask<T>(call: (signal: AbortSignal) => Promise<T>, what?: string): Promise<Answer<T> | null> {
    if (this.own && what !== undefined && what === this.what) return null;
    this.own?.abort();
    const own = new AbortController();
    this.own = own;
    this.what = what;
    try {
      const answer = await answerOf(call(own.signal));
      return this.own === own ? answer : null;
    } catch (error) {
      if (own.signal.aborted) return null;
      throw error;
    } finally {
      if (this.own === own) this.own = null;
    }
  }

  get busy(): boolean {
    return this.own !== null;
  }

  stop(): void {
    this.own?.abort();
    this.own = null;
  }
}
