// Fetches what was played in the present position, and lets somebody choose the columns.
import { openMenu, run, type Ctx } from '../../../ctx';
import { answerOf } from '../../../data/latest';
import type { MenuItem } from '../../../state';
import { count, plural } from '../../../ui/format';
import { wantLines } from '../lines';
import { here, setHovering, type TreeState } from '../treeState';
import { initialBeside, seconds } from './besideState';
import { setChances, setCollection, setSecond } from './choose';
import { chancesOf, collectionOf, secondOf } from './chosen';

// Called with each position whose moves are shown.
export async function follow(ctx: Ctx, tree: TreeState): Promise<void> {
  const state = (tree.beside ??= initialBeside(tree.id));
  const collection = collectionOf(tree.id);
  const fen = here(tree)?.fen;
  if (!collection || !fen) return;
  if (state.played?.fen === fen && state.played.collection === collection) return;
  const answer = await state.looking.ask(signal => ctx.api.played(collection, fen, signal));
  if (!answer) return;
  if ('value' in answer) state.played = { fen, collection, found: answer.value };
  else if (answer.problem.status === 404) choose(ctx, tree, () => setCollection(tree.id, '')); // it was deleted
  ctx.redraw();
}

function choose(ctx: Ctx, tree: TreeState, set: () => void): void {
  set();
  if (tree.repertoire) tree.repertoire.wish.collection = collectionOf(tree.id);
  ctx.redraw();
  wantLines(ctx, tree);
  run(ctx, follow(ctx, tree));
}

// By the winning chances, or by alpha again.
export function orderBy(ctx: Ctx, tree: TreeState, chances: boolean): void {
  tree.byChances = chances;
  setHovering(tree, false); // the rows go to their places
  ctx.redraw();
}

function showChances(ctx: Ctx, tree: TreeState, on: boolean): void {
  setChances(tree.id, on);
  orderBy(ctx, tree, false);
}

// What there is to choose from is asked for first: collections of the server, evaluations of this position.
export async function openColumns(ctx: Ctx, tree: TreeState, button: Element): Promise<void> {
  const line = [...tree.line];
  const [collections, evaluations] = await Promise.all([
    answerOf(ctx.api.collections()),
    answerOf(ctx.api.evaluations(tree.id, line)),
  ]);
  const node = here(tree);
  if (ctx.state.tree !== tree || !node || tree.line.join() !== line.join()) return;
  const games = 'value' in collections ? collections.value : [];
  const others = 'value' in evaluations ? seconds(node, evaluations.value.evaluations) : [];
  const item = (label: string, chosen: boolean, set: () => void): MenuItem => ({
    label: chosen ? `✓ ${label}` : label,
    run: () => choose(ctx, tree, set),
  });
  const says = (label: string): MenuItem => ({ label, disabled: true, run: () => undefined });
  const collection = collectionOf(tree.id);
  const second = secondOf(tree.id);
  const chances = chancesOf(tree.id) !== '';
  openMenu(ctx, button, 'Columns', [
    item('Winning chances', chances, () => showChances(ctx, tree, !chances)),
    ...games.map(({ name, games: n }) =>
      item(`Games of ${name} (${count(n)})`, name === collection, () => setCollection(tree.id, name)),
    ),
    games.length
      ? item('No games', !collection, () => setCollection(tree.id, ''))
      : says('No games to compare with: Repertoire, Add games'),
    ...others.map(({ key, name, byUci }) =>
      item(`${name}: ${plural(byUci.size, 'move')}`, key === second, () => setSecond(tree.id, key)),
    ),
    others.length || second
      ? item('No second engine', !second, () => setSecond(tree.id, ''))
      : says('No other engine or limit is stored here'),
  ]);
}
