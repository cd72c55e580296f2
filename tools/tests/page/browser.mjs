// Starts Chromium with nothing kept from before, and watches that a page asks for nothing and complains of nothing.

import { createRequire } from 'node:module';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const work = process.env.PAGE_TEST;
export const barrow = process.env.BARROW;
export const fixtures = fileURLToPath(new URL('../fixtures/', import.meta.url));
const { chromium } = createRequire(path.join(work, 'x.js'))('playwright-core');

export const pages = path.join(work, 'pages');
export const shots = path.join(work, 'screenshots');
for (const folder of [pages, shots]) {
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
}

export async function launch() {
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'barrow-page-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM, headless: true, viewport: { width: 1400, height: 1000 }, colorScheme: 'light',
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
  return { context, close: async () => { await context.close(); fs.rmSync(profile, { recursive: true, force: true }); } };
}

/** A tab on `url` that fails the test if it asks for anything else or writes an error. */
export async function open(context, url) {
  const tab = await context.newPage();
  tab.complaints = [];
  tab.on('request', (request) => {
    const to = request.url();
    const own = to === url.split('#')[0] || to.startsWith('data:') || to.startsWith('blob:') || (url.startsWith('http:') && to.startsWith(new URL('/', url).href));
    if (!own) tab.complaints.push(`asked for ${to}`);
  });
  // A page's own warnings count; that of reading dots back is caused by the test.
  tab.on('console', (message) => { if (message.text().includes('willReadFrequently')) return; if (message.type() === 'error' || message.type() === 'warning') tab.complaints.push(message.text()); });
  tab.on('pageerror', (error) => tab.complaints.push(error.stack));
  await tab.goto(url);
  await tab.waitForFunction(() => document.documentElement.dataset.ready, null, { timeout: 60000 });
  return tab;
}

/** Writes a page with the command under test and opens it from its file. */
export async function view(context, name, ...files) {
  const page = path.join(pages, `${name}.html`);
  execFileSync(barrow, ['view', ...files, '-o', page]);
  return open(context, pathToFileURL(page).href);
}

export const shot = (tab, name) => tab.screenshot({ path: path.join(shots, `${name}.png`), fullPage: true });

/** The number behind a figure of the page. */
export const figure = (tab, key, card = '.card') => tab.$eval(`${card} [data-stat="${key}"]`, (node) => Number(node.dataset.value));

export const settle = (tab) => tab.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
