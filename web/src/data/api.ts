// The server's calls, whoever answers them (source.ts). Each resolves with its JSON or rejects with an ApiError; none retries.
import type * as T from './types';
import type { ExportQuery, GapsQuery, ImportQuery, TreeQuery } from './queries';
import { analysesPath, analysisPath, enginesPath, nodePath, query } from './paths';
import type { Answered, Source } from './source';

export class ApiError extends Error {
  constructor(
    readonly status: number, // 0: the server could not be reached
    readonly code: string,
    message: string,
    readonly where: string,
  ) {
    super(message);
  }
  get unreachable(): boolean {
    return this.status === 0;
  }
}

export interface Exported {
  file: Blob;
  name: string; // as the server proposes
}

export class Api {
  constructor(private readonly source: Source) {}

  private async call(
    method: string,
    path: string,
    body?: unknown,
    options: { signal?: AbortSignal; keepalive?: boolean } = {},
    also = 200, // a status that is an answer, too
  ): Promise<Answered> {
    let response: Answered;
    try {
      response = await this.source.ask({ method, path, body, ...options });
    } catch (error) {
      if (options.signal?.aborted) throw error;
      if (error instanceof ApiError) throw error;
      throw new ApiError(0, 'unreachable', 'The server does not answer.', '');
    }
    if (!response.ok && response.status !== also) throw await problem(response);
    return response;
  }

  private async json<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
    const response = await this.call(method, path, body, signal ? { signal } : {});
    return whole(() => response.json() as Promise<T>, signal);
  }

  private async done(...asked: Parameters<typeof this.call>): Promise<void> {
    await this.call(...asked);
  }

  private async text(path: string): Promise<string> {
    const response = await this.call('GET', path);
    return whole(() => response.text());
  }

  health = (): Promise<T.Health> => this.healthBy('GET', '/health');
  // A person knows what it tells, and goes on with what is there.
  knowHealth = (): Promise<T.Health> => this.healthBy('POST', '/health/known');
  private async healthBy(method: string, path: string): Promise<T.Health> {
    const response = await this.call(method, path, undefined, {}, 503);
    return whole(() => response.json() as Promise<T.Health>);
  }

  engines = async (): Promise<T.Engine[]> =>
    (await this.json<{ engines: T.Engine[] }>('GET', enginesPath)).engines;
  installedEngines = (): Promise<T.InstalledEngines> => this.json('GET', `${enginesPath}/installed`);
  addEngine = (installed: string, processes: number): Promise<T.Engine> =>
    this.json('POST', enginesPath, { installed, processes });
  removeEngine = (name: string): Promise<void> =>
    this.done('DELETE', `${enginesPath}/${encodeURIComponent(name)}`);

  machines = (): Promise<T.Machines> => this.json('GET', '/workers');
  webhooks = (): Promise<T.Webhooks> => this.json('GET', '/webhooks');
  testWebhooks = (): Promise<T.WebhookTests> => this.json('POST', '/webhooks/test');

  // It finishes what it has and gets nothing more; or it goes on.
  drain = (id: string, drain: boolean): Promise<void> => this.done('PATCH', `/workers/${id}`, { drain });

  analyses = async (): Promise<T.Analysis[]> =>
    (await this.json<{ analyses: T.Analysis[] }>('GET', analysesPath)).analyses;

  analysis = (id: number): Promise<T.Analysis> => this.json('GET', analysisPath(id));

  create = async (body: T.NewAnalysis): Promise<number> =>
    (await this.json<{ id: number }>('POST', '/analyses', body)).id;

  patch = (id: number, body: T.AnalysisPatch): Promise<T.Analysis> =>
    this.json('PATCH', `/analyses/${id}`, body);

  // The game went on; more work for one that has ended.
  advance = (id: number, body: T.Advance): Promise<T.Analysis> =>
    this.json('POST', `/analyses/${id}/advance`, body);
  extend = (id: number, body: T.Extension): Promise<T.Analysis> =>
    this.json('POST', `/analyses/${id}/extend`, body);
  renew = (id: number, body: T.Renewing): Promise<T.Analysis> =>
    this.json('POST', `/analyses/${id}/renew`, body);

  // `leaving`: the page is being closed; the request outlives it.
  remove = (id: number, leaving = false): Promise<void> =>
    this.done('DELETE', `/analyses/${id}`, undefined, { keepalive: leaving });

  node = (id: number, moves: readonly string[], signal?: AbortSignal): Promise<T.TreeNode> =>
    this.json('GET', nodePath(id, moves), undefined, signal);

  // Somebody looks at it: clouds are asked, and an event says when one has answered.
  askClouds = (id: number, moves: readonly string[]): Promise<T.TreeNode> =>
    this.json('GET', `/analyses/${id}/node${query({ moves, cloud: 'true' })}`);

  tree = (id: number, q: TreeQuery, signal?: AbortSignal): Promise<T.Tree> =>
    this.json('GET', `/analyses/${id}/tree${query({ ...q })}`, undefined, signal);

  history = (id: number): Promise<T.History> => this.json('GET', `/analyses/${id}/history`);

  changes = (id: number, since: number): Promise<T.Changes> =>
    this.json('GET', `/analyses/${id}/changes${query({ since: Math.round(since) })}`);

  // In all analyses.
  radar = (since: number, signal?: AbortSignal): Promise<T.Radar> =>
    this.json('GET', `/radar${query({ since: Math.round(since) })}`, undefined, signal);

  disagreements = (id: number, moves: readonly string[], signal?: AbortSignal): Promise<T.Disagreements> =>
    this.json('GET', `/analyses/${id}/disagreements${query({ moves })}`, undefined, signal);

  // What the answer rests on; searches of that, before all others.
  verdict = (id: number, moves: readonly string[], signal?: AbortSignal): Promise<T.Verdict> =>
    this.json('GET', `/analyses/${id}/verdict${query({ moves })}`, undefined, signal);
  verify = (id: number, moves: readonly string[], evaluations: number): Promise<T.Verification> =>
    this.json('POST', `/analyses/${id}/verify`, { moves, evaluations });

  gaps = (
    id: number,
    moves: readonly string[],
    q: GapsQuery,
    signal?: AbortSignal,
    { answers = false, left = false } = {},
  ): Promise<T.Gaps> => {
    const { side, within, collection, games, ownOnly } = q;
    const compared = collection ? { collection, games } : {};
    const more = {
      ...(ownOnly && { own_only: 'true' }),
      ...(answers && { answers: 'true', limit: 1000 }),
      ...(left && { left: 'true' }),
    };
    const path = `/analyses/${id}/gaps${query({ moves, side, within, ...compared, ...more })}`;
    return this.json('GET', path, undefined, signal);
  };

  // Each line is searched, from the root of the analysis.
  queueGaps = (id: number, lines: readonly (readonly string[])[]): Promise<T.QueuedGaps> =>
    this.json('POST', `/analyses/${id}/gaps/queue`, { lines });

  collections = async (): Promise<T.Collections['collections']> =>
    (await this.json<T.Collections>('GET', '/collections')).collections;

  played = (name: string, fen: string, signal?: AbortSignal): Promise<T.Played> =>
    this.json('GET', `/collections/${encodeURIComponent(name)}/moves${query({ fen })}`, undefined, signal);

  addGames = (name: string, file: string, pgn: string): Promise<T.CollectReport> =>
    this.json('POST', `/collections/${encodeURIComponent(name)}${query({ file })}`, pgn);

  evaluations = (id: number, moves: readonly string[], signal?: AbortSignal): Promise<T.Evaluations> =>
    this.json('GET', `/analyses/${id}/evaluations${query({ moves })}`, undefined, signal);

  // The position that a text means, as people type or paste it.
  readPosition = (text: string, signal?: AbortSignal): Promise<T.ReadPosition> =>
    this.json('POST', '/positions', { text }, signal);

  positions = (fen: string, signal?: AbortSignal): Promise<T.Positions> =>
    this.json('GET', `/positions${query({ fen })}`, undefined, signal);

  direct = (id: number, directive: T.Directive): Promise<T.DirectiveGiven> =>
    this.json('POST', `/analyses/${id}/directives`, directive);

  // What people asked for and did not take back, the oldest first.
  directives = async (id: number, signal?: AbortSignal): Promise<T.GivenDirective[]> =>
    (await this.json<T.Directives>('GET', `/analyses/${id}/directives`, undefined, signal)).directives;

  looks = async (id: number): Promise<T.Look[]> =>
    (await this.json<{ looks: T.Look[] }>('GET', `/analyses/${id}/looks`)).looks;

  look = (id: number, wish: T.LookWish): Promise<T.Look> => this.json('POST', `/analyses/${id}/looks`, wish);

  changeLook = (id: number, look: number, wish: T.LookWish): Promise<T.Look> =>
    this.json('PATCH', `/analyses/${id}/looks/${look}`, wish);

  stopLook = (id: number, look: number): Promise<void> =>
    this.done('DELETE', `/analyses/${id}/looks/${look}`, undefined, { keepalive: true });

  // Links that show it to others.
  links = async (id: number): Promise<T.ShareLink[]> =>
    (await this.json<{ links: T.ShareLink[] }>('GET', `/analyses/${id}/links`)).links;

  share = (id: number, wish: T.NewShareLink): Promise<T.ShareLink> =>
    this.json('POST', `/analyses/${id}/links`, wish);

  revoke = (id: number, link: number): Promise<void> => this.done('DELETE', `/analyses/${id}/links/${link}`);

  // All of an analysis, the oldest first.
  notes = async (id: number): Promise<T.Note[]> =>
    (await this.json<{ notes: T.Note[] }>('GET', `/analyses/${id}/notes`)).notes;

  // The games that people brought.
  files = async (id: number): Promise<T.ListedFile[]> =>
    (await this.json<{ files: T.ListedFile[] }>('GET', `/analyses/${id}/files`)).files;

  addFile = (id: number, file: T.FileText): Promise<T.FileBrought> =>
    this.json('POST', `/analyses/${id}/files`, file);

  putFile = (id: number, file: number, change: T.FileText): Promise<T.FileBrought> =>
    this.json('PUT', `/analyses/${id}/files/${file}`, change);

  deleteFile = (id: number, file: number): Promise<void> =>
    this.done('DELETE', `/analyses/${id}/files/${file}`);

  filePgn = (id: number, file: number, game?: number): Promise<string> =>
    this.text(`/analyses/${id}/files/${file}${query(game ? { game } : {})}`);

  game = (id: number, file: number, game: number, signal?: AbortSignal): Promise<T.KeptGame> =>
    this.json('GET', `/analyses/${id}/files/${file}${query({ game, as: 'json' })}`, undefined, signal);

  editGame = (id: number, file: number, edit: T.GameEdit): Promise<T.KeptGame> =>
    this.json('POST', `/analyses/${id}/files/${file}/edits`, edit);

  undoEdit = (id: number, file: number, game: number): Promise<T.KeptGame> =>
    this.json('POST', `/analyses/${id}/files/${file}/undo`, { game });

  // Brings a deleted file back, or its name before.
  undoFile = (id: number, file: number): Promise<void> =>
    this.done('POST', `/analyses/${id}/files/${file}/undo`, {});

  // The game along a line, from the root of the analysis.
  review = (id: number, moves: readonly string[]): Promise<T.Review> =>
    this.json('GET', `/analyses/${id}/review${query({ moves })}`);

  // Searches its positions that have no score yet.
  searchGame = (id: number, moves: readonly string[]): Promise<T.ReviewAsked> =>
    this.json('POST', `/analyses/${id}/review`, { moves });

  reviewPgn = (id: number, moves: readonly string[]): Promise<string> =>
    this.text(`/analyses/${id}/review${query({ moves, format: 'pgn' })}`);

  // All games of a file in one table.
  fileReview = (id: number, file: number): Promise<T.FileReview> =>
    this.json('GET', `/analyses/${id}/files/${file}/review`);

  // Searches what is missing in its games, or in one of them.
  searchFile = (id: number, file: number, game: number | null): Promise<T.ReviewAsked> =>
    this.json('POST', `/analyses/${id}/files/${file}/review${query(game === null ? {} : { game })}`);

  gameReview = (id: number, file: number, game: number): Promise<T.GameReview> =>
    this.json('GET', `/analyses/${id}/files/${file}/games/${game}/review`);

  // The game that is kept, with what its review found.
  gameReviewPgn = (id: number, file: number, game: number): Promise<string> =>
    this.text(`/analyses/${id}/files/${file}/games/${game}/review${query({ format: 'pgn' })}`);

  export = async (id: number, q: ExportQuery, signal?: AbortSignal): Promise<Exported> => {
    const path = `/analyses/${id}/export${query({ ...q })}`;
    const response = await this.call('GET', path, undefined, signal ? { signal } : {});
    const disposition = response.headers.get('Content-Disposition') ?? '';
    return { file: await whole(() => response.blob(), signal), name: nameIn(disposition) };
  };

  // One part of a file, of whole games or lines.
  import = (text: string, q: ImportQuery, signal?: AbortSignal): Promise<T.ImportReport> =>
    this.json('POST', `/import${query({ ...q, keep: String(q.keep) })}`, text, signal);

  openings = async (q: string, limit: number, signal?: AbortSignal): Promise<T.OpeningLine[]> =>
    (
      await this.json<{ openings: T.OpeningLine[] }>(
        'GET',
        `/openings${query({ q, limit })}`,
        undefined,
        signal,
      )
    ).openings;
}

// The name that the server proposes: `attachment; filename="adjourn-1.pgn"`.
export const nameIn = (disposition: string): string =>
  /filename="([^"/\\]+)"/.exec(disposition)?.[1] ?? 'adjourn.txt';

// Reads a body to its end; a connection lost on the way is the same as none.
async function whole<T>(read: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(0, 'unreachable', 'The answer broke off.', '');
  }
}

async function problem(response: Answered): Promise<ApiError> {
  try {
    const { error } = (await response.json()) as { error: { code: string; message: string; where?: string } };
    return new ApiError(response.status, error.code, error.message, error.where ?? '');
  } catch {
    // Not our JSON: a proxy in between, or a broken answer. The status is all there is to say.
    return new ApiError(response.status, 'internal', `The server said ${response.status}.`, '');
  }
}
