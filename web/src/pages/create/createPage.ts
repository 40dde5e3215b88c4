// The page for a new analysis.
import { usePart } from '../../ui/part';
import type { Ctx } from '../../ctx';
import type { Route } from '../../router';
import { h } from '../../ui/dom';
import { pageView } from '../../ui/frameView';
import { newAnalysis as part } from '../newAnalysis';
import type { Key, Page } from '../page';
import type { CreateState } from './createState';

type Here = NonNullable<(typeof part)['here']>;

// As in the tree, where they are told.
const walking = (
  keys: readonly string[],
  what: string,
  run: (ctx: Ctx, create: CreateState, here: Here, key: string) => void,
): Key => ({
  group: 'A new analysis',
  keys,
  what,
  repeats: true,
  run: (ctx, key) => (part.here && ctx.state.create ? run(ctx, ctx.state.create, part.here, key) : false),
});

export const createPage: Page<Extract<Route, { page: 'new' }>> = {
  enter: (ctx, route) =>
    usePart(ctx, part, ({ enter }) => {
      if (ctx.state.route === route) enter(ctx, route.copy);
    }),
  view: ctx =>
    part.here && ctx.state.create
      ? part.here.createView(ctx, ctx.state.create)
      : pageView('.create', 'New analysis', [h('div.skeleton')]),
  title: () => 'New analysis – Adjourn',
  board: ctx => (part.here && ctx.state.create ? part.here.boardOf(ctx, ctx.state.create) : null),
  keys: [
    walking(['ArrowLeft', 'ArrowRight'], '', (ctx, create, here, key) =>
      here.walk(ctx, create, create.cursor + (key === 'ArrowLeft' ? -1 : 1)),
    ),
    walking(['Home', 'End'], '', (ctx, create, here, key) =>
      here.walk(ctx, create, key === 'Home' ? 0 : create.moves.length),
    ),
    walking(['f'], '', (ctx, create, here) => here.flip(ctx, create)),
  ],
};
