// What the server says of itself and its store, and how a person hears of it.
import { run, type Ctx } from '../ctx';
import { answerOf } from '../data/latest';
import { button, h, type VNode } from './dom';
import { icon } from './icons';

// Whether the server answers, the link's own state tells; this is about its store. `asked`: what asks.
export async function learnHealth(ctx: Ctx, asked = ctx.api.health): Promise<void> {
  if (ctx.state.shared) return; // not shown by a link
  const answer = await answerOf(asked());
  if ('value' in answer && answer.value.version) {
    ctx.state.health = answer.value;
    ctx.state.version = answer.value.version;
    ctx.state.zone = answer.value.time_zone?.name ?? null;
  }
  ctx.redraw();
}

// What is wrong with the store, as long as nobody has said that it is known.
export function storeView(ctx: Ctx): VNode | null {
  const { health } = ctx.state;
  const rows = health?.set_aside?.slice(health.known ?? 0) ?? [];
  if (!health || (!health.problem && rows.length === 0)) return null;
  const aside = `Not used since it is damaged: ${rows[0]}${rows.length > 1 ? ` (and ${rows.length - 1} more)` : ''}`;
  return h('div.banner', { key: 'store', attrs: { role: 'alert', 'data-testid': 'store' } }, [
    icon('warning'),
    h('span', health.problem ?? aside),
    button('', {
      label: 'I know',
      title: 'Go on with what is there',
      run: () => run(ctx, learnHealth(ctx, ctx.api.knowHealth)),
    }),
  ]);
}
