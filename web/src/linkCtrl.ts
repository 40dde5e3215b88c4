// The live connection: which events are followed, what they change, and what is fetched after a loss.
import { run, tellMistake } from './ctx';
import type { Ctx } from './ctx';
import { Stream } from './data/events';
import * as queueCtrl from './pages/queue/queueCtrl';
import { dropAnalysis, putAnalysis, putEngine } from './pages/queue/queueState';
import * as treeCtrl from './pages/tree/treeCtrl';
import type { Analysis, Engine, NodeEvent } from './data/types';

let stream: Stream | null = null;
let following: number | null | undefined;

// Follows one analysis, or all (null). No-op if it already does.
export function follow(ctx: Ctx, analysis: number | null): void {
  if (following === analysis && stream) return;
  following = analysis;
  stream?.stop();
  stream = new Stream(analysis, {
    headers: () => ctx.api.headers(),
    event: (kind, data) => onEvent(ctx, kind, data),
    open: again => onOpen(ctx, again),
    lost: status => onLost(ctx, status),
    mistake: error => tellMistake(ctx, error),
  });
  stream.start();
}

// The network came back, the page woke up, or a token was given.
export const hurry = (): void => stream?.hurry();

function onOpen(ctx: Ctx, again: boolean): void {
  const { link } = ctx.state;
  const wasDown = link.status !== 'online';
  if (wasDown) ctx.state.link = { status: 'online', since: Date.now() };
  if (again || wasDown) refetch(ctx);
  if (wasDown || !ctx.state.version) run(ctx, learnVersion(ctx));
  ctx.redraw();
}

function onLost(ctx: Ctx, status: number): void {
  const now = status === 401 ? 'locked' : 'offline';
  if (ctx.state.link.status !== now) ctx.state.link = { status: now, since: Date.now() };
  if (now === 'locked') ctx.state.dialog ??= 'token';
  ctx.redraw();
}

async function learnVersion(ctx: Ctx): Promise<void> {
  try {
    ctx.state.version = (await ctx.api.health()).version;
    ctx.redraw();
  } catch {
    // only decoration; the link's own state tells about the server
  }
}

export function refetch(ctx: Ctx): void {
  const { page } = ctx.state.route;
  if (page === 'tree') treeCtrl.reload(ctx);
  else run(ctx, queueCtrl.refresh(ctx));
}

function onEvent(ctx: Ctx, kind: string, data: unknown): void {
  const { queue, tree } = ctx.state;
  switch (kind) {
    case 'analysis': {
      const analysis = data as Analysis;
      putAnalysis(queue, analysis);
      if (tree?.id === analysis.id) {
        tree.analysis = analysis;
        treeCtrl.loadSoon(ctx, 2000);
      }
      break;
    }
    case 'node':
      treeCtrl.onNodeEvent(ctx, data as NodeEvent);
      return; // the redraw comes with the data
    case 'engine':
      putEngine(queue, data as Engine);
      if (ctx.state.route.page !== 'queue') return; // nobody sees them
      break;
    case 'removed':
      dropAnalysis(queue, (data as { id: number }).id);
      if (tree?.id === (data as { id: number }).id) treeCtrl.onRemoved(tree);
      break;
    case 'reset':
      refetch(ctx);
      return;
    default:
      return; // a kind that a newer server knows
  }
  ctx.redraw();
}
