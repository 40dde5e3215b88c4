// Debian's Chromium under playwright-core, and the strictness all tests share: a console error or an
// uncaught exception anywhere fails the test.
import { chromium } from 'playwright-core';

export async function launch() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

// A page that is shown asks for a moment past a route() that it is given: five of 150 requests that were made at once
// went to the server. Here route() comes back when it is in force.
function routeInForce(page) {
  const route = page.route.bind(page);
  page.route = async (...args) => {
    await route(...args);
    if (!page.url().startsWith('http')) return; // the next document is asked for through it
    let seen = false;
    const probe = /\?is-routed$/;
    await route(probe, asked => {
      seen = true;
      return asked.fulfill({ body: '' });
    });
    while (!seen) await page.evaluate(() => fetch('/?is-routed').then(answer => answer.text()));
    await page.unroute(probe);
  };
}

// A page in a fresh profile, or, with options.context, another tab of a known one. `before`: what is done with it before
// it goes to the address, `waitUntil`: how long it waits there. `errors` collects what must not happen, `asked` what was
// asked for and is not answered to its end.
export async function open(browser, url, options = {}) {
  const { context: known, firstVisit = false, before, waitUntil = 'load', ...more } = options;
  const context =
    known ??
    (await browser.newContext({
      viewport: { width: 1280, height: 800 },
      acceptDownloads: true,
      permissions: ['clipboard-read', 'clipboard-write'],
      ...more,
    }));
  if (!known && !firstVisit)
    await context.addInitScript(
      () => localStorage.getItem('adjourn.toured') ?? localStorage.setItem('adjourn.toured', '1'),
    );
  const page = await context.newPage();
  page.setDefaultTimeout(90_000); // patience where the machine may be busy
  const errors = [];
  page.on('console', message => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    errors.push(`${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', error => errors.push(String(error)));
  const asked = new Set();
  page.on('request', request => asked.add(request));
  for (const end of ['requestfinished', 'requestfailed']) page.on(end, request => asked.delete(request));
  routeInForce(page);
  await before?.(page);
  await page.goto(url, { waitUntil });
  return { context, page, errors, asked };
}
