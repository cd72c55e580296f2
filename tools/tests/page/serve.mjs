// --serve: the page follows a file that grows, and what the user chose stays.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { spawn } from 'node:child_process';
import { barrow, figure, fixtures, open, pages, settle, shot } from './browser.mjs';
import { readHp, sum } from './hp.mjs';

const status = (url, headers) => new Promise((done, failed) => {
  http.get(url, { headers }, (answer) => { answer.resume(); done(answer.statusCode); }).on('error', failed);
});

/** Serves a file while `body` runs with a tab on it. */
async function served(context, file, body) {
  const server = spawn(barrow, ['view', file, '--serve'], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const url = (await new Promise((done, failed) => {
      server.stdout.once('data', (text) => done(String(text)));
      server.once('exit', () => failed(new Error('the server ended')));
    })).trim();
    const tab = await open(context, url);
    await body(tab, url);
    await tab.close();
    return [tab];
  } finally {
    server.kill();
  }
}

async function follow(context) {
  const whole = fs.readFileSync(path.join(fixtures, 'hp', 'leak-hc.hp'), 'utf8');
  const file = path.join(pages, 'growing.hp');
  const half = whole.indexOf('END_SAMPLE', whole.length / 2) + 30;
  fs.writeFileSync(file, whole.slice(0, half));
  return served(context, file, async (tab, url) => {
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\/$/);
    assert.equal(await status(url, { host: 'elsewhere.example' }), 403, 'only in its own name');
    assert.equal(await status(`${url}etc/passwd`), 404);
    assert.equal(await status(new URL('/', url).href), 403, 'only with the whole address');
    const begun = await figure(tab, 'sum');
    assert.ok(begun > 0 && begun < sum(readHp(file)) + 1);
    await tab.fill('#count', '3');
    fs.writeFileSync(file, whole);
    await tab.waitForFunction((wanted) => Number(document.querySelector('[data-stat="sum"]').dataset.value) === wanted, sum(readHp(file)), { timeout: 10000 });
    assert.equal(await tab.$eval('#count', (node) => node.value), '3', 'what was chosen stays');
    assert.equal(await tab.evaluate(() => globalThis.barrow.page.views[0].layers.length), 4);
    await shot(tab, 'serve');
  });
}

const mark = (tab, text) => tab.waitForFunction((wanted) => document.querySelector('#live').textContent === wanted, text, { timeout: 10000 });

/** The mark says what is so, and no answer ends the questions. */
async function marked(context) {
  const file = path.join(pages, 'away.hp');
  fs.copyFileSync(path.join(fixtures, 'hp', 'leak-hc.hp'), file);
  const [tab] = await served(context, file, async (tab) => {
    await mark(tab, 'live');
    fs.renameSync(file, `${file}.away`);
    await mark(tab, 'the file can’t be read just now');
    fs.renameSync(`${file}.away`, file);
    await mark(tab, 'live');
    let bad = '{"meta"';
    await tab.route('**/data?*', (route) => (bad ? route.fulfill({ body: bad }) : route.continue()));
    await mark(tab, 'what changed can’t be shown');
    bad = '{"meta":{"files":[{"type":"heap","blob":0}]},"blobs":[]}';
    await tab.waitForTimeout(1500);
    bad = '';
    await mark(tab, 'live');
  });
  // The browser itself tells of the answer 503.
  tab.complaints = tab.complaints.filter((text) => !text.includes('503'));
  return [tab];
}

/** A smaller file in the place of a larger one: what was chosen stays if it is there, and nothing else is shown for it. */
async function smaller(context) {
  const [half, end] = ['half', 'end'].map((when) => path.join(fixtures, 'leaks', `forgotten.${when}.snapshot.gz`));
  const shrink = (name, whole, part, body) => {
    const file = path.join(pages, name);
    fs.copyFileSync(whole, file);
    return served(context, file, (tab) => body(tab, async () => {
      const tag = await tab.evaluate(() => globalThis.barrow.page.tag);
      fs.copyFileSync(part, `${file}.new`);
      fs.renameSync(`${file}.new`, file);
      await tab.waitForFunction((before) => globalThis.barrow.page.tag !== before, tag, { timeout: 10000 });
      await settle(tab);
    }));
  };
  const graph = await shrink('shrinks.snapshot.gz', end, half, async (tab, next) => {
    await tab.evaluate(() => { const [view] = globalThis.barrow.page.views; view.choose({ slot: view.graph.nodes.length - 1 }); });
    await next();
    assert.equal(await tab.evaluate(() => globalThis.barrow.page.views[0].chosen), null, 'the object is gone');
  });
  const type = await shrink('types.snapshot.gz', end, half, async (tab, next) => {
    await tab.click('.graph [data-value="type"]');
    await tab.click('.types .row[data-type="Entry"] .name');
    await next();
    assert.equal(await tab.textContent('.graph .detail h3'), 'Entry', 'the type is there');
  });
  const json = JSON.parse(fs.readFileSync(path.join(fixtures, 'space', 'run.json'), 'utf8'));
  const last = json.functions.at(-1).name;
  const write = (name, functions, maxima) => {
    // Nothing leads to what is left out.
    fs.writeFileSync(path.join(pages, name), JSON.stringify({ ...json, functions, maxima, callers: [], points: [], greatest: null }));
    return path.join(pages, name);
  };
  const maxima = json.maxima.map((point) => ({ ...point, parts: [] }));
  const all = write('whole.json', json.functions, maxima);
  const space = await shrink('shrinks.json', all, write('turned.json', json.functions.toReversed(), maxima.slice(1)), async (tab, next) => {
    await tab.evaluate(() => { const [view] = globalThis.barrow.page.views; view.choose(view.file.space.functions.length - 1); view.open(view.file.space.maxima.at(-1)); });
    await next();
    assert.equal(await tab.$eval('.space .detail', (node) => node.dataset.function), last, 'it is the first one now');
    assert.equal(await tab.$eval('.moment', (node) => Number(node.dataset.bytes)), maxima.at(-1).bytes);
  });
  const gone = await shrink('goes.json', all, write('less.json', [{ ...json.functions[0], name: 'all', allocated: json.total.allocated, copied: json.total.copied, top: json.total.top }], []), async (tab, next) => {
    await tab.evaluate(() => { const [view] = globalThis.barrow.page.views; view.choose(view.file.space.functions.length - 1); view.open(view.file.space.maxima[0]); });
    await next();
    assert.deepEqual(await tab.evaluate(() => [globalThis.barrow.page.views[0].chosen, globalThis.barrow.page.views[0].moment]), [null, null]);
  });
  // Functions of one name, as static ones of two files: the place tells them apart.
  const twins = [1, 2].map((offset) => ({ ...json.functions[0], allocated: { bytes: offset, objects: 1 }, name: 'init', module: 'lib.so', offset }));
  const others = { ...json.functions[0], name: 'others', allocated: { ...json.total.allocated, bytes: json.total.allocated.bytes - 3 }, copied: json.total.copied, top: json.total.top };
  twins.forEach((twin) => { twin.copied = { bytes: 0, objects: 0 }; twin.top = 0; });
  const twin = await shrink('twins.json', write('twins-before.json', [...twins, others], []), write('twins-after.json', [others, ...twins.toReversed()], []), async (tab, next) => {
    await tab.evaluate(() => globalThis.barrow.page.views[0].choose(0));
    await next();
    assert.equal(await tab.$eval('.space .detail [data-key="allocated-bytes"]', (cell) => Number(cell.dataset.value)), 1, 'the first of two of one name');
  });
  return [graph, type, space, gone, twin].flat();
}

export const cases = { 'serve: the page follows a growing file': follow, 'serve: the mark says what is so': marked, 'serve: a smaller file': smaller };
