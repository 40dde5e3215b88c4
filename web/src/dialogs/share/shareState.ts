// Sharing an analysis, or one file of it: the links that hold, and the one that is about to be made.
import type { ShareLink } from '../../data/types';

export interface Subject {
  id: number; // of the analysis
  file: number | null; // only this one; null: all of it
  title: string;
}

export interface ShareState extends Subject {
  name: string; // whom the next one is for
  list: ShareLink[] | null; // null: on its way
  asked: number | null; // the link that one is asked about, before it is revoked
  busy: boolean;
  problem: string | null;
}

export const initialShare = (subject: Subject): ShareState => ({
  ...subject,
  name: '',
  list: null,
  asked: null,
  busy: false,
  problem: null,
});

// Those that show the same; the newest first.
export const ownLinks = (s: ShareState): ShareLink[] =>
  (s.list ?? []).filter(link => link.file === s.file).reverse();

// Links with such an address open on this machine only.
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127(\.\d+){3}$/.test(host);
