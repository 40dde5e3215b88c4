// Preparation: what is missing in a repertoire, what was played, and the training.
import { analysis, api, assert, clickSquares, lineOf, make, node, settled, until } from './helpers.mjs';

const games = Array.from(
  { length: 6 },
  (_, i) =>
    `[Event "${i}"]\n[White "Ada"]\n[Black "Ben"]\n[Date "20${10 + i}.01.01"]\n\n1. e4 c5 2. a4 h5 1-0\n`,
).join('\n');

async function sicilian(server) {
  const { id } = await make(server, ['e2e4', 'c7c5'], {
    strategy: { kind: 'halving', move_distance: 2, refine: 2 },
  });
  await settled(server, id);
  return id;
}

// Plays a move on the board, once it stands there.
async function play(page, uci) {
  await until('a board', () => page.locator('cg-board').boundingBox());
  await clickSquares(page, uci.slice(0, 2), uci.slice(2, 4));
}

export const tests = {
  'gaps of a repertoire are listed, compared with games, and queued at once': async ({ server, visit }) => {
    const id = await sicilian(server);
    const page = await visit(`#/analysis/${id}`);
    await page.getByRole('tab', { name: 'Repertoire' }).click();
    const within = async text => {
      await page.getByLabel('Their moves within (cp)').fill(text);
      await page.keyboard.press('Enter');
    };
    await page.getByRole('button', { name: 'I play Black', pressed: true }).waitFor();
    await page.getByRole('button', { name: 'I play White' }).click();
    await page.getByRole('button', { name: 'I play White', pressed: true }).waitFor();
    await page.getByRole('button', { name: 'I play Black' }).click();
    await page.getByLabel('My names in games').fill('Ben');
    await page.keyboard.press('Enter');
    await until('my side is kept', async () => {
      const { my_side, my_names } = await analysis(server, id);
      return my_side === 'black' && my_names === 'Ben';
    });
    await page.getByTestId('coverage').getByText('for 12 moves:').waitFor();
    await within('200');
    const gaps = page.getByTestId('gap');
    const before = await until('gaps', () => gaps.count());
    const lines = () => gaps.getByRole('link').allInnerTexts();
    assert.match(await gaps.first().innerText(), /^2\. \S+/);

    // A click on a gap puts it on the board.
    await gaps.first().getByRole('link').click();
    await until('on the board', async () => (await lineOf(page)).length > 0);
    await page.goBack();
    await until('all gaps again', async () => (await gaps.count()) === before);

    const chosen = page.waitForEvent('filechooser');
    await page.getByText('Add games (PGN)').click();
    await (
      await chosen
    ).setFiles({
      name: `my games ${id}.pgn`,
      mimeType: 'text/plain',
      buffer: Buffer.from(games),
    });
    await page.getByText('6 games added.').waitFor();
    const played = page.getByTestId('played-move');
    await until('what was played', async () => (await played.count()) === 1);
    assert.match(await played.innerText(), /^a4\s+6\s+100 %\s+2015\s/);
    assert.match(await played.innerText(), /Ada – Ben/);

    // What was asked for is none any more, without a step on the page; there may be new ones behind it.
    const asked = await until('gaps again', async () => (await gaps.count()) && lines());
    await page.getByTestId('queue-gaps').click();
    await page.getByText(/positions? will be searched\./).waitFor();
    await until('a gap is closed', async () => {
      const now = await lines();
      return asked.some(line => !now.includes(line));
    });
    await settled(server, id);

    // One-sided export, from here.
    await page.getByTestId('export-side').click();
    const side = page
      .getByRole('dialog')
      .getByLabel(/[Rr]epertoire|side/)
      .first();
    await side.waitFor();
    await page.keyboard.press('Escape');
    await api(server).del(`/collections/my-games-${id}`);
  },

  'the training asks for my moves on the board, and says what was right': async ({ server, visit }) => {
    const id = await sicilian(server);
    const page = await visit(`#/analysis/${id}?tab=repertoire`);
    // Which position is asked is left to chance; some have one searched move only.
    await page.evaluate(() => void (Math.random = () => 0));
    await page.getByTestId('train').click();
    const verdict = page.getByTestId('train-verdict');
    await verdict.getByText('What do you play?').waitFor();
    assert.equal(await page.getByTestId('moves').count(), 0);
    const line = await until('their move on the board', async () => {
      const now = await lineOf(page);
      return now.length && now;
    });
    const { moves } = await node(server, id, line);
    const [best] = moves;
    const wrong = moves.find(m => m.uci !== best.uci && !/[nbrq]$/.test(m.uci));
    // No key plays it for me.
    for (const key of ['ArrowRight', 'Enter', 'End']) await page.keyboard.press(key);
    assert.equal((await lineOf(page)).join(), line.join());
    await verdict.getByText('What do you play?').waitFor();
    await page.getByRole('button', { name: 'Turn the board' }).click(); // as White sees it
    await play(page, wrong.uci);
    await verdict.getByText('Not the move of your repertoire.').waitFor();
    await until('the position again', async () => (await lineOf(page)).join() === line.join());
    await page.getByTestId('train-show').click();
    await verdict.getByText(best.san).waitFor();
    await play(page, best.uci);
    await verdict.getByText('Now right:').waitFor();
    await page.getByText('0 of 1 position right at the first try.').waitFor();
    await page.getByTestId('train-next').click();
    await verdict.getByText('What do you play?').waitFor();
    await page.getByTestId('train-end').click();
    await page.getByTestId('gaps').waitFor();
  },
};
