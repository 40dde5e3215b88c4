// What happens while nobody looks: title, icon, and a notification for who asked for it.
import { api, assert, make, rows, until, untilMoves } from './helpers.mjs';

// Notifications are kept to be looked at, and the page can be told that nobody looks at it.
const stage = page =>
  page.addInitScript(() => {
    window.notes = [];
    window.asked = 0;
    window.Notification = class {
      static permission = 'granted';
      static requestPermission = async () => {
        window.asked++;
        return 'granted';
      };
      constructor(title, options) {
        window.notes.push(`${title}: ${options.body}`);
      }
    };
    Object.defineProperty(document, 'hidden', { get: () => Boolean(window.away) });
  });

const look = (page, away) =>
  page.evaluate(gone => {
    window.away = gone;
    document.dispatchEvent(new Event('visibilitychange'));
  }, away);

const icon = page => page.locator('link[rel=icon]').getAttribute('href');

export const tests = {
  'an analysis that settles while nobody looks is told in title and icon, and as a notification if asked for':
    async ({ server, visit }) => {
      const { id, name } = await make(server, ['e2e4', 'e7e5'], {
        strategy: { kind: 'halving', move_distance: 10, refine: 1 },
      });
      await untilMoves(server, id);
      const settled = depth =>
        until('settled', async () => {
          const a = await api(server).get(`/analyses/${id}`);
          return a.settled >= depth && a.state === 'settled';
        });
      await settled(1);
      const page = await visit(`#/analysis/${id}`, { before: stage });
      await rows(page).first().waitFor();
      const plain = await icon(page);
      const grow = async refine => {
        await api(server).patch(`/analyses/${id}`, {
          strategy: { kind: 'halving', move_distance: 10, refine },
        });
        await settled(refine);
      };
      await look(page, true);
      await grow(2);
      await until('in the title', async () => /^\(\d+\) /.test(await page.title()));
      assert.notEqual(await icon(page), plain);
      assert.deepEqual(await page.evaluate(() => [window.asked, window.notes]), [0, []]);
      await look(page, false);
      await until('seen', async () => !/^\(/.test(await page.title()));
      assert.equal(await icon(page), plain);

      await page.getByRole('button', { name: 'Notify me' }).click();
      await page.getByText('You are told when').waitFor();
      await look(page, true);
      await grow(3);
      const notes = await until('a notification', async () => {
        const all = await page.evaluate(() => window.notes);
        return all.some(note => note.includes('is settled')) && all;
      });
      assert.ok(notes.every(note => note.startsWith(name)));
    },
};
