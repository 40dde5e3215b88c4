// Links are made, copied and revoked.
import { assign, explain, run, type Ctx } from '../../ctx';
import { answerOf } from '../../data/latest';
import type { ShareLink } from '../../data/types';
import { copyText } from '../../ui/copy';
import { initialShare, type ShareState, type Subject } from './shareState';

export function openShare(ctx: Ctx, subject: Subject): void {
  const share = initialShare(subject);
  ctx.state.share = share;
  ctx.state.dialog = 'share';
  run(ctx, load(ctx, share));
  ctx.redraw();
}

async function load(ctx: Ctx, share: ShareState): Promise<void> {
  const answer = await answerOf(ctx.api.links(share.id));
  if ('value' in answer) share.list = answer.value;
  else share.problem = answer.problem.message;
  ctx.redraw();
}

export const addressOf = ({ path }: ShareLink): string => `${location.origin}${path}`;

export const copy = (ctx: Ctx, link: ShareLink): Promise<void> => copyText(ctx, addressOf(link), 'Link');

// One call at a time; what goes wrong is told in the dialog.
async function change(ctx: Ctx, share: ShareState, call: () => Promise<unknown>): Promise<void> {
  if (share.busy) return;
  assign(ctx, share, { busy: true, problem: null });
  try {
    await call();
  } catch (error) {
    share.problem = explain(error);
  } finally {
    share.busy = false;
    ctx.redraw();
  }
}

export const make = (ctx: Ctx, share: ShareState): Promise<void> =>
  change(ctx, share, async () => {
    const { id, file } = share;
    const link = await ctx.api.share(id, { name: share.name.trim(), ...(file !== null && { file }) });
    share.list = [...(share.list ?? []), link];
    share.name = '';
    await copy(ctx, link);
  });

export const revoke = (ctx: Ctx, share: ShareState, link: ShareLink): Promise<void> =>
  change(ctx, share, async () => {
    await ctx.api.revoke(share.id, link.id);
    share.list = (share.list ?? []).filter(other => other.id !== link.id);
    share.asked = null;
  });

export function ask(ctx: Ctx, share: ShareState, link: number | null): void {
  share.asked = link;
  ctx.redraw();
}
