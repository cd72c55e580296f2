// Space by function: figures equal to the JSON, the slider moves bars to computed lengths, a choice fills the pane, maxima
// lead to what lived.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { figure, fixtures, settle, shot, view } from './browser.mjs';

async function space(context) {
  const file = path.join(fixtures, 'space', 'run.json');
  const json = JSON.parse(fs.readFileSync(file, 'utf8'));
  const tab = await view(context, 'space', file);
  const { total } = json;
  for (const [key, value] of [['allocated', total.allocated.bytes], ['copied', total.copied.bytes], ['live', total.live], ['top', total.top], ['collecting', json.ticks_collecting], ['profiling', json.ticks_profiling]]) {
    assert.equal(await figure(tab, key, '.space'), value, key);
  }
  // Bars: in order of the weighted mean, the first as wide as there is room, each in proportion to it.
  for (const weight of [0, 30, 50, 100]) {
    await tab.$eval('.weights input', (slider, to) => {
      slider.value = String(to);
      slider.dispatchEvent(new Event('input', { bubbles: true }));
    }, weight);
    await settle(tab);
    const share = ({ allocated, top }) => (1 - weight / 100) * allocated.bytes / total.allocated.bytes + weight / 100 * top / total.top;
    const wanted = json.functions.map((one) => [one.name, share(one)]).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
    const bars = await tab.$$eval('.spacebar', (list) => list.map((bar) => [bar.textContent, bar.dataset.function, Number(bar.dataset.share), bar.querySelector('i').getBoundingClientRect().width, bar.getBoundingClientRect().width]));
    assert.deepEqual(bars.map((bar) => bar[1]), wanted.map(([name]) => name), `order at ${weight} %`);
    for (const [at, [text, name, shown, width, room]] of bars.entries()) {
      assert.ok(text.startsWith(name), 'the bar is labelled');
      assert.ok(Math.abs(shown - wanted[at][1]) < 1e-9, `${name} at ${weight} %: ${shown}`);
      const length = Math.max(2, room * wanted[at][1] / wanted[0][1]);
      assert.ok(Math.abs(width - length) < 1.5, `${name} at ${weight} %: ${width} dots instead of ${length}`);
    }
  }
  // The real slider, by its keys.
  await tab.focus('.weights input');
  await tab.keyboard.press('Home');
  await settle(tab);
  assert.ok((await tab.textContent('.weights output')).startsWith('space 100 %'));
  const at = (key) => tab.$eval(`.space .detail [data-key="${key}"]`, (cell) => Number(cell.dataset.value));
  for (const [who, one] of json.functions.entries()) {
    await tab.click(`.spacebar[data-function="${one.name}"]`);
    await settle(tab);
    assert.equal(await tab.$eval('.space .detail', (node) => node.dataset.function), one.name);
    assert.equal(await at('allocated-bytes'), one.allocated.bytes);
    assert.equal(await at('copied-objects'), one.copied.objects);
    for (const [generation, count] of one.copied_from.entries()) assert.equal(await at(`from${generation}-bytes`), count.bytes);
    for (const key of ['live', 'top', 'elsewhere']) assert.equal(await at(key), one[key], key);
    for (const [line, kinds] of one.kinds.entries()) {
      for (const [kind, [, bytes]] of Object.entries(kinds)) {
        if (one.kinds.some((each) => each[kind][0])) assert.equal(await at(`${kind}-${line}`), bytes, `${kind} of ${one.name}`);
      }
    }
    // All ticks at its top came on some way.
    const ticks = await tab.$$eval('.callers li', (list) => list.map((way) => Number(way.dataset.ticks)));
    assert.equal(ticks.reduce((a, b) => a + b, 0), one.top, `ways to ${one.name}`);
    if (one.top) assert.ok((await tab.textContent('.callers')).includes('main'));
    if (who < json.functions.length - 1) continue;
    await tab.click(`.spacebar[data-function="build"]`);
  }
  // Each maximum is marked, and leads to its analysis.
  const marks = await tab.$$eval('.spacegraph .max', (list) => list.map((mark) => Number(mark.dataset.bytes)));
  assert.deepEqual(marks, json.maxima.map(({ bytes }) => bytes));
  assert.equal(await tab.$eval('.spacegraph .greatest', (mark) => Number(mark.dataset.bytes)), json.greatest.bytes);
  for (const [number, point] of json.maxima.entries()) {
    // A picture that is drawn anew between press and release takes no click, as from a person: that one presses again.
    const opened = () => tab.waitForFunction((bytes) => Number(document.querySelector('.moment')?.dataset.bytes) === bytes, point.bytes, { timeout: 3000 }).then(() => true, () => false);
    for (let tries = 0; tries < 4; tries++) {
      if (number % 2) await tab.locator('.spacegraph .max').nth(number).click();
      else await tab.locator('.spacegraph .max').nth(number).press('Enter');
      if (await opened()) break;
    }
    await settle(tab);
    assert.equal(await tab.$eval('.moment', (node) => Number(node.dataset.bytes)), point.bytes);
    const parts = await tab.$$eval('.moment tr', (list) => list.map((row) => [row.cells[0].textContent, Number(row.dataset.bytes)]));
    assert.deepEqual(parts.filter(([name]) => json.functions.some((one) => one.name === name)),
      [...point.parts].sort((a, b) => b[1] - a[1]).map(([who, bytes]) => [json.functions[who].name, bytes]));
    assert.equal(parts.reduce((sum, [, bytes]) => sum + bytes, 0), point.bytes);
  }
  await shot(tab, 'space');
  await tab.click('#theme');
  await settle(tab);
  await shot(tab, 'space-dark');
  // Beside the other files of a run.
  const both = await view(context, 'space-and-heap', file, path.join(fixtures, 'hp', 'leak-hc.hp'));
  assert.equal(await both.$$eval('.card', (list) => list.length), 2);
  return [tab, both];
}

export const cases = { 'space: bars by weights, the chosen function, what lived at the maxima': space };
