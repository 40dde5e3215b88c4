// The engines, where they are not known yet.
import { explain } from '../../ctx';
import type { Ctx } from '../../ctx';

export async function loadEngines(ctx: Ctx): Promise<void> {
  if (ctx.state.queue.engines) return;
  try {
    ctx.state.queue.engines = await ctx.api.engines();
  } catch (error) {
    explain(error); // the default engine is always there to choose, and the noise is decoration
  }
  ctx.redraw();
}
