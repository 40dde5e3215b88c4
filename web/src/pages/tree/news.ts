// What changed since this person's last visit, as marks on moves: in the table and in the picture. Pure but for `load`.
import { ucis } from '../../chess/chess';
import { run, type Ctx } from '../../ctx';
import { answerOf } from '../../data/latest';
import { lastVisit } from '../../data/prefs';
import { orderFor, text } from '../../chess/score';
import type { Changes, Score } from '../../data/types';
import type { NewsMark, TreeState } from './treeState';

const key = (line: readonly { uci: string }[]): string => ucis(line).join();

export function marksOf(changes: Changes): Map<string, NewsMark> {
  const marks = new Map<string, NewsMark>();
  if (changes.best.before === null) return marks; // everything is new: that is no news of any move
  const moved = (line: readonly { uci: string }[], before: Score | null, after: Score | null): void => {
    if (!line.length || !after || (before && text(before) === text(after))) return;
    const up = before && orderFor('white', after) > orderFor('white', before);
    marks.set(key(line), {
      kind: before ? (up ? 'white' : 'black') : 'new',
      title: before ? `since your last visit ${text(before)} → ${text(after)}` : 'new since your last visit',
    });
  };
  for (const { line } of changes.new_lines)
    marks.set(key(line), { kind: 'new', title: 'new since your last visit' });
  for (const move of changes.moves) moved([move], move.before, move.after);
  for (const swing of changes.swings) moved(swing.line, swing.before, swing.after);
  for (const { line, before, after } of changes.new_best)
    marks.set(key([...line, after]), {
      kind: 'best',
      title: `best since your last visit, instead of ${before.san}`,
    });
  return marks;
}

export const markOf = (tree: TreeState, line: readonly string[]): NewsMark | null =>
  tree.news?.marks.get(line.join()) ?? null;

// Once, when the analysis is opened: what comes while one looks is seen as it comes.
export async function loadNews(ctx: Ctx, tree: TreeState): Promise<void> {
  const since = lastVisit(tree.id);
  if (since === null || tree.news) return;
  const answer = await answerOf(ctx.api.changes(tree.id, since));
  if ('problem' in answer) return; // "Over time" tells it
  const marks = marksOf(answer.value);
  if (marks.size) tree.news = { since, changes: answer.value, marks };
  ctx.redraw();
}

// Everything is seen: marks go, and the next visit counts from now.
export function seen(ctx: Ctx, tree: TreeState): void {
  tree.news = null;
  ctx.redraw();
}

export const openNews = (ctx: Ctx, tree: TreeState): void => run(ctx, loadNews(ctx, tree));
