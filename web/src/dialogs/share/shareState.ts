// Sharing an analysis, or one file of it: the links that hold, and the one that is about to be made.
import type { ShareLink } from '../../data/types';

export interface Subject {
  id: number; // of the analysis
  file: number | null; // only this one; null: all of it
  title: string;
}

export const initialShare = (subject: Subject) => ({
  ...subject,
  name: '', // whom the next one is for
  list: null as ShareLink[] | null, // null: on its way
  asked: null as number | null, // the link that one is asked about, before it is revoked
  busy: false,
  problem: null as string | null,
});

export type ShareState = ReturnType<typeof initialShare>;

// Those that show the same; the newest first.
export const ownLinks = (s: ShareState): ShareLink[] =>
  (s.list ?? []).filter(link => link.file === s.file).reverse();

// Links with such an address open on this machine only.
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127(\.\d+){3}$/.test(host);
