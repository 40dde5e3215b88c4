// The source of a page that stands by itself: answers as the server's, from the scripts of a site. Calls that change
// something, and calls about anything else, are refused.
import type { Answered, Site, Source, Wish } from '../data/source';
import type { Analysis, Changes, Disagreements, KeptGame } from '../data/types';
import { pictureOf } from './sitePicture';
import type { SiteScripts } from './siteScripts';
import { SiteTree } from './siteTree';

export interface SiteIndex extends Site {
  analysis: Analysis;
  starts: number[]; // the number of each chunk's first position
  games: Record<string, number[]>; // of each file: the first game of each script
}

const headers = { get: () => null };

const answer = (status: number, value: unknown): Answered => ({
  ok: status === 200,
  status,
  headers,
  json: () => Promise.resolve(value),
  text: () => Promise.resolve(String(value)),
  blob: () => Promise.resolve(new Blob([String(value)])),
});

const refuse = (status: number, code: string, message: string): Answered =>
  answer(status, { error: { code, message, where: '' } });

const absent = refuse(404, 'not_found', 'This is not in the site.');

export class SiteSource implements Source {
  private readonly tree: SiteTree;

  constructor(
    private readonly scripts: SiteScripts,
    private readonly index: SiteIndex,
  ) {
    this.tree = new SiteTree(scripts, index.analysis, index.starts);
  }

  async ask({ method, path }: Wish): Promise<Answered> {
    if (method !== 'GET') return refuse(405, 'read_only', 'A site shows; nothing can be changed in it.');
    const [place = '', search = ''] = path.split('?');
    const asked = new URLSearchParams(search);
    const [, all, id, call = '', file] = place.split('/');
    if (all !== 'analyses' || Number(id) !== this.index.analysis.id) return absent;
    const value = await (file === undefined ? this.whole(call, asked) : this.file(call, file, asked));
    return value === null ? absent : answer(200, value);
  }

  private async whole(call: string, asked: URLSearchParams): Promise<unknown> {
    const moves = asked.get('moves')?.split(',') ?? [];
    switch (call) {
      case '':
        return this.index.analysis;
      case 'node':
        return this.tree.node(moves);
      case 'verdict':
        return (await this.tree.walk(moves)).at?.verdict ?? null;
      case 'tree': {
        const number = (name: string): number => Number(asked.get(name));
        const wish = { plies: number('plies'), margin: number('margin'), limit: number('limit') };
        return pictureOf(this.tree, this.index.analysis.positions, { moves, ...wish });
      }
      case 'disagreements':
        return this.disagreements(moves);
      case 'changes':
        return this.changes(Number(asked.get('since')));
      case 'history':
      case 'notes':
      case 'files':
        return this.scripts.load(call);
    }
    return null;
  }

  // The largest of the whole tree; elsewhere those of them that lie below.
  private async disagreements(moves: readonly string[]): Promise<Disagreements> {
    const all = await this.scripts.load<Disagreements>('disagreements');
    const below = all.disagreements.filter(
      ({ line }) => line.length > moves.length && moves.every((uci, i) => line[i]!.uci === uci),
    );
    return { ...all, disagreements: below.map(one => ({ ...one, line: one.line.slice(moves.length) })) };
  }

  // Since the moment of those it can tell that is nearest.
  private changes(since: number): Promise<Changes> {
    const away = (one: { since: number }): number => Math.abs(one.since - since);
    const [nearest] = [...this.index.changes].sort((a, b) => away(a) - away(b));
    return this.scripts.load(`since-${nearest!.name}`);
  }

  private async file(call: string, file: string, asked: URLSearchParams): Promise<unknown> {
    const starts = call === 'files' ? this.index.games[file] : undefined;
    if (!starts) return null;
    if (asked.get('as') !== 'json') return this.scripts.load(`f${file}`);
    const game = Number(asked.get('game'));
    const script = starts.filter(first => first <= game).length - 1;
    if (script < 0) return null;
    const games = await this.scripts.load<Record<string, KeptGame>>(`f${file}-${script}`);
    return games[game] ?? null;
  }
}
