// What a review page shows is fetched again as answers come, and what is missing in it is asked for, once.
import { run, toast, type Ctx } from '../../ctx';
import { answerOf } from '../../data/latest';
import type { ReviewAsked } from '../../data/types';
import type { Followed } from './reviewState';

interface Source<T> {
  open: Followed;
  here: () => boolean; // it is still looked at
  get: () => Promise<T>;
  take: (got: T) => boolean; // whether all of it is searched
  search: () => Promise<ReviewAsked>;
}

export async function refresh<T>(ctx: Ctx, { open, here, get, take, search }: Source<T>): Promise<void> {
  if (open.busy) return;
  open.busy = true;
  const answer = await answerOf(get());
  open.busy = false;
  if (!here()) return;
  let whole = true;
  if ('value' in answer) {
    open.problem = null;
    whole = take(answer.value);
  } else if (answer.problem.status !== 503 && !answer.problem.unreachable)
    open.problem = answer.problem.message; // 503: its engine has not said yet who it is, or its graph is being read
  ctx.redraw();
  if ('problem' in answer) {
    if (answer.problem.status === 503) refreshSoon(ctx, open, 500);
    return;
  }
  if (whole) return;
  if (ctx.state.shared)
    refreshSoon(ctx, open, 10_000); // a link asks for nothing
  else if (!open.asked) await ask(ctx, open, search);
}

async function ask(ctx: Ctx, open: Followed, search: () => Promise<ReviewAsked>): Promise<void> {
  open.asked = true;
  const answer = await answerOf(search());
  if ('value' in answer && answer.value.left) return ask(ctx, open, search); // a call asks for so many
  if ('value' in answer) return refreshSoon(ctx, open, 300);
  if (answer.problem.status === 503) {
    open.asked = false;
    return refreshSoon(ctx, open, 1000);
  }
  if (answer.problem.status !== 403) toast(ctx, answer.problem.message, { tone: 'bad', ms: 10_000 }); // only looks
}

// Fetches again in `ms` at the latest.
export function refreshSoon(ctx: Ctx, open: Followed, ms: number): void {
  const at = ctx.clock.now() + ms;
  if (at >= open.due) return;
  open.notSoon();
  open.due = at;
  open.notSoon = ctx.clock.after(ms, () => {
    open.due = Infinity;
    if (open.busy) refreshSoon(ctx, open, 200);
    else run(ctx, open.refresh());
  });
}

export function stop(open: Followed): void {
  open.notSoon();
  open.due = Infinity;
}
