// Steering the growth: include, exclude, clear, deepen, now, note. Effects show at once; the server's
// answer follows.
import { attempt, offerUndo, openMenu, run, toast, type Ctx } from '../../../ctx';
import type { MenuItem } from '../../../state';
import { loadAnalysis, toggle } from '../../../data/entities';
import { draftOf, keepDraft } from '../../../data/drafts';
import { answerOf } from '../../../data/latest';
import { openSettings } from '../../../dialogs/parts';
import { plural } from '../../../ui/format';
import { played } from '../goOn';
import * as treeCtrl from '../treeCtrl';
import { here, positionOf, type TreeState } from '../treeState';
import type { Directive, NodeMove, TreeNode } from '../../../data/types';

type Note = TreeNode['notes'][number];
type Plain = 'include' | 'exclude' | 'clear' | 'now' | 'deepen';

const said: Record<Plain, (what: string) => string> = {
  include: what => `${what} is included.`,
  exclude: what => `${what} is excluded.`,
  clear: what => `${what} is left to the search again.`,
  now: what => `${what} is searched next.`,
  deepen: what => `${what} is searched deeper.`,
};

// `line`: to the move (include, exclude, clear) or to the position (now, deepen).
export async function direct(ctx: Ctx, action: Plain, line: string[], what: string): Promise<void> {
  const { tree } = ctx.state;
  if (!tree) return;
  const key = `${action} ${line.join()}`;
  if (tree.asked.has(key)) return;
  tree.asked.add(key);
  showAtOnce(ctx, action, line);
  const settled = tree.analysis?.settled ?? 0;
  ctx.redraw();
  const answer = await answerOf(ctx.api.direct(tree.id, { moves: line, action } as Directive));
  const done = !('problem' in answer);
  if (!done) toast(ctx, answer.problem.message, { tone: 'bad', ...wayOut(ctx, tree, action, line, what) });
  tree.asked.delete(key);
  const known = tree.cache.get(tree.line);
  if (!done && known && here(tree)) tree.node = known; // as it was
  if (done && action === 'now') toast(ctx, said.now(what), { ms: 2500 });
  else if (done) {
    const place = action === 'deepen' ? line : line.slice(0, -1); // where it applies
    await tellSteered(ctx, tree, { action, what, place, at: answer.value.at, settled });
  }
  if (done && action === 'include') await treeCtrl.refreshCached(ctx, tree, line.slice(0, -1));
  if (ctx.state.tree === tree) await treeCtrl.loadNode(ctx, tree);
}

interface Steered {
  action: Plain;
  what: string;
  place: string[];
  at: number; // Unix ms
  settled: number; // levels before
}

// What was done, what that means for the levels, and the way back.
async function tellSteered(ctx: Ctx, tree: TreeState, done: Steered): Promise<void> {
  const { id } = tree;
  await loadAnalysis(ctx, id);
  const told = `${said[done.action](done.what)}${levelsLost(tree, done)}`;
  offerUndo(ctx, told, () => run(ctx, retract(ctx, id, done)));
}

function levelsLost({ analysis }: TreeState, { action, what, settled }: Steered): string {
  const now = analysis?.settled ?? settled;
  if (now >= settled) return '';
  const lost = plural(settled - now, 'level');
  const rested = action === 'exclude' ? `rested on ${what}` : 'had been settled without that';
  return ` ${now ? `It goes on from level ${now}` : 'The levels begin again'}: ${lost} ${rested}.`;
}

// Takes back what was said at that moment at a place. `back`: it begins so many plies before the root.
export async function retract(
  ctx: Ctx,
  id: number,
  { place, at, back = 0 }: Pick<Steered, 'place' | 'at'> & { back?: number },
): Promise<boolean> {
  const wish: Directive = { moves: place, action: 'retract', at, ...(back && { back }) };
  if (!(await attempt(ctx, () => ctx.api.direct(id, wish)))) return false;
  const { tree } = ctx.state;
  if (tree?.id !== id) return true;
  if (!back) await treeCtrl.refreshCached(ctx, tree, place);
  await treeCtrl.loadNode(ctx, tree);
  return true;
}

// What a person can do where nothing is searched at present.
function wayOut(
  ctx: Ctx,
  { analysis }: TreeState,
  action: Plain,
  line: string[],
  what: string,
): { action?: { label: string; run: () => void }; ms?: number } {
  if (action !== 'now' || !analysis) return {};
  const resume = async (): Promise<void> => {
    await toggle(ctx, analysis);
    await direct(ctx, action, line, what);
  };
  if (analysis.hold) return { ms: 10_000, action: { label: 'Resume', run: () => run(ctx, resume()) } };
  if (analysis.state !== 'exhausted' && !analysis.window) return {};
  return { ms: 10_000, action: { label: 'Settings', run: () => openSettings(ctx, analysis) } };
}

// The status that a move will have, until the server's answer tells.
function showAtOnce(ctx: Ctx, action: Plain, line: readonly string[]): void {
  const { tree } = ctx.state;
  const node = tree && here(tree);
  if (!tree || !node || line.slice(0, -1).join() !== tree.line.join()) return;
  const soon = ({ status, alpha }: NodeMove): NodeMove['status'] => {
    if (action === 'exclude') return 'excluded';
    if (action === 'clear' || action === 'include')
      return status === 'excluded' ? (alpha ? 'leaf' : 'unscored') : status;
    return status === 'leaf' || status === 'unscored' ? 'queued' : status;
  };
  const moves = node.moves.map(m => (m.uci === line.at(-1) ? { ...m, status: soon(m) } : m));
  tree.node = { ...node, moves };
}

// Acts on the chosen row; without one on the present position (now, deepen) or its last move.
export function directHere(ctx: Ctx, action: Plain): void {
  const { tree } = ctx.state;
  if (!tree) return;
  const node = here(tree);
  const chosen = node?.moves.find(m => m.uci === tree.selected);
  if (chosen) run(ctx, direct(ctx, action, [...tree.line, chosen.uci], chosen.san));
  else if (action === 'now' || action === 'deepen') run(ctx, direct(ctx, action, tree.line, 'This position'));
  else if (tree.line.length) run(ctx, direct(ctx, action, tree.line, node?.line.at(-1)?.san ?? 'This move'));
  else toast(ctx, 'Choose a move first: ↑ and ↓ walk through the table.');
}

export function openMoveMenu(ctx: Ctx, move: NodeMove, button: Element): void {
  const { tree } = ctx.state;
  if (!tree) return;
  const line = [...tree.line, move.uci];
  const item = (label: string, action: Plain, hint: string, disabled = false): MenuItem => ({
    label,
    hint,
    disabled,
    run: () => run(ctx, direct(ctx, action, line, move.san)),
  });
  const excluded = move.status === 'excluded';
  const ended = move.status === 'terminal' || move.status === 'repetition';
  openMenu(ctx, button, `Steer ${move.san}`, [
    item('Analyse now', 'now', 'n', excluded || ended),
    item('Deepen', 'deepen', 'd', excluded || ended),
    item('Include always', 'include', 'i'),
    item('Exclude', 'exclude', 'x', excluded),
    item('Leave to the search', 'clear', 'c'),
    { label: 'It was played in the game', disabled: ended, run: () => run(ctx, played(ctx, tree, line)) },
    {
      label: 'Note…',
      hint: 'm',
      run: () => {
        treeCtrl.walkTo(ctx, line);
        openNote(ctx);
      },
    },
  ]);
}

// Goes on with what was written here and not saved, if there is any.
export function openNote(ctx: Ctx): void {
  const { tree } = ctx.state;
  if (!tree) return;
  if (tree.note === null) {
    tree.note = tree.draft?.text ?? '';
    tree.replacing = tree.draft?.replacing ?? null;
    tree.draft = null;
  }
  ctx.redraw();
}

export function writeNote(tree: TreeState, text: string): void {
  tree.note = text;
  const at = positionOf(tree);
  if (at !== null) keepDraft(tree.id, at, text.trim() ? { text, replacing: tree.replacing } : null);
}

// A note is corrected by a new one that takes the place of the old.
export function editNote(ctx: Ctx, tree: TreeState, { text, at }: Note): void {
  tree.note = text;
  tree.replacing = at;
  tree.draft = null;
  ctx.redraw();
}

export async function deleteNote(ctx: Ctx, { at, text }: Note): Promise<void> {
  const { tree } = ctx.state;
  if (!tree) return;
  const { id, line } = tree;
  if (!(await attempt(ctx, () => ctx.api.direct(id, { moves: line, action: 'retract', at })))) return;
  offerUndo(ctx, 'The note is deleted.', () => run(ctx, restore(ctx, id, line, text)));
  if (ctx.state.tree === tree) await treeCtrl.loadNode(ctx, tree);
}

async function restore(ctx: Ctx, id: number, line: string[], text: string): Promise<void> {
  await attempt(ctx, () => ctx.api.direct(id, { moves: line, action: 'note', text }));
  const { tree } = ctx.state;
  if (tree?.id === id) await treeCtrl.loadNode(ctx, tree);
}

export function closeNote(ctx: Ctx, tree: TreeState): void {
  tree.note = null;
  tree.replacing = null;
  dropDraft(ctx, tree);
}

export function dropDraft(ctx: Ctx, tree: TreeState): void {
  const at = positionOf(tree);
  if (at !== null) keepDraft(tree.id, at, null);
  tree.draft = null;
  ctx.redraw();
}

export async function saveNote(ctx: Ctx): Promise<void> {
  const { tree } = ctx.state;
  const text = tree?.note?.trim();
  if (!tree || !text) return;
  const { line, replacing } = tree;
  const at = positionOf(tree);
  const key = `note ${line.join()}`;
  if (tree.asked.has(key)) return;
  tree.asked.add(key);
  const saved = await attempt(ctx, () => ctx.api.direct(tree.id, { moves: line, action: 'note', text }));
  tree.asked.delete(key);
  if (!saved) return; // the text stays where it was written
  const stays = tree.line.join() === line.join();
  if (stays && tree.note?.trim() === text) {
    tree.note = null; // else something else is being written
    tree.replacing = null;
  }
  if (at !== null && draftOf(tree.id, at)?.text.trim() === text) keepDraft(tree.id, at, null);
  if (stays) treeCtrl.offerDraft(tree);
  if (replacing !== null)
    await attempt(ctx, () => ctx.api.direct(tree.id, { moves: line, action: 'retract', at: replacing }));
  if (ctx.state.tree === tree) await treeCtrl.loadNode(ctx, tree);
}
