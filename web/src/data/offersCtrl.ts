// Asks the server what it offers.
import type { Ctx } from '../ctx';
import { answerOf } from './latest';
import { readOffers } from './offers';

// Asks once; until then, and where the server does not tell, there is the least.
export async function loadOffers(ctx: Ctx): Promise<void> {
  const { state } = ctx;
  if (state.offersAsked) return;
  state.offersAsked = true;
  const answer = await answerOf(ctx.api.openapi());
  if ('value' in answer) state.offers = readOffers(answer.value);
  else state.offersAsked = false; // asked again the next time
  ctx.redraw();
}
