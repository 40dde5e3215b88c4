// The game goes on, and so does the work.
import {
  adopt,
  analysis,
  api,
  assert,
  boardFen,
  direct,
  idOf,
  lineOf,
  make,
  node,
  rows,
  settled,
  settledTo,
  stands,
  until,
  untilMoves,
} from './helpers.mjs';

export const tests = {
  'a move of the table was played: the analysis goes on from there, and back': async ({ server, visit }) => {
    const { id } = await make(server, ['e2e4']);
    await untilMoves(server, id);
    await direct(server, id, ['c7c5', 'g1f3'], 'note', { text: 'the main line' });
    const page = await visit(`#/analysis/${id}`);
    await rows(page).first().waitFor();
    const root = await boardFen(page);
    const move = await rows(page).first().getAttribute('data-uci');
    await rows(page).first().click();
    await until('walked', async () => (await lineOf(page)).length === 1);
    const after = await boardFen(page);
    await page.getByRole('button', { name: 'Was played' }).click();
    await page.getByText(/^The game went on: /).waitFor();
    await until('the root has moved', async () => (await analysis(server, id)).played === 1);
    assert.deepEqual((await analysis(server, id)).moves, ['e2e4', move]);
    await until('at the new root', async () => (await lineOf(page)).length === 0);
    assert.equal(await boardFen(page), after);
    await page.locator('.board square.last-move').first().waitFor(); // the move that was played
    await page.keyboard.press('ArrowLeft');
    await until('the game before it is walked', async () => (await boardFen(page)) === root);
    await page.keyboard.press('ArrowRight');
    await until('and back', async () => (await boardFen(page)) === after);
    await rows(page).first().waitFor();
    await page.getByRole('button', { name: 'Take back' }).click();
    await until('the root is the first one', async () => (await analysis(server, id)).played === 0);
    await until('the move is one of its line', async () => (await lineOf(page)).length === 1);
    assert.equal(await boardFen(page), after); // nobody looks at another position for that
    const [note] = (await node(server, id, ['c7c5', 'g1f3'])).notes;
    assert.equal(note.text, 'the main line');
  },

  'two windows: where the game goes on in one, the other follows': [
    async ({ server, visit }) => {
      const { id } = await make(server, ['d2d4']);
      await untilMoves(server, id);
      const page = await visit(`#/analysis/${id}/d7d5,c2c4`);
      await until('it stands below the root', async () => (await lineOf(page)).length === 2);
      const after = 'rnbqkbnr/ppp1pppp/8/3p4/2PP4/8/PP2PPPP/RNBQKBNR b KQkq';
      await stands(page, after);
      await api(server).post(`/analyses/${id}/advance`, { moves: ['d7d5'] });
      await until('its line is shorter', async () => (await lineOf(page)).length === 1);
      await stands(page, after);
      await api(server).post(`/analyses/${id}/advance`, { back: 1, moves: ['g8f6'] });
      await until('the game went another way', async () => (await lineOf(page)).length === 0);
    },
    { allow: /400/ }, // what was on its way when the root moved
  ],

  'where it has ended it can search further': async ({ server, visit }) => {
    const { id } = await make(server, ['c2c4'], { strategy: { kind: 'halving', refine: 1 } });
    await settled(server, id);
    const page = await visit(`#/analysis/${id}`);
    await page.getByTestId('further').click();
    await page.getByRole('menuitem', { name: 'One level deeper' }).click();
    await settledTo(server, id, 2);
    await page.getByTestId('further').click();
    await page.getByRole('menuitem', { name: '1 hour more' }).click();
    await page.getByTestId('pause').waitFor();
    const { budget, strategy } = await analysis(server, id);
    assert.ok(budget.engine_seconds > 3600);
    assert.equal(strategy.refine, 0);
  },

  'Prove makes an analysis from here that ends with the proof': async ({ server, visit }) => {
    const { id } = await make(server, [], {
      position: { fen: '6k1/8/6K1/8/8/8/8/R7 w - - 0 1' },
      strategy: { kind: 'halving', move_distance: 20, refine: 2 },
    });
    await until('the mate is found', async () => (await analysis(server, id)).best?.alpha?.mate === 1);
    const page = await visit(`#/analysis/${id}`);
    await page.getByTestId('prove').click();
    await until('another analysis is shown', async () => idOf(page) !== id);
    const proof = adopt(page);
    await settled(server, proof);
    const { strategy, reason, best } = await analysis(server, proof);
    assert.equal(strategy.kind, 'prove');
    assert.equal(reason, 'the result is proven');
    assert.equal(best.san, 'Ra8#');
    await rows(page).first().waitFor();
    assert.equal(await page.getByTestId('prove').count(), 0); // it is that
  },
};
