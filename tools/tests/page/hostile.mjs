// Files that are larger or deeper than those of people: the page shows a part and says so, and never fails.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { barrow, fixtures, pages, settle, shot, view } from './browser.mjs';

const HEAD = 'JOB "h"\nDATE "d"\nSAMPLE_UNIT "seconds"\nVALUE_UNIT "bytes"\n';
const write = (name, text) => {
  const file = path.join(pages, name);
  fs.writeFileSync(file, text);
  return file;
};

/** A tower of 4,000 levels: above a browser's limit a canvas is empty. */
async function tower(context) {
  const deep = 4000;
  const stack = (value) => `(1)${Array.from({ length: deep }, (_, level) => `f${deep - level}`).join('/')}\t${value}\n`;
  const samples = [0, 1].map((time) => `BEGIN_SAMPLE ${time}.0\n${stack(8 + time)}END_SAMPLE ${time}.0\n`);
  const tab = await view(context, 'tower', write('tower.hp', HEAD.replace('"h"', '"h +RTS -hc"') + samples.join('')));
  const drawn = () => tab.evaluate(() => {
    const { flame } = globalThis.barrow.page.views[0].flames;
    const { canvas, boxes } = flame;
    const last = boxes.reduce((most, box) => Math.max(most, box.level), 0);
    const context = canvas.getContext('2d');
    const ratio = canvas.height / canvas.getBoundingClientRect().height;
    return { last, name: boxes.find((box) => box.level === last).node.name, said: flame.node.textContent,
      dots: [0, last].map((level) => context.getImageData(8, Math.floor((level * 21 + 3) * ratio), 1, 1).data[3]) };
  });
  const first = await drawn();
  assert.deepEqual(first.dots, [255, 255], 'the first and the last level are drawn');
  assert.ok(first.last > 300 && first.last < deep, String(first.last));
  assert.match(first.said, /levels more/);
  await shot(tab, 'tower');
  // A click on the last one that is drawn leads on, down to the innermost.
  for (let steps = 0, at = first.last; at < deep; steps++) {
    assert.ok(steps < 20, 'it leads to the end');
    await tab.evaluate(() => {
      const { flame } = globalThis.barrow.page.views[0].flames;
      flame.top = flame.boxes.reduce((most, box) => (box.level > most.level ? box : most)).node;
      globalThis.barrow.drawNow();
    });
    const next = await drawn();
    at += next.last;
    assert.deepEqual(next.dots, [255, 255]);
    if (at >= deep) assert.ok(next.name === `f${deep}` && !/levels more/.test(next.said), next.name);
  }
  return [tab];
}

/** More retainer sets and counters, points and types than can be handed over as arguments. */
async function lists(context) {
  const many = 150000;
  const ticky = fs.readFileSync(path.join(fixtures, '../../../tests/fixtures/ticky/Leak.ticky'), 'utf8');
  const counters = Array.from({ length: many }, (_, at) => `${at + 1} COUNTER_${at}_ctr\n`);
  const counted = await view(context, 'many-counters', write('many.ticky', `${ticky.slice(0, ticky.lastIndexOf('****') + 5)}${counters.join('')}`));
  assert.equal(await counted.$$eval('.counters tbody tr', (list) => list.length), 1000);
  assert.match(await counted.textContent('.prof'), /150,?000 of 150,?000 counted something.*first 1,000/);

  const json = JSON.parse(fs.readFileSync(path.join(fixtures, 'space', 'run.json'), 'utf8'));
  const [point] = json.points;
  json.points = Array.from({ length: many }, (_, at) => ({ ...point, seconds: at / 100, parts: [] }));
  const space = await view(context, 'many-points', write('many.json', JSON.stringify(json)));
  assert.ok(await space.$('.spacegraph polygon'));

  const graphs = ['half', 'end'].map((when) => path.join(fixtures, 'leaks', `forgotten.${when}.snapshot.gz`));
  const diff = await view(context, 'many-types', ...graphs, '--diff');
  await diff.evaluate((count) => {
    const view = globalThis.barrow.page.views.find((one) => one.graphs);
    view.pairOf[1].types = Array.from({ length: count }, (_, at) => [`T${at}`, 1, at * 8, null]);
    globalThis.barrow.drawNow();
  }, many);
  await settle(diff);
  assert.match(await diff.$eval('.diff .row[data-type]', (row) => row.dataset.type), /^T149999$/);

  const sets = await view(context, 'many-sets', path.join(fixtures, 'hp', 'leak-hr.prof'));
  await sets.evaluate((count) => {
    const { page: { views: [one] } } = globalThis.barrow;
    one.file.retainers.sets = Array.from({ length: count }, (_, at) => ({ number: at, members: [`m${at}`] }));
    one.file.retainers.holders = Array.from({ length: count }, (_, at) => [0, `h${at}`, 8]);
    one.build();
  }, many);
  for (const part of ['sets', 'holders']) assert.match(await sets.textContent(`.${part}`), /149,000 more$/, part);
  await sets.fill('.prof input[aria-label="Search retainer sets"]', 'm149999');
  assert.match(await sets.textContent('.sets'), /m149999$/);
  return [counted, space, diff, sets];
}

/** Two values of one name stay two. */
async function values(context) {
  const field = (number, bytes) => [number << 3 | 2, bytes.length, ...bytes];
  const count = (number, value) => [number << 3, value];
  const text = (words) => [...Buffer.from(words)];
  const profile = [...field(1, [...count(1, 1), ...count(2, 2)]), ...field(1, [...count(1, 1), ...count(2, 2)]), ...field(2, [...count(1, 1), ...count(2, 100), ...count(2, 10)]),
    ...field(4, [...count(1, 1), ...field(4, count(1, 1))]), ...field(5, [...count(1, 1), ...count(2, 3)]), ...['', 'space', 'bytes', 'grow'].flatMap((words) => field(6, text(words)))];
  const tab = await view(context, 'two-values', write('two.pprof', Buffer.from(profile)));
  const shown = [];
  for (const button of await tab.$$('.prof [aria-label="Measure"] button')) {
    await button.click();
    await settle(tab);
    shown.push(Number(await tab.$eval('.prof', (node) => node.dataset.total)));
  }
  assert.deepEqual(shown, [100, 10]);
  return [tab];
}

/** Few numbers that are far apart become many between them in the page. */
async function sparse() {
  const bands = 4000;
  const row = (time, from, to) => `BEGIN_SAMPLE ${time}.0\n${Array.from({ length: to - from }, (_, at) => `b${from + at}\t8\n`).join('')}END_SAMPLE ${time}.0\n`;
  const text = [row(0, 0, bands), ...Array.from({ length: 150000 }, (_, at) => row(at + 1, 0, 1)), row(150001, 0, bands)].join('');
  const file = write('sparse.hp', HEAD + text);
  const made = spawnSync(barrow, ['view', file, '-o', path.join(pages, 'sparse.html')], { encoding: 'utf8', timeout: 120000 });
  fs.rmSync(file);
  assert.equal(made.status, 1, `${made.status} ${made.stderr}`);
  assert.match(made.stderr, /sparse\.hp: .*675012000 numbers/);
  return [];
}

export const cases = { 'hostile: a tower of 4,000 levels': tower, 'hostile: lists of 150,000': lists, 'hostile: two values of one name': values, 'hostile: a sparse profile is refused': sparse };
