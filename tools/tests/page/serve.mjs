// --serve: the page follows a file that grows, and what the user chose stays.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { spawn } from 'node:child_process';
import { barrow, figure, fixtures, open, pages, shot } from './browser.mjs';
import { readHp, sum } from './hp.mjs';

const status = (url, headers) => new Promise((done, failed) => {
  http.get(url, { headers }, (answer) => { answer.resume(); done(answer.statusCode); }).on('error', failed);
});

async function follow(context) {
  const whole = fs.readFileSync(path.join(fixtures, 'hp', 'leak-hc.hp'), 'utf8');
  const file = path.join(pages, 'growing.hp');
  const half = whole.indexOf('END_SAMPLE', whole.length / 2) + 30;
  fs.writeFileSync(file, whole.slice(0, half));
  const server = spawn(barrow, ['view', file, '--serve'], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const url = (await new Promise((done, failed) => {
      server.stdout.once('data', (text) => done(String(text)));
      server.once('exit', () => failed(new Error('the server ended')));
    })).trim();
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\/$/);
    assert.equal(await status(url, { host: 'elsewhere.example' }), 403, 'only in its own name');
    assert.equal(await status(`${url}etc/passwd`), 404);
    assert.equal(await status(new URL('/', url).href), 403, 'only with the whole address');
    const tab = await open(context, url);
    const begun = await figure(tab, 'sum');
    assert.ok(begun > 0 && begun < sum(readHp(file)) + 1);
    await tab.fill('#count', '3');
    fs.writeFileSync(file, whole);
    await tab.waitForFunction((wanted) => Number(document.querySelector('[data-stat="sum"]').dataset.value) === wanted, sum(readHp(file)), { timeout: 10000 });
    assert.equal(await tab.$eval('#count', (node) => node.value), '3', 'what was chosen stays');
    assert.equal(await tab.evaluate(() => globalThis.barrow.page.views[0].layers.length), 4);
    await shot(tab, 'serve');
    return [tab];
  } finally {
    server.kill();
  }
}

export const cases = { 'serve: the page follows a growing file': follow };
