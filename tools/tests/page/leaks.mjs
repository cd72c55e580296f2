// The sentence at the top, on twenty programs of which ten leak (tests/leaks): the producer that leaks is named, and nobody else is
// called a leak; on biographies, reports and windows.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { fixtures, pages, settle, shot, view } from './browser.mjs';

const folder = path.join(fixtures, 'leaks');
const PROGRAMS = fs.readFileSync(path.join(folder, 'programs'), 'utf8').trim().split('\n').map((line) => line.split(' '));

/** What the sentence says, by the marks in it. */
const said = (tab) => tab.$eval('#answer', (box) => {
  const part = (key) => { const node = box.querySelector(`[data-answer="${key}"]`); return node && (node.dataset.band || node.dataset.value || node.textContent); };
  return { text: box.textContent, leak: Boolean(part('leak')), producer: part('producer'), thing: part('thing'), holder: part('holder'), rate: Number(part('rate')), waste: Number(part('waste')), collecting: Number(part('collecting')) };
});

const innermost = (band) => band.replace(/^\(\d+\)/, '').split(/[/,]/)[0];

async function twenty(context) {
  let [named, led, swung, wrong] = [0, 0, 0, []];
  for (const [name, producer] of PROGRAMS) {
    const alone = await view(context, `leak-${name}-alone`, path.join(folder, `${name}.hc.hp.gz`));
    const all = await view(context, `leak-${name}`, ...['hc.hp', 'hy.hp', 'hr.hp', 'prof'].map((ending) => path.join(folder, `${name}.${ending}.gz`)));
    const [one, four] = [await said(alone), await said(all)];
    console.log(`     ${name}: ${four.text}`);
    if (producer === '-') {
      if (/leak/i.test(one.text + four.text)) wrong.push(name);
    } else {
      named += [one, four].every((answer) => answer.leak && innermost(answer.producer) === producer);
      await alone.evaluate(() => globalThis.barrow.change({ sort: 'slope' }));
      await settle(alone);
      led += innermost(await alone.$eval('.bands .body .row', (row) => row.dataset.band)) === producer;
      swung += await alone.evaluate((who) => {
        const { items } = globalThis.barrow.page.views[0];
        return !items.reduce((best, item) => (item.stats.slope > best.stats.slope ? item : best)).band.name.includes(`)${who}/`);
      }, producer);
    }
    for (const tab of [alone, all]) { assert.deepEqual(tab.complaints, []); await tab.close(); }
  }
  console.log(`     ${named} of 10 named, ${wrong.length} wrongly called a leak: ${wrong}`);
  assert.equal(PROGRAMS.filter(([, producer]) => producer !== '-').length, 10);
  assert.equal(PROGRAMS.length, 20);
  assert.ok(named >= 9);
  console.log(`     first by weighed slope: ${led} of 10; by slope alone: ${10 - swung}`);
  assert.ok(led >= 9);
  assert.deepEqual(wrong, []);
  return [];
}

/** What the sentence says follows the window, and its names lead to the bands. */
async function follows(context) {
  const tab = await view(context, 'answer-window', path.join(folder, 'ramp.hc.hp.gz'));
  assert.equal((await said(tab)).leak, false);
  await tab.evaluate(() => {
    const { times } = globalThis.barrow.page.views[0].heap;
    globalThis.barrow.change({ window: [times[1], times[40]] });
  });
  await settle(tab);
  const answer = await said(tab);
  assert.ok(answer.leak && innermost(answer.producer) === 'load', answer.text);
  // The rate is that of the table: bytes for each second of the window.
  const slope = await tab.evaluate((name) => globalThis.barrow.page.views[0].items.find(({ band }) => band.name === name).stats.slope, answer.producer);
  assert.equal(answer.rate, slope);
  await tab.click('#answer [data-answer="producer"]');
  await settle(tab);
  assert.equal(await tab.$eval('.detail h3', (node) => node.textContent), answer.producer);
  await tab.evaluate(() => globalThis.barrow.change({ window: null, hidden: new Set() }));
  await settle(tab);
  assert.equal((await said(tab)).leak, false);
  return [tab];
}

/** Waste is that of the picture of waste, collections those of the report. */
async function other(context) {
  const lives = await view(context, 'answer-waste', path.join(fixtures, 'hp', 'leak-hb.hp'));
  const { waste, area } = await lives.$eval('.waste', (node) => ({ ...node.dataset }));
  assert.equal((await said(lives)).waste, waste / area);
  // A program that records no use: nothing is called waste.
  const unused = path.join(pages, 'unused.hp');
  const phases = fs.readFileSync(path.join(fixtures, 'hp', 'leak-hb.hp'), 'utf8');
  fs.writeFileSync(unused, phases.replace(/^(USE|DRAG|LAG)\t.*\n/gm, ''));
  const none = await said(await view(context, 'answer-unused', unused));
  assert.match(none.text, /records no use of objects/);
  assert.equal(none.waste, 0);
  const report = path.join(pages, 'collecting.prof');
  // A real report, whose costliest stack is called as the runtime's own centre of collections is.
  const names = fs.readFileSync(path.join(fixtures, 'prof', 'names-P.prof'), 'utf8');
  fs.writeFileSync(report, names.replaceAll(/^( *)größe( +)Main/gmu, '$1GC   $2GC  '));
  const tab = await view(context, 'answer-collecting', report);
  const answer = await said(tab);
  // 14 of 21 ticks.
  assert.equal(answer.collecting, 14 / 21);
  assert.match(answer.text, /Collections took 66\.7% of the time/);
  const space = await view(context, 'answer-space', path.join(fixtures, 'space', 'run.json'));
  const told = JSON.parse(fs.readFileSync(path.join(fixtures, 'space', 'run.json'), 'utf8'));
  const whole = told.total.top + told.ticks_collecting + told.ticks_profiling;
  if (told.ticks_collecting >= whole * 0.02 && whole) assert.equal((await said(space)).collecting, told.ticks_collecting / whole);
  return [lives, tab, space];
}

async function screens(context) {
  const files = ['hc.hp', 'hy.hp', 'hr.hp', 'prof'].map((ending) => path.join(folder, `under-waves.${ending}.gz`));
  const tab = await view(context, 'answer-look', ...files);
  for (const colorScheme of ['light', 'dark']) {
    await tab.emulateMedia({ colorScheme });
    for (const width of [390, 1440]) {
      await tab.setViewportSize({ width, height: 900 });
      await settle(tab);
      assert.ok(await tab.evaluate(() => document.documentElement.scrollWidth) <= width);
      await shot(tab, `answer-${width}-${colorScheme}`);
    }
  }
  return [tab];
}

export const cases = {
  'answer: follows the window': follows,
  'answer: waste and collections': other,
  'answer: on every screen': screens,
  'answer: twenty programs, ten of them leaking': twenty,
};
