// New analyses from files: one, or one for each game.
import { adopt, api, assert, boardFen, rows, unfold, until } from './helpers.mjs';

const chapters = `[White "Ann"]
[Black "Bob"]

1. e4 e5 2. Nf3 {mine} (2. f4 {bold}) 2... Nc6 *

[ChapterName "Pawns"]
[SetUp "1"]
[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]

1. Kd2 {slow} *
`;
const madeBy = async (server, name) =>
  (await api(server).get('/analyses')).analyses.find(a => a.name === name) ?? null;
const pgnOf = async (server, id) => {
  const { files } = await api(server).get(`/analyses/${id}/files`);
  assert.equal(files.length, 1);
  return (await fetch(`${server.url}/api/v1/analyses/${id}/files/${files[0].id}`)).text();
};

export const tests = {
  'a file of chapters becomes an analysis for each, with its game as its file': async ({ server, visit }) => {
    const page = await visit('#/new');
    await page.getByLabel('Opening, moves, FEN or PGN').fill(chapters);
    await page.getByRole('button', { name: 'One for each of 2 games' }).click();
    await page.getByRole('button', { name: 'where it begins' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Test book');
    await page.getByLabel('Start paused').check();
    await page.getByTestId('create').click();
    await page.getByText('2 analyses are made.').waitFor();
    await until('the queue', async () => new URL(page.url()).hash === '#/');
    const game = await madeBy(server, 'Test book: Ann – Bob');
    const chapter = await madeBy(server, 'Test book: Pawns');
    assert.equal(game.moves.length, 0);
    assert.equal(chapter.fen.split(' ')[0], '4k3/8/8/8/8/8/4P3/4K3');
    assert.match(await pgnOf(server, game.id), /\{mine\} \(2\. f4 \{bold\}\)/);
    assert.match(await pgnOf(server, chapter.id), /1\. Kd2 \{slow\}/);
  },

  'one analysis of a pasted game keeps what the game says': async ({ server, visit }) => {
    const page = await visit('#/new');
    await page.getByLabel('Opening, moves, FEN or PGN').fill(chapters.split('\n[Chap')[0]);
    await page.getByText('What the file says is kept').waitFor();
    await page.getByLabel('Start paused').check();
    await page.getByTestId('create').click();
    await until('made', async () => /analysis\/\d+/.test(page.url()));
    adopt(page);
    const id = Number(/analysis\/(\d+)/.exec(page.url())[1]);
    assert.match(await pgnOf(server, id), /\{mine\} \(2\. f4 \{bold\}\)/);
  },

  'a PGN file is dropped on the page, a game chosen and analysed': async ({ server, visit }) => {
    const page = await visit('#/new');
    await page.getByTestId('board').waitFor();
    const drop = (name, text) =>
      page.evaluate(
        ([file, content]) => {
          const transfer = new DataTransfer();
          transfer.items.add(new File([content], file));
          const zone = document.querySelector('.drop-zone');
          for (const kind of ['dragover', 'drop'])
            zone.dispatchEvent(
              new DragEvent(kind, { dataTransfer: transfer, bubbles: true, cancelable: true }),
            );
        },
        [name, text],
      );
    await drop('picture.png', '\u0000\u0001 no game at all');
    await page.locator('#position-error').waitFor();
    await drop(
      'match.pgn',
      '[White "Euwe"]\n[Black "Flohr"]\n\n1. c4 e5 *\n\n[White "Tal"]\n[Black "Keres"]\n\n1. e4 e5 2. f4 *\n',
    );
    await page.getByLabel(/2 in this PGN/).selectOption({ label: 'Tal – Keres (3 plies)' });
    await until('the gambit stands there', async () => (await boardFen(page)).includes('/4PP2/'));
    await unfold(page);
    await page.getByLabel('Depth', { exact: true }).fill('6');
    await page.getByTestId('create').click();
    await rows(page).first().waitFor();
    adopt(page);
    assert.match(await page.getByTestId('opening').innerText(), /King's Gambit/);
  },
};
