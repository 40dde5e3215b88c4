// The time and what is to be done later, so that tests can turn the hands.
export interface Clock {
  now(): number; // Unix ms
  after(ms: number, work: () => void): () => void; // returns what calls it off
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, work) => {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
};

// What there is to call off, where nothing waits.
export const nothing = (): void => undefined;
