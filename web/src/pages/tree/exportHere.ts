// Opens the export of the present position; of a site, what was exported with it. `wish`: what else is known of it.
import type { Ctx } from '../../ctx';
import type { Subject } from '../../dialogs/export/exportState';
import { openExport } from '../../dialogs/parts';
import { saveLink } from '../../ui/download';
import { here, place, type TreeState } from './treeState';

export function exportHere(ctx: Ctx, tree: TreeState, wish: Partial<Subject> = {}): void {
  const { site } = ctx.state;
  const file = `adjourn-${tree.id}.pgn`;
  if (site) return saveLink(file, `${site.folder}/${file}`);
  openExport(ctx, {
    id: tree.id,
    name: tree.analysis?.name ?? '',
    line: tree.line,
    place: place(tree),
    fen: here(tree)?.fen ?? null,
    orientation: tree.orientation,
    ...wish,
  });
}
