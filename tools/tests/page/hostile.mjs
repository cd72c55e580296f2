// Files that are larger or deeper than those of people: the page shows a part and says so, and never fails.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { barrow, pages, settle, shot, view } from './browser.mjs';

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

export const cases = { 'hostile: a tower of 4,000 levels': tower, 'hostile: two values of one name': values };
