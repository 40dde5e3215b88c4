// A game or the table of a file, looked at as the answers come.
import { ucis } from '../../chess/chess';
import { assign, attempt, offerUndo, run, toast, type Ctx } from '../../ctx';
import { loadAnalysis } from '../../data/entities';
import { answerOf } from '../../data/latest';
import type { Analysis, FileReview, GameReview, Review } from '../../data/types';
import type { ReviewRoute } from '../../router';
import { copyText, saveFile } from '../../ui/download';
import { fileName } from '../../ui/format';
import * as choose from './chooseCtrl';
import { refresh, refreshSoon, stop } from './follow';
import { players, tagOf } from './games';
import { complete, follows, initialReview, openReview, openTable } from './reviewState';
import type { OpenReview, OpenTable, SortColumn } from './reviewState';

export function enter(ctx: Ctx, route: ReviewRoute): void {
  const review = (ctx.state.review ??= initialReview());
  if (route.id === null) {
    leave(ctx);
    choose.enter(ctx, review);
    return;
  }
  const { open, table } = review;
  if (
    open?.id === route.id &&
    open.file === route.file &&
    open.game === route.game &&
    (route.file !== null || open.line.join() === route.line.join())
  ) {
    open.at = route.at;
    follows(open);
    return;
  }
  if (table?.id === route.id && table.file === route.file && route.game === null) return;
  leave(ctx);
  const listed = table?.id === route.id && table.file === route.file ? table.table : null;
  if (route.file !== null && route.game === null) review.table = enterTable(ctx, route.id, route.file);
  else review.open = enterGame(ctx, route.id, route, listed);
  if (!ctx.state.shared) run(ctx, loadAnalysis(ctx, route.id)); // a link to a file shows no more of it
  run(ctx, (review.table ?? review.open)!.refresh());
}

export function leave(ctx: Ctx): void {
  const { review } = ctx.state;
  for (const followed of [review?.open, review?.table]) if (followed) stop(followed);
  if (review) Object.assign(review, { open: null, table: null });
}

function enterTable(ctx: Ctx, id: number, file: number): OpenTable {
  const table = openTable(id, file);
  table.refresh = () =>
    refresh(ctx, {
      open: table,
      here: () => ctx.state.review?.table === table,
      get: () => ctx.api.fileReview(id, file),
      take: got => {
        table.table = got;
        return got.games.every(complete);
      },
      search: () => ctx.api.searchFile(id, file, null),
    });
  return table;
}

// `listed`: the table that one comes from, which knows who played.
function enterGame(ctx: Ctx, id: number, route: ReviewRoute, listed: FileReview | null): OpenReview {
  const open = openReview(id, route);
  const { file, game } = route;
  const row = listed?.games.findIndex(({ number }) => number === game) ?? -1;
  if (listed && row >= 0) {
    const number = (at: number): number | null => listed.games[at]?.number ?? null;
    open.tags = Object.entries(listed.games[row]!.tags);
    open.beside = { file: listed.file, previous: number(row - 1), next: number(row + 1) };
  }
  const here = (): boolean => ctx.state.review?.open === open;
  open.refresh =
    file !== null && game !== null
      ? () =>
          refresh(ctx, {
            open,
            here,
            get: () => ctx.api.gameReview(id, file, game),
            take: got => takeGame(open, got),
            search: () => ctx.api.searchFile(id, file, game),
          })
      : () =>
          refresh(ctx, {
            open,
            here,
            get: () => ctx.api.review(id, open.line),
            take: got => takeReview(open, got),
            search: () => ctx.api.searchGame(id, open.line),
          });
  return open;
}

function takeReview(open: OpenReview, review: Review): boolean {
  open.review = review;
  return complete(review);
}

function takeGame(open: OpenReview, got: GameReview): boolean {
  open.line = ucis(got.moves);
  open.at = Math.min(open.at, open.line.length);
  open.tags = got.tags.map(({ name, value }) => [name, value]);
  open.clocks = got.clocks.map(clock => clock ?? '');
  open.beside = got;
  return takeReview(open, got);
}

export const analysisOf = (ctx: Ctx, open: { id: number }): Analysis | null =>
  ctx.state.store.analyses.get(open.id);

export function sort(ctx: Ctx, table: OpenTable, column: SortColumn): void {
  // The worst and the last come first at once, names and numbers from their beginning.
  const down = column === 'worst' || column === 'Date';
  assign(ctx, table, table.sort === column ? { down: !table.down } : { sort: column, down });
}

// --- in a game

export function walk(ctx: Ctx, open: OpenReview, at: number): void {
  const { id, file, game, line } = open;
  const to = Math.max(0, Math.min(line.length, at));
  ctx.go({ page: 'review', id, file, game, line: file === null ? line : [], at: to }, 'replace');
}

export function flip(ctx: Ctx, open: OpenReview): void {
  open.orientation = open.orientation === 'white' ? 'black' : 'white';
  ctx.redraw();
}

// More search at the position before the move that is looked at: the moment becomes clearer.
export async function deepen(ctx: Ctx, open: OpenReview): Promise<void> {
  const before = Math.max(0, open.at - 1);
  open.deepened.add(before);
  ctx.redraw();
  const moves = open.line.slice(0, before);
  const answer = await answerOf(ctx.api.direct(open.id, { moves, action: 'deepen' }));
  if ('problem' in answer) {
    open.deepened.delete(before);
    toast(ctx, answer.problem.message, { tone: 'bad' });
    return;
  }
  refreshSoon(ctx, open, 1000);
  const { at } = answer.value;
  const undo = async (): Promise<void> => {
    if (await attempt(ctx, () => ctx.api.direct(open.id, { moves, action: 'retract', at })))
      open.deepened.delete(before);
    ctx.redraw();
  };
  offerUndo(ctx, 'This move is searched deeper.', () => run(ctx, undo()));
}

// --- taking it along

// The game as it is kept, with what was found; of a line only its moves.
export const pgn = (ctx: Ctx, { id, file, game, line }: OpenReview): Promise<string> =>
  file !== null && game !== null ? ctx.api.gameReviewPgn(id, file, game) : ctx.api.reviewPgn(id, line);

export const gameFile = (open: OpenReview, ending: string): string =>
  `${fileName([players(open.tags), tagOf(open.tags, 'Date')].filter(Boolean).join(' ') || 'game')}-review.${ending}`;

export const download = (ctx: Ctx, open: OpenReview): Promise<boolean> =>
  attempt(ctx, async () =>
    saveFile(
      gameFile(open, 'pgn'),
      new Blob([await pgn(ctx, open)], { type: 'application/x-chess-pgn;charset=utf-8' }),
    ),
  );

export const copy = (ctx: Ctx, open: OpenReview): Promise<boolean> =>
  attempt(ctx, async () => copyText(ctx, await pgn(ctx, open), 'PGN'));
