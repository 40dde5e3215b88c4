// Engines that are installed, added in the queue.
import { assert } from './helpers.mjs';
import { clean, sizes } from './axe.mjs';
import { holdsStill } from './still.mjs';

export const tests = {
  'an engine that is installed is added and taken out in the queue': async ({ visit }) => {
    const known = [
      {
        name: 'stockfish',
        state: 'configured',
        identity: 'Stockfish 15.1',
        year: 2022,
        advice: 'It is of 2022, older than two years; Stockfish 19 is of 2026.',
        problem: null,
        processes: null,
      },
      {
        name: 'toga2',
        state: 'free',
        identity: 'Toga II 3.0.0.1SE1',
        year: null,
        advice: null,
        problem: null,
        processes: null,
      },
      {
        name: 'fruit',
        state: 'free',
        identity: null,
        year: null,
        advice: null,
        problem: 'no answer within 5000ms',
        processes: null,
      },
    ];
    const asked = [];
    for (const viewport of sizes) {
      const page = await visit('#/nowhere', {
        viewport,
        reducedMotion: 'reduce',
      });
      await page.route(/\/api\/v1\/engines(\/\w+)?$/, async route => {
        const request = route.request();
        const toga = known[1];
        if (request.url().endsWith('/installed'))
          return route.fulfill({
            json: { installed: known, most_processes: 2 },
          });
        if (request.method() === 'GET') return route.fallback();
        asked.push(`${request.method()} ${request.postData() ?? request.url().split('/').at(-1)}`);
        const add = request.method() === 'POST';
        Object.assign(toga, add ? { state: 'added', processes: 2 } : { state: 'free', processes: null });
        const engine = {
          name: 'toga2',
          default: false,
          identity: null,
          problem: null,
          noise: null,
          processes: [],
        };
        return add ? route.fulfill({ status: 201, json: engine }) : route.fulfill({ status: 204 });
      });
      await page.goto(page.url().replace(/#.*/, '#/'));
      await page.getByTestId('add-engine').scrollIntoViewIfNeeded();
      await holdsStill(
        page,
        `the list of engines, ${viewport.width}`,
        () => page.getByTestId('add-engine').click(),
        () => page.getByTestId('installed').waitFor(),
      );
      assert.equal(await page.getByRole('button', { name: 'Add fruit' }).isDisabled(), true);
      const old = page.getByTestId('installed-engine').filter({ hasText: 'Stockfish 15.1 (2022)' });
      await old.getByText('It is of 2022, older than two years').waitFor();
      await clean(page, 'engines to add');
      await page.getByLabel('Processes of one that is added').selectOption('2');
      await page.getByRole('button', { name: 'Add toga2' }).click();
      await page.getByText('toga2 is there: new analyses can choose it.').waitFor();
      await page.getByText('2 processes').waitFor();
      await page.getByRole('button', { name: 'Take out toga2' }).click();
      await page.getByText(/toga2 is stopped/).waitFor();
      await page.getByRole('button', { name: 'Add toga2' }).waitFor();
      await page.getByTestId('add-engine').click();
      await page.getByTestId('installed').waitFor({ state: 'detached' });
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await page.context().close();
    }
    assert.deepEqual(asked.slice(0, 2), ['POST {"installed":"toga2","processes":2}', 'DELETE toga2']);
  },

  'the list of engines holds still where code and answers come late, or an engine gives none': async ({
    visit,
  }) => {
    const late = async route => {
      await new Promise(done => setTimeout(done, 700));
      return route.fallback();
    };
    const installed = [
      {
        name: 'toga2',
        state: 'free',
        identity: 'Toga II',
        year: null,
        advice: null,
        problem: null,
        processes: null,
      },
      {
        name: 'fruit',
        state: 'free',
        identity: null,
        year: null,
        advice: null,
        problem: 'no answer within 5000ms',
        processes: null,
      },
    ];
    const silent = 'no answer within 5 s';
    for (const what of [/\.js$/, /\/api\/v1\/analyses$/]) {
      const page = await visit('#/nowhere', {
        viewport: { width: 768, height: 1024 },
        reducedMotion: 'reduce',
      });
      await page.route(what, late);
      await page.route(/\/api\/v1\/webhooks$/, route =>
        route.fulfill({
          json: {
            webhooks: [{ name: 'mine', sent: 1, waiting: 0, lost: 0, problem: null }],
          },
        }),
      );
      await page.route(/\/engines\/installed$/, async route => {
        await late({ fallback: () => undefined });
        return route.fulfill({ json: { installed, most_processes: 2 } });
      });
      await page.goto(page.url().replace(/#.*/, '#/'));
      await page.getByTestId('add-engine').scrollIntoViewIfNeeded();
      await holdsStill(
        page,
        `the list of engines, ${what}`,
        () => page.getByTestId('add-engine').click(),
        () => page.getByTestId('installed').waitFor(),
      );
      await page.route(/\/api\/v1\/engines$/, async route => {
        if (route.request().method() === 'POST')
          return route.fulfill({
            status: 201,
            json: { name: 'toga2', processes: [] },
          });
        const response = await route.fetch();
        const { engines } = await response.json();
        for (const engine of engines) {
          engine.problem = silent;
          engine.processes.forEach(process => (process.problem = silent));
        }
        return route.fulfill({ json: { engines } });
      });
      await holdsStill(
        page,
        `engines that give no answer, ${what}`,
        () => page.getByRole('button', { name: 'Add toga2' }).click(),
        () => page.getByText(silent).nth(1).waitFor(),
      );
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await page.context().close();
    }
  },

  'the built-in engine says what it is, where no other is the default': async ({ visit }) => {
    const page = await visit('#/nowhere');
    const engine = (name, identity, isDefault) => ({
      name,
      default: isDefault,
      identity: { name: identity, network: '', options: { Hash: '64' } },
      problem: null,
      noise: null,
      processes: [],
    });
    let engines = [engine('adjourn', 'Adjourn engine 0.1.0', true)];
    await page.route(/\/api\/v1\/engines$/, route => route.fulfill({ json: { engines } }));
    const told = page.getByTestId('built-in');
    await page.goto(page.url().replace(/#.*/, '#/'));
    await page.getByText('Adjourn engine 0.1.0').waitFor();
    assert.match(await told.textContent(), /built-in one answers.*Elo.*install Stockfish/);
    await clean(page, 'the built-in engine');
    engines = [engine('stockfish', 'Stockfish 17', true), engine('adjourn', 'Adjourn engine 0.1.0', false)];
    await page.reload();
    await page.getByText('Stockfish 17').waitFor();
    assert.equal(await told.count(), 0);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.context().close();
  },
};
