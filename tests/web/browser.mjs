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

// Chromium drops keys that come before a document's first paint, even where its elements are there already.
async function painted(page) {
  if (page.url().startsWith('about:')) return; // nothing will be painted there
  const paint = () =>
    new Promise(done => {
      if (document.hidden) done();
      else new PerformanceObserver(done).observe({ type: 'paint', buffered: true });
    });
  await page.evaluate(paint).catch(error => {
    if (!/navigation|destroyed/.test(String(error))) throw error; // it has gone on to another document
  });
}

// A page in a fresh profile, or, with options.context, another tab of a known one. `errors` collects what
// must not happen.
export async function open(browser, url, { context: known, firstVisit = false, ...options } = {}) {
  const context =
    known ??
    (await browser.newContext({
      viewport: { width: 1280, height: 800 },
      acceptDownloads: true,
      permissions: ['clipboard-read', 'clipboard-write'],
      ...options,
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
  for (const way of ['goto', 'reload']) {
    const go = page[way].bind(page);
    page[way] = async (...args) => {
      const response = await go(...args);
      await painted(page);
      return response;
    };
  }
  await page.goto(url);
  return { context, page, errors };
}
