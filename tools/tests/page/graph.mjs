// "Why is this alive": an object graph by type and by object, ways from the roots, the sentence, and two graphs compared. The
// snapshots are of tests/leaks/programs.c, half-way through `forgotten` and at its end.

import assert from 'node:assert/strict';
import path from 'node:path';
import { execFileSync } from 'node:child_process';
import { barrow, fixtures, settle, shot, view } from './browser.mjs';

const [HALF, END] = ['half', 'end'].map((when) => path.join(fixtures, 'leaks', `forgotten.${when}.snapshot.gz`));
const told = (file) => /(\d+) objects of (\d+) bytes, (\d+) references/.exec(execFileSync(barrow, ['check', file], { encoding: 'utf8' })).slice(1).map(Number);
const rows = (tab, selector, ...keys) => tab.$$eval(`${selector} .body .row`, (list, names) => list.map((row) => [row.querySelector('.name').textContent.replace(/^[▾▸]/, ''), ...names.map((key) => Number(row.dataset[key]))]), keys);

async function objects(context) {
  const tab = await view(context, 'graph', END);
  const [count, bytes, references] = told(END);
  assert.equal(await tab.$eval('[data-stat="alive"]', (node) => Number(node.dataset.value)), bytes);
  assert.equal(await tab.$eval('[data-stat="references"]', (node) => Number(node.dataset.value)), references);
  // The tree opens where most is kept alive: everything, roots, the table of the configuration or the one that grows.
  const first = await rows(tab, '.owners', 'retained');
  assert.deepEqual(first[0], ['everything', bytes]);
  assert.match(first[1][0], /^root: /);
  const tables = first.filter(([name]) => name === 'Array').sort((a, b) => b[1] - a[1]);
  assert.ok(tables[0][1] > bytes * 0.8, JSON.stringify(first));
  // A list: each entry keeps all that follow. Everything unfolded is as many rows as objects, of which those in sight are made.
  await tab.evaluate(() => { const [graph] = globalThis.barrow.page.views; graph.graph.nodes.forEach((_, slot) => graph.open.add(slot)); globalThis.barrow.drawNow(); });
  const [items, made] = await tab.evaluate(() => [globalThis.barrow.page.views[0].owners.items.length, document.querySelectorAll('.owners .body .row').length]);
  assert.equal(items, count + 2);
  assert.ok(made < 120, `${made} rows are made`);
  // What an object keeps is itself and what stands below it.
  assert.ok(await tab.evaluate(() => {
    const { graph, kids } = globalThis.barrow.page.views[0];
    return graph.nodes.every((node, slot) => node[3] === node[2] + kids[slot].reduce((sum, kid) => sum + graph.nodes[kid][3], 0) + node[5].reduce((sum, rest) => sum + rest[2], 0) + node[6][1]);
  }));
  await tab.evaluate(() => { const [graph] = globalThis.barrow.page.views; const slot = graph.graph.nodes.findLastIndex((node) => node[7] && node[7][1] > 0); graph.choose({ slot }); });
  await settle(tab);
  const way = await tab.$$eval('.way li', (list) => list.map((node) => node.textContent));
  assert.match(way[0], /^root: /);
  assert.ok(way.some((step) => /^… \d+ more/.test(step)) && way.length === 33, JSON.stringify(way));
  const answer = await tab.$eval('#answer', (node) => [node.textContent, Number(node.querySelector('[data-answer="kept"]').dataset.value)]);
  assert.match(answer[0], /of 429 KiB is kept alive by one object, Array 0x[0-9a-f]+, which is held by the roots called /);
  assert.equal(answer[1], tables[0][1] / bytes);
  // Where no object keeps most alive, the greatest type is told, be it of one object.
  const said = (count) => tab.evaluate((many) => {
    const [shown] = globalThis.barrow.page.views;
    const other = Object.assign(Object.create(shown), { heaviest: undefined, graph: { nodes: [], bytes: 32, types: [['Floats', many, 16]] } });
    return other.words().map((part) => part.textContent ?? part).join('');
  }, count);
  assert.match(await said(1), /50\.0% of 32 B is 1 object of Floats\./);
  assert.match(await said(2), /50\.0% of 32 B are 2 objects of Floats\./);
  await tab.click('[data-answer="keeper"]');
  await settle(tab);
  assert.match(await tab.$eval('.detail h3', (node) => node.textContent), /^Array at 0x/);
  return [tab];
}

async function types(context) {
  const tab = await view(context, 'graph-types', END);
  await tab.click('.graph [data-value="type"]');
  await settle(tab);
  const [count, bytes] = told(END);
  const shown = await rows(tab, '.types', 'count', 'bytes', 'retained');
  assert.equal(shown.reduce((sum, row) => sum + row[1], 0), count);
  assert.equal(shown.reduce((sum, row) => sum + row[2], 0), bytes);
  assert.deepEqual(shown.map(([name]) => name), ['Text', 'Entry', 'Array']);
  // The tables keep everything; entries keep themselves and their texts.
  const kept = Object.fromEntries(shown.map(([name, , , retained]) => [name, retained]));
  assert.equal(kept.Array, bytes);
  assert.equal(kept.Entry, bytes - shown.find(([name]) => name === 'Array')[2]);
  await tab.click('.types .row[data-type="Entry"] .name');
  await settle(tab);
  const first = await tab.$$eval('.detail details', (list) => list.map((node) => node.querySelectorAll('.way li').length));
  assert.ok(first.length === 10 && first.every((steps) => steps >= 3));
  await tab.fill('.graph input[type="search"]', 'tex');
  await settle(tab);
  assert.deepEqual((await rows(tab, '.types')).map(([name]) => name), ['Text']);
  return [tab];
}

async function compared(context) {
  const tab = await view(context, 'graph-diff', HALF, END, '--diff');
  const shown = await rows(tab, '.diff', 'before', 'after');
  const [before, after] = [told(HALF), told(END)];
  assert.equal(shown.reduce((sum, row) => sum + row[1], 0), before[1]);
  assert.equal(shown.reduce((sum, row) => sum + row[2], 0), after[1]);
  assert.equal(shown[0][0], 'Text');
  assert.match(await tab.$eval('#answer', (node) => node.textContent), /^\+177 KiB from 252 KiB to 429 KiB; most grew Text by 173 KiB/);
  await tab.click('.diff [data-value="objects"]');
  await settle(tab);
  assert.equal((await rows(tab, '.diff', 'before', 'after')).reduce((sum, row) => sum + row[2] - row[1], 0), after[0] - before[0]);
  await shot(tab, 'graph-diff');
  // Of a type whose figure was not worked out no change is told.
  await tab.evaluate(() => {
    const diff = globalThis.barrow.page.views.find((view) => view.graphs);
    diff.pairOf[0].types.find(([name]) => name === 'Text')[3] = null;
    diff.measure = 'kept';
    globalThis.barrow.drawNow();
  });
  await settle(tab);
  assert.deepEqual((await rows(tab, '.diff')).map(([name]) => name).sort(), ['Array', 'Entry']);
  assert.match(await tab.$eval('.diff .foot', (node) => node.textContent), /^1 type is left out: /);
  return [tab];
}

export const cases = { 'graph: by object, with ways': objects, 'graph: by type': types, 'graph: what changed': compared };
