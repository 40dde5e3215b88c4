// Asks the server what it offers.
import { explain } from '../ctx';
import type { Ctx } from '../ctx';
import { readOffers } from './offers';

let asked = false;

// Asks once; until then, and where the server does not tell, there is the least.
export async function loadOffers(ctx: Ctx): Promise<void> {
  if (asked) return;
  asked = true;
  try {
    ctx.state.offers = readOffers(await ctx.api.openapi());
    ctx.redraw();
  } catch (error) {
    asked = false;
    explain(error); // asked again the next time
  }
}
