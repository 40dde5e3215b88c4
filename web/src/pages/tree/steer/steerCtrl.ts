// Steering the growth: include, exclude, clear, deepen, now, note. Effects show at once; the server's
// answer follows.
import { attempt, openMenu, run, toast } from '../../../ctx';
import type { Ctx } from '../../../ctx';
import type { MenuItem } from '../../../state';
import { toggle } from '../../../data/entities';
import { answerOf } from '../../../data/latest';
import { openSettings } from '../../../dialogs/parts';
import * as treeCtrl from '../treeCtrl';
import { here } from '../treeState';
import type { TreeState } from '../treeState';
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
  ctx.redraw();
  const answer = await answerOf(ctx.api.direct(tree.id, { moves: line, action } as Directive));
  const done = !('problem' in answer);
  if (!done) toast(ctx, answer.problem.message, { tone: 'bad', ...wayOut(ctx, tree, action, line, what) });
  tree.asked.delete(key);
  const known = tree.cache.get(tree.line);
  if (!done && known && here(tree)) tree.node = known; // as it was
  if (done) toast(ctx, said[action](what), { ms: 2500 });
  if (done && action === 'include') await treeCtrl.refreshCached(ctx, tree, line.slice(0, -1));
  if (ctx.state.tree === tree) await treeCtrl.loadNode(ctx, tree);
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

export function openNote(ctx: Ctx): void {
  if (ctx.state.tree) ctx.state.tree.note ??= '';
  ctx.redraw();
}

export function writeNote(tree: TreeState, text: string): void {
  tree.note = text;
}

// A note is corrected by a new one that takes the place of the old.
export function editNote(ctx: Ctx, tree: TreeState, { text, at }: Note): void {
  tree.note = text;
  tree.replacing = at;
  ctx.redraw();
}

export async function deleteNote(ctx: Ctx, { at, text }: Note): Promise<void> {
  const { tree } = ctx.state;
  if (!tree) return;
  const { id, line } = tree;
  if (!(await attempt(ctx, () => ctx.api.direct(id, { moves: line, action: 'retract', at })))) return;
  const close = toast(ctx, 'The note is deleted.', {
    ms: 7000,
    action: {
      label: 'Undo',
      run: () => {
        close();
        run(ctx, restore(ctx, id, line, text));
      },
    },
  });
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
  ctx.redraw();
}

export async function saveNote(ctx: Ctx): Promise<void> {
  const { tree } = ctx.state;
  const text = tree?.note?.trim();
  if (!tree || !text) return;
  const { line, replacing } = tree;
  const key = `note ${line.join()}`;
  if (tree.asked.has(key)) return;
  tree.asked.add(key);
  const saved = await attempt(ctx, () => ctx.api.direct(tree.id, { moves: line, action: 'note', text }));
  tree.asked.delete(key);
  if (!saved) return; // the text stays where it was written
  if (tree.line.join() === line.join() && tree.note?.trim() === text) {
    tree.note = null; // else something else is being written
    tree.replacing = null;
  }
  if (replacing !== null)
    await attempt(ctx, () => ctx.api.direct(tree.id, { moves: line, action: 'retract', at: replacing }));
  if (ctx.state.tree === tree) await treeCtrl.loadNode(ctx, tree);
}
