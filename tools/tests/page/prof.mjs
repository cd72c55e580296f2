// Reports: totals, the table, the icicle, its inverse, search, JSON, diff.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { figure, fixtures, settle, shot, view } from './browser.mjs';

const prof = (name) => path.join(fixtures, 'prof', name);

/** The rows of a report's second table: label, entries, ticks and bytes from the right. */
function rows(file) {
  const text = fs.readFileSync(file, 'utf8').split('\n');
  const start = text.findIndex((line) => line.includes('individual')) + 3;
  return text.slice(start).filter((line) => line.trim()).map((line) => {
    const words = line.trim().split(/\s+/);
    return { label: words[0], module: words[1], entries: Number(words.at(-7)), ticks: Number(words.at(-2)), bytes: Number(words.at(-1)) };
  });
}

const total = (tab) => tab.$eval('.prof', (node) => Number(node.dataset.total));

async function report(context) {
  const tab = await view(context, 'leak-P', prof('leak-P.prof'));
  const all = rows(prof('leak-P.prof'));
  const sum = (key, keep = () => true) => all.filter(keep).reduce((s, row) => s + row[key], 0);
  for (const [measure, key] of [['time', 'ticks'], ['alloc', 'bytes'], ['entries', 'entries']]) {
    await tab.click(`.prof [data-value="${measure}"]`);
    await settle(tab);
    assert.equal(await total(tab), sum(key), measure);
  }
  await tab.click('.prof [data-value="alloc"]');
  await settle(tab);
  await shot(tab, 'report-table');
  await tab.click('.prof [data-value="up"]');
  await settle(tab);
  assert.equal(await total(tab), sum('bytes'), 'the inverse weighs the same');
  const first = await tab.$$eval('.tree .body .row', (list) => list.slice(1, 2).map((row) => ({ name: row.querySelector('.name').title, total: Number(row.dataset.total) }))[0]);
  assert.equal(first.total, sum('bytes', (row) => row.label === first.name.replace(/^Main\./, '')), `all of ${first.name}`);
  await tab.click('.prof [data-value="flame"]');
  await settle(tab);
  await shot(tab, 'icicle-inverse');
  await tab.click('.prof [data-value="down"]');
  await settle(tab);
  const frame = await tab.evaluate(() => {
    const { flame } = globalThis.barrow.page.views[0];
    const box = flame.boxes.find(({ node }) => node.name === 'insertT');
    const at = flame.canvas.getBoundingClientRect();
    return { x: at.left + box.x + box.w / 2, y: at.top + box.level * 21 + 10, share: box.w / at.width };
  });
  const part = sum('bytes', (row) => row.label === 'insertT') / sum('bytes');
  assert.ok(Math.abs(frame.share - part) < 0.003, `insertT is ${frame.share} wide, ${part} by the file`);
  await tab.mouse.move(frame.x, frame.y);
  assert.match(await tab.$eval('#tip', (node) => node.textContent), /Main\.insertT/);
  await shot(tab, 'icicle');
  await tab.mouse.click(frame.x, frame.y);
  await settle(tab);
  assert.equal(await tab.evaluate(() => globalThis.barrow.page.views[0].flame.boxes.length), 1, 'a click makes the frame the whole');
  await tab.fill('.prof input[type=search]', 'insertT');
  await settle(tab);
  assert.equal(await tab.$eval('.inner .kind', (node) => Number(node.dataset.value)), sum('bytes', (row) => row.label === 'insertT'));
  return [tab];
}

async function json(context) {
  const tab = await view(context, 'nfib-pj', prof('nfib-pj.json'));
  const whole = JSON.parse(fs.readFileSync(prof('nfib-pj.json'), 'utf8'));
  const sum = (node) => node.alloc + node.children.reduce((s, child) => s + sum(child), 0);
  assert.equal(await figure(tab, 'alloc'), whole.total_alloc);
  await tab.click('.prof [data-value="alloc"]');
  await settle(tab);
  assert.equal(await total(tab), sum(whole.profile));
  const names = await view(context, 'names-pj', prof('names-pj.json'));
  assert.match(await names.$eval('.notes', (node) => node.textContent), /quote/);
  await names.fill('.prof input[type=search]', 'say"hi"');
  await settle(names);
  assert.ok(await names.$('.tree .body [title="Main.say\\"hi\\""]'));
  return [tab, names];
}

async function change(context) {
  const tab = await view(context, 'diff-P', prof('leak-P.prof'), prof('leak-hc-P.prof'), '--diff');
  await tab.click('.prof [data-value="alloc"]');
  await settle(tab);
  const sum = (file) => rows(prof(file)).reduce((s, row) => s + row.bytes, 0);
  const root = await tab.$eval('.tree .body .row', (row) => [Number(row.dataset.before), Number(row.dataset.after)]);
  assert.deepEqual(root, [sum('leak-P.prof'), sum('leak-hc-P.prof')]);
  // The sentence: the change of all, and the centre whose own part changed most.
  await tab.click('.prof [data-value="time"]');
  await settle(tab);
  const [whole, most] = await tab.evaluate(() => ['change', 'most'].map((key) => document.querySelector(`#answer [data-answer="${key}"]`)).map((node) => ({ value: Number(node.dataset.value), text: node.textContent })));
  const own = new Map();
  let step = 0;
  for (const [file, sign] of [['leak-P.prof', -1], ['leak-hc-P.prof', 1]]) {
    for (const { module, label, ticks } of rows(prof(file))) {
      own.set(`${module}.${label}`, (own.get(`${module}.${label}`) || 0) + sign * ticks);
      step += sign * ticks;
    }
  }
  assert.equal(whole.value, step);
  assert.equal(Math.abs(most.value), Math.max(...[...own.values()].map(Math.abs)));
  assert.equal(own.get(most.text), most.value, most.text);
  await shot(tab, 'diff-report');
  await tab.click('.prof [data-value="flame"]');
  await settle(tab);
  await shot(tab, 'diff-icicle');
  return [tab];
}

async function plain(context) {
  const tab = await view(context, 'leak-p', prof('leak-p.prof'), prof('leak-hr-p.prof'));
  assert.match(await tab.$eval('.notes', (node) => node.textContent), /percentages/);
  assert.ok((await tab.$$('.sets article')).length > 5, 'a report with retainer sets shows both');
  return [tab];
}

export const cases = {
  'report: totals, table, inverse, icicle, hover, search': report,
  'report: JSON, also with unescaped quotes': json,
  'report: what changed': change,
  'report: without ticks and bytes, and with retainer sets': plain,
};
