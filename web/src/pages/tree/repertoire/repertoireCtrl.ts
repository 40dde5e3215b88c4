// Fetches gaps and games, queues what is missing, and asks in the training.
import { ucis } from '../../../chess/chess';
import { explain, run, toast, type Ctx } from '../../../ctx';
import { loadAnalysis, tryChange } from '../../../data/entities';
import type { Side } from '../../../chess/score';
import { plural } from '../../../ui/format';
import type { Gaps } from '../../../data/types';
import { walkTo } from '../treeCtrl';
import { outOfDate, place, type TreeState } from '../treeState';
import {
  initialRepertoire,
  isDue,
  learned,
  loadMemory,
  memoryKey,
  nextAnswer,
  saveMemory,
  setWish,
} from './repertoireState';
import type { RepertoireState, RepertoireWish, Training } from './repertoireState';

// Also called for every step on the tree.
export async function enter(ctx: Ctx, tree: TreeState): Promise<void> {
  if (!tree.analysis) await loadAnalysis(ctx, tree.id);
  if (!tree.analysis || ctx.state.tree !== tree) return; // the page says why, or is another one
  // Who opens the tab of a Najdorf with White to move wants to know what Black has no answer to.
  const turn = place(tree)?.turn ?? 'white';
  const state = (tree.repertoire ??= initialRepertoire(tree.id, turn === 'white' ? 'black' : 'white'));
  if (tree.analysis.my_side) state.wish.side = tree.analysis.my_side as Side;
  if (!state.collections) run(ctx, loadCollections(ctx, state));
  if (state.training) {
    judge(ctx, tree, state, state.training);
    return;
  }
  run(ctx, loadGaps(ctx, tree, state));
  run(ctx, loadPlayed(ctx, tree, state));
}

export async function loadCollections(ctx: Ctx, state: RepertoireState): Promise<void> {
  state.collections = await ctx.api.collections();
  const names = state.collections.map(c => c.name);
  if (state.wish.collection && !names.includes(state.wish.collection)) state.wish.collection = '';
  ctx.redraw();
}

export async function loadGaps(ctx: Ctx, tree: TreeState, state: RepertoireState): Promise<void> {
  const line = [...tree.line];
  state.loadedAt = ctx.clock.now();
  const left = state.loadedAt - state.leftAt > 60_000; // all files are read for it
  const answer = await state.searching.ask(
    signal => ctx.api.gaps(state.id, line, state.wish, signal, { left }),
    JSON.stringify([line, state.wish, left]),
  );
  if (!answer) return;
  if ('value' in answer) {
    Object.assign(state, { gaps: { line: line.join(), found: answer.value }, problem: null });
    if (answer.value.left) Object.assign(state, { left: answer.value.left, leftAt: state.loadedAt });
  } else state.problem = answer.problem.message;
  ctx.redraw();
}

export async function loadPlayed(ctx: Ctx, tree: TreeState, state: RepertoireState): Promise<void> {
  const fen = place(tree)?.fen;
  const { collection } = state.wish;
  if (!fen || !collection) {
    state.played = null;
    return;
  }
  const answer = await state.looking.ask(signal => ctx.api.played(collection, fen, signal));
  if (!answer) return;
  state.played = 'value' in answer ? { fen, collection, found: answer.value } : null;
  ctx.redraw();
}

// Not under the eyes of who is asked.
export function loadIfOld(ctx: Ctx, tree: TreeState): void {
  const state = tree.repertoire;
  if (state && !state.training && outOfDate(tree, state.loadedAt, ctx.clock.now(), 5000))
    run(ctx, loadGaps(ctx, tree, state));
}

export function change(
  ctx: Ctx,
  tree: TreeState,
  state: RepertoireState,
  wish: Partial<RepertoireWish>,
): void {
  setWish(state, wish);
  state.gaps = null;
  ctx.redraw();
  run(ctx, loadGaps(ctx, tree, state));
  run(ctx, loadPlayed(ctx, tree, state));
}

// Told once, and known on every device.
export async function tellMine(
  ctx: Ctx,
  tree: TreeState,
  state: RepertoireState,
  mine: { my_side: Side } | { my_names: string },
): Promise<void> {
  if (!(await tryChange(ctx, state.id, mine)) && 'my_names' in mine) return;
  state.leftAt = 0;
  change(ctx, tree, state, 'my_side' in mine ? { side: mine.my_side } : {});
}

// Games from a file of at most 8 MiB become a collection, which is then compared with.
export async function addGames(ctx: Ctx, tree: TreeState, state: RepertoireState, file: File): Promise<void> {
  if (file.size > 8 << 20) {
    toast(ctx, 'Files above 8 MB are for the command line: adjourn collection add NAME FILE.', {
      tone: 'bad',
      ms: 15_000,
    });
    return;
  }
  const plain = file.name
    .replace(/\.pgn$/i, '')
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .slice(0, 60);
  const name = plain || 'games';
  state.adding = file.name;
  ctx.redraw();
  try {
    const report = await ctx.api.addGames(name, file.name, await file.text());
    const damaged = report.damaged
      ? `, ${plural(report.damaged, 'damaged one', 'damaged ones')} left out`
      : '';
    toast(
      ctx,
      report.known
        ? 'These games are in it already.'
        : `${plural(report.games, 'game', 'games')} added${damaged}.`,
    );
    await loadCollections(ctx, state);
    if (state.collections?.some(c => c.name === name)) change(ctx, tree, state, { collection: name });
  } catch (error) {
    toast(ctx, explain(error), { tone: 'bad' });
  } finally {
    state.adding = null;
    ctx.redraw();
  }
}

const mostAtOnce = 200;

export async function queueAll(ctx: Ctx, tree: TreeState, state: RepertoireState, gaps: Gaps): Promise<void> {
  const lines = gaps.gaps
    .slice(0, mostAtOnce)
    .map(g => [...tree.line, ...ucis(g.line), ...(g.mine ? [g.mine.uci] : [])]);
  const answer = await ctx.api.queueGaps(state.id, lines);
  state.asked = answer.asked
    ? `${plural(answer.asked, 'position', 'positions')} will be searched.`
    : `Nothing was queued: ${answer.reason ?? 'nothing is missing'}.`;
  ctx.redraw();
}

// ---- training ----

export async function train(ctx: Ctx, tree: TreeState, state: RepertoireState): Promise<void> {
  const from = [...tree.line];
  const gaps = await ctx.api.gaps(state.id, from, state.wish, undefined, { answers: true });
  const pool = gaps.answers ?? [];
  state.training = { from, pool, evenly: false, question: null, right: 0, asked: 0 };
  tree.orientation = state.wish.side;
  ask(ctx, state, state.training);
}

export function stopTraining(ctx: Ctx, tree: TreeState, state: RepertoireState): void {
  const from = state.training?.from ?? [];
  state.training = null;
  walkTo(ctx, from);
  run(ctx, enter(ctx, tree));
  ctx.redraw();
}

const lineOf = (training: Training): string[] => [
  ...training.from,
  ...ucis(training.question?.answer.line ?? []),
];

export function ask(ctx: Ctx, state: RepertoireState, training: Training): void {
  const memory = loadMemory();
  const now = ctx.clock.now();
  const answer = nextAnswer(training, a => isDue(memory[memoryKey(state.id, a)], now), Math.random());
  training.question = answer && { answer, tried: [], shown: false, done: false };
  if (answer) walkTo(ctx, lineOf(training));
  ctx.redraw();
}

export function tell(ctx: Ctx, state: RepertoireState, training: Training): void {
  const { question } = training;
  if (!question || question.done) return;
  remember(ctx, state, training, false);
  question.shown = true;
  ctx.redraw();
}

function remember(ctx: Ctx, state: RepertoireState, training: Training, right: boolean): void {
  const { question } = training;
  if (!question || question.shown || question.tried.length) return; // the first try is what counts
  const memory = loadMemory();
  const key = memoryKey(state.id, question.answer);
  memory[key] = learned(memory[key], right, ctx.clock.now());
  saveMemory(memory);
  training.asked += 1;
  training.right += right ? 1 : 0;
}

// A move was played on the board, or somebody walked elsewhere.
function judge(ctx: Ctx, tree: TreeState, state: RepertoireState, training: Training): void {
  const { question } = training;
  const line = lineOf(training);
  const onward = tree.line.length === line.length + 1 && line.every((move, i) => tree.line[i] === move);
  if (!question || question.done || !onward) return;
  const move = tree.line.at(-1)!;
  if (move === question.answer.move.uci) {
    remember(ctx, state, training, true);
    question.done = true;
  } else {
    remember(ctx, state, training, false);
    question.tried.push(move);
    walkTo(ctx, line);
  }
  ctx.redraw();
}
