// The page on which a game is reviewed. Its code comes when it is first entered.
import { run, type Ctx } from '../../ctx';
import type { ReviewRoute } from '../../router';
import { h } from '../../ui/dom';
import { pageView } from '../../ui/frameView';
import { Part } from '../../ui/part';
import { enterPart, type Key, type Page } from '../page';
import type * as loaded from './reviewPart';
import type { Followed, OpenReview } from './reviewState';

type Loaded = typeof loaded;

const part = new Part(() => import('./reviewPart'));

type Action = (ctx: Ctx, open: OpenReview, code: Loaded) => unknown;

// The keys mean what they mean in the tree, so the help has them once; moments take the place of the table's moves.
const key = (keys: readonly string[], action: Action, more: Partial<Key> = {}): Key => ({
  group: 'Walking',
  keys,
  what: '',
  ...more,
  run: ctx => {
    const open = ctx.state.review?.open;
    return open && part.here ? action(ctx, open, part.here) : false;
  },
});

const toMoment =
  (step: 1 | -1): Action =>
  (ctx, open, { walk, nextMoment }) => {
    const to = open.review && nextMoment(open.review, open.at, step);
    return to === null ? false : walk(ctx, open, to);
  };

const keys: readonly Key[] = [
  key(['ArrowLeft', 'Backspace'], (ctx, open, code) => code.walk(ctx, open, open.at - 1), {
    repeats: true,
  }),
  key(['ArrowRight'], (ctx, open, code) => code.walk(ctx, open, open.at + 1), { repeats: true }),
  key(['ArrowUp'], toMoment(-1)),
  key(['ArrowDown'], toMoment(1)),
  key(['Home'], (ctx, open, code) => code.walk(ctx, open, 0)),
  key(['End'], (ctx, open, code) => code.walk(ctx, open, open.line.length)),
  key(['d'], (ctx, open, code) => run(ctx, code.deepen(ctx, open)), { own: true }),
  key(['f'], (ctx, open, code) => code.flip(ctx, open)),
];

const followedIn = (ctx: Ctx): Followed | null => ctx.state.review?.open ?? ctx.state.review?.table ?? null;

export const reviewPage: Page<ReviewRoute> = {
  enter: (ctx, route) => enterPart(part, ctx, route),
  leave: ctx => part.here?.leave(ctx),
  view: ctx => {
    const { review } = ctx.state;
    if (!part.here || !review) return pageView('.review', 'Review a game', [h('div.skeleton')]);
    if (review.table) return part.here.tableView(ctx, review.table);
    return review.open ? part.here.reviewView(ctx, review.open) : part.here.chooseView(ctx, review);
  },
  title: () => 'Review a game – Adjourn',
  keys,
  onEvent: (ctx, event) => {
    const followed = followedIn(ctx);
    if (!followed || !part.here) return;
    // A table of many games is more work for the server than a game.
    const soon = ctx.state.review?.table ? 3000 : 1000;
    if (event.kind === 'node' && event.data.analysis === followed.id)
      part.here.refreshSoon(ctx, followed, soon);
    const changed = event.kind === 'analysis' || event.kind === 'analysis_changed';
    if (changed && event.data.id === followed.id) ctx.redraw();
  },
  refetch: ctx => {
    const followed = followedIn(ctx);
    if (followed && part.here) run(ctx, followed.refresh());
  },
};
