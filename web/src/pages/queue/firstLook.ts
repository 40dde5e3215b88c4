// Before one has an analysis of one's own: the way to the first, and what one looks like.
import { usePart } from '../../ui/part';
import type { Ctx } from '../../ctx';
import { beginTyped } from '../../data/typed';
import type { Analysis } from '../../data/types';
import { each, h, type VNode } from '../../ui/dom';
import { scoreView } from '../../ui/scoreView';
import { sparkline } from '../../ui/sparkline';
import { thumbnail } from '../../ui/thumbnail';
import { newAnalysis } from '../newAnalysis';
import { visible } from './queueRows';

// What `adjourn serve --demonstration` makes.
const isExample = (a: Analysis): boolean => a.tags.includes('example');

// Nobody has made one here.
export const begins = ({ state }: Ctx): boolean =>
  state.store.analyses.loaded && visible(state.queue, state.store).every(isExample);

// Its form is not there yet, or it is not known whether it is needed. What is below waits for it, and does not jump.
export const comes = (ctx: Ctx): boolean =>
  ctx.state.store.analyses.loaded ? begins(ctx) && !formHere(ctx) : !ctx.state.queue.problem;

const formHere = ({ state }: Ctx): boolean => Boolean(newAnalysis.here && state.drafts.get(null));

// `example`: the rows of what the server brings; null: it brings none.
export const firstLook = (ctx: Ctx, example: VNode | null): VNode =>
  h('div.first-look', { attrs: { 'data-testid': 'first-look' } }, [
    h('p', [
      'Give Adjourn a position and let engines work on it for ten minutes, a night or a week. It grows a tree of the moves that matter, keeps every search, and shows what is best so far.',
    ]),
    ...formAnd(ctx, [h('h2', 'An example'), example ?? exampleView()]),
  ]);

// The form, and what is below it, which comes with it: so it does not jump.
function formAnd(ctx: Ctx, below: VNode[]): VNode[] {
  const create = ctx.state.drafts.get(null);
  if (newAnalysis.here && create) return [newAnalysis.here.firstView(ctx, create), ...below];
  beginTyped();
  const load = (): void => usePart(ctx, newAnalysis, part => part.enter(ctx, null));
  return [h('div.first-form', { key: 'coming', hook: { insert: load } }, [h('div.skeleton')])];
}

const fen = 'r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3';
const overTime = [40, 36, 47, 42, 35, 34];
const moves: readonly [string, number, string][] = [
  ['a6', 34, '4. Ba4 Nf6 5. O-O Be7 6. Re1 b5'],
  ['Nf6', 36, '4. O-O Nxe4 5. d4 Nd6 6. Bxc6 dxc6'],
  ['Be7', 48, '4. Nc3 Nf6 5. O-O d6 6. d4 exd4'],
];

const exampleView = (): VNode =>
  h('figure', [
    h('div.first-look-board', [thumbnail(fen)]),
    h('div', [
      h('p.muted', [h('b', 'C60'), ' Ruy Lopez']),
      h('p.answer', [h('strong.answer-move', '3… a6'), scoreView('.large', { cp: 34 }), sparkline(overTime)]),
      h('table.plain', { attrs: { 'aria-label': 'Moves of the example' } }, [
        each('tbody', {}, moves, ([san, cp, line]) =>
          h('tr', [
            h('th', { attrs: { scope: 'row' } }, san),
            h('td', [scoreView('', { cp })]),
            h('td.muted.cut', line),
          ]),
        ),
      ]),
    ]),
    h('figcaption.muted.small', 'The Ruy Lopez after a night.'),
  ]);
