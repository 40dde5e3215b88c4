// Engines that are installed, added in the queue.
import { assert } from './helpers.mjs';
import { clean, sizes } from './axe.mjs';
import { holdsStill } from './still.mjs';

const engine = (name, more = {}) => ({
  name,
  state: 'free',
  identity: null,
  year: null,
  advice: null,
  problem: null,
  processes: null,
  ...more,
});
const toga = () => engine('toga2', { identity: 'Toga II 3.0.0.1SE1' });
const fruit = engine('fruit', { problem: 'no answer within 5000ms' });

// Of one who waits for it.
const late = async route => {
  await new Promise(done => setTimeout(done, 700));
  return route?.fallback();
};

export const tests = {
  'an engine that is installed is added and taken out in the queue': async ({ visit }) => {
    const installed = [
      engine('stockfish', {
        state: 'configured',
        identity: 'Stockfish 15.1',
        year: 2022,
        advice: 'It is of 2022, older than two years; Stockfish 19 is of 2026.',
      }),
      toga(),
      fruit,
    ];
    const asked = [];
    const page = await visit('#/', {
      reducedMotion: 'reduce',
      before: page =>
        page.route(/\/api\/v1\/engines(\/\w+)?$/, async route => {
          const request = route.request();
          if (request.url().endsWith('/installed'))
            return route.fulfill({ json: { installed, most_processes: 2 } });
          if (request.method() === 'GET') return route.fallback();
          asked.push(`${request.method()} ${request.postData() ?? request.url().split('/').at(-1)}`);
          const add = request.method() === 'POST';
          Object.assign(
            installed[1],
            add ? { state: 'added', processes: 2 } : { state: 'free', processes: null },
          );
          const json = {
            name: 'toga2',
            default: false,
            identity: null,
            problem: null,
            noise: null,
            processes: [],
          };
          return add ? route.fulfill({ status: 201, json }) : route.fulfill({ status: 204 });
        }),
    });
    const button = page.getByTestId('add-engine');
    const list = page.getByTestId('installed');
    for (const size of sizes) {
      await page.setViewportSize(size);
      await button.scrollIntoViewIfNeeded();
      await holdsStill(
        page,
        `the list of engines, ${size.width}`,
        () => button.click(),
        () => list.waitFor(),
      );
      if (size === sizes.at(-1)) break;
      await button.click();
      await list.waitFor({ state: 'detached' });
    }
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
    assert.deepEqual(asked, ['POST {"installed":"toga2","processes":2}', 'DELETE toga2']);
  },

  'the list of engines holds still where code and answers come late, or an engine gives none': async ({
    visit,
  }) => {
    const silent = 'no answer within 5 s';
    for (const what of [/\.js$/, /\/api\/v1\/analyses$/]) {
      const page = await visit('#/', {
        viewport: sizes[1],
        reducedMotion: 'reduce',
        before: async page => {
          await page.route(what, late);
          await page.route(/\/api\/v1\/webhooks$/, route =>
            route.fulfill({
              json: { webhooks: [{ name: 'mine', sent: 1, waiting: 0, lost: 0, problem: null }] },
            }),
          );
          await page.route(/\/engines\/installed$/, async route => {
            await late();
            return route.fulfill({ json: { installed: [toga(), fruit], most_processes: 2 } });
          });
        },
      });
      await page.getByTestId('add-engine').scrollIntoViewIfNeeded();
      await holdsStill(
        page,
        `the list of engines, ${what}`,
        () => page.getByTestId('add-engine').click(),
        () => page.getByTestId('installed').waitFor(),
      );
      await page.route(/\/api\/v1\/engines$/, async route => {
        if (route.request().method() === 'POST')
          return route.fulfill({ status: 201, json: { name: 'toga2', processes: [] } });
        const response = await route.fetch();
        const { engines } = await response.json();
        for (const one of engines) {
          one.problem = silent;
          one.processes.forEach(process => (process.problem = silent));
        }
        return route.fulfill({ json: { engines } });
      });
      await holdsStill(
        page,
        `engines that give no answer, ${what}`,
        () => page.getByRole('button', { name: 'Add toga2' }).click(),
        () => page.getByText(silent).nth(1).waitFor(),
      );
    }
  },

  'the built-in engine says what it is, where no other is the default': async ({ visit }) => {
    const known = (name, identity, isDefault) => ({
      name,
      default: isDefault,
      identity: { name: identity, network: '', options: { Hash: '64' } },
      problem: null,
      noise: null,
      processes: [],
    });
    let engines = [known('adjourn', 'Adjourn engine 0.1.0', true)];
    const page = await visit('#/', {
      before: page => page.route(/\/api\/v1\/engines$/, route => route.fulfill({ json: { engines } })),
    });
    const told = page.getByTestId('built-in');
    await page.getByText('Adjourn engine 0.1.0').waitFor();
    assert.match(await told.textContent(), /built-in one answers.*Elo.*install Stockfish/);
    await clean(page, 'the built-in engine', [sizes[0]]);
    engines = [known('stockfish', 'Stockfish 17', true), known('adjourn', 'Adjourn engine 0.1.0', false)];
    await page.reload();
    await page.getByText('Stockfish 17').waitFor();
    assert.equal(await told.count(), 0);
  },
};
