// Sends what the form says: one analysis, or one for each game of a file, with the games that it is of.
import { follow } from '../../chess/chess';
import { toast, type Ctx } from '../../ctx';
import { answerOf } from '../../data/latest';
import { firstVisit } from '../../data/prefs';
import { fieldOf } from '../../setup/setupState';
import { plural } from '../../ui/format';
import { ofGame, rootMoves, toRequest, type CreateState } from './createState';

export async function submit(ctx: Ctx, create: CreateState): Promise<void> {
  if (create.busy) return; // pressed twice before the button could be drawn
  const { route } = ctx.state; // who has left meanwhile stays there
  if (create.each && create.games.length) return submitEach(ctx, create);
  const request = toRequest(create);
  const over = follow(create.fen, rootMoves(create))?.end;
  create.errors = 'errors' in request ? request.errors : {};
  if (create.opening.asked) create.errors['position'] = 'That name is still being looked for.';
  if (over && 'body' in request)
    create.errors = { position: 'The game is over in this position; there is nothing to analyse.' };
  if (Object.keys(create.errors).length || 'errors' in request) {
    if (Object.keys(create.errors).some(name => name !== 'position')) create.unfolded = true;
    ctx.redraw(() => document.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
    return;
  }
  create.busy = true;
  ctx.redraw();
  const made = await answerOf(ctx.api.create(request.body));
  if ('value' in made && create.file) await keep(ctx, made.value, create.file);
  create.busy = false;
  if ('value' in made) {
    ctx.state.drafts.delete(create.copy);
    if (ctx.state.route !== route) return;
    firstVisit(); // is over: no first steps for who made one
    ctx.go({ page: 'tree', id: made.value, line: [], tab: 'moves' });
    return;
  }
  create.errors = { [fieldOf(made.problem.where)]: made.problem.message };
  ctx.redraw();
}

// The games that the analysis was made of; without them it is there all the same.
async function keep(ctx: Ctx, id: number, file: { name: string; pgn: string }): Promise<void> {
  const kept = await answerOf(ctx.api.addFile(id, file));
  if ('problem' in kept)
    toast(ctx, `The analysis is made, but its games are not kept: ${kept.problem.message}`, { tone: 'bad' });
}

const mostAtOnce = 200; // analyses

// One after the other. Where one cannot be made, the next try goes on with it.
async function submitEach(ctx: Ctx, create: CreateState): Promise<void> {
  const { games } = create;
  const { route } = ctx.state;
  create.errors = {};
  if (games.length > mostAtOnce)
    create.errors = {
      position: `${mostAtOnce} analyses can be made at once; these are ${games.length} games.`,
    };
  const over: string[] = []; // nothing can be analysed where they end
  create.busy = true;
  ctx.redraw();
  while (create.made < games.length && !Object.keys(create.errors).length) {
    const choice = games[create.made]!;
    const one = ofGame(create, choice);
    const request = toRequest(one);
    if ('errors' in request) create.errors = request.errors;
    else if (follow(one.fen, rootMoves(one))?.end) over.push(choice.title);
    else {
      const made = await answerOf(ctx.api.create(request.body));
      if ('problem' in made) create.errors = { '': `${choice.title}: ${made.problem.message}` };
      else await keep(ctx, made.value, { name: create.file?.name ?? 'games.pgn', pgn: choice.pgn });
    }
    if (!Object.keys(create.errors).length) create.made++;
    ctx.redraw();
  }
  create.busy = false;
  if (Object.keys(create.errors).length) {
    if (Object.keys(create.errors).some(name => name && name !== 'position')) create.unfolded = true;
    ctx.redraw(() => document.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
    return;
  }
  ctx.state.drafts.delete(create.copy);
  const number = games.length - over.length;
  toast(
    ctx,
    `${plural(number, 'analysis is', 'analyses are')} made.${over.length ? ` Over where they end, and left out: ${over.join(', ')}.` : ''}`,
    { ms: 10_000 },
  );
  if (ctx.state.route !== route) return;
  firstVisit();
  ctx.go({ page: 'queue' });
}
