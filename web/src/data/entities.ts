// Calls whose answers go to the store.
import { attempt, type Ctx } from '../ctx';
import { answerOf, type Answer } from './latest';
import type { Analysis, AnalysisPatch, Engine } from './types';

export async function loadAnalyses(ctx: Ctx): Promise<Answer<Analysis[]>> {
  const { store } = ctx.state;
  const at = store.now();
  const answer = await answerOf(ctx.api.analyses());
  if ('value' in answer) store.analyses.putAll(answer.value, at);
  ctx.redraw();
  return answer;
}

export async function loadEngines(ctx: Ctx): Promise<Answer<Engine[]>> {
  const { store } = ctx.state;
  const at = store.now();
  const answer = await answerOf(ctx.api.engines());
  if ('value' in answer) store.engines.putAll(answer.value, at);
  ctx.redraw();
  return answer;
}

// Where they are not known yet. Without them the default engine is there to choose, and the noise is decoration.
export async function needEngines(ctx: Ctx): Promise<void> {
  if (!ctx.state.store.engines.complete && !ctx.state.shared) await loadEngines(ctx); // a link shows none
}

export async function loadAnalysis(ctx: Ctx, id: number): Promise<Answer<Analysis>> {
  const { store } = ctx.state;
  const at = store.now();
  const answer = await answerOf(ctx.api.analysis(id));
  if ('value' in answer) store.analyses.put(answer.value, at);
  ctx.redraw();
  return answer;
}

// Changes an analysis; rejects as the call does.
export async function change(ctx: Ctx, id: number, patch: AnalysisPatch): Promise<void> {
  const { store } = ctx.state;
  const at = store.now();
  store.analyses.put(await ctx.api.patch(id, patch), at);
  ctx.redraw();
}

// The same, where a failure is shown as a message and nothing else.
export const tryChange = (ctx: Ctx, id: number, patch: AnalysisPatch): Promise<boolean> =>
  attempt(ctx, () => change(ctx, id, patch));

export const toggle = (ctx: Ctx, analysis: Analysis): Promise<boolean> =>
  tryChange(ctx, analysis.id, { hold: !analysis.hold });
