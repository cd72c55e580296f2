// Heap profiles: figures, pixels, hover, zoom, hiding, searching, modes, order, dark, keys, biography, retainers, diff.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { figure, fixtures, pages, settle, shot, view } from './browser.mjs';
import { filled, peak, readHp, sum, sumOf, within } from './hp.mjs';

const hp = (name) => path.join(fixtures, 'hp', name);

/** Where sample `index` and a height are on the screen, and what is drawn there. */
const spot = (tab, index) => tab.evaluate((at) => {
  const view = window.barrow.page.views.find((each) => each.chart);
  const box = view.chart.over.getBoundingClientRect();
  return { x: box.left + view.chart.x(view.placeOf(at)), left: box.left, top: box.top, h: view.chart.h, most: view.chart.top };
}, index);

/** How many dots of each layer's colour stand in the column of a sample, in CSS pixels. */
const column = (tab, index) => tab.evaluate((at) => {
  const view = window.barrow.page.views.find((each) => each.chart);
  const { base } = view.chart;
  const ratio = window.devicePixelRatio;
  const x = Math.round(view.chart.x(view.placeOf(at)) * ratio);
  const { data } = base.getContext('2d').getImageData(x, 0, 1, base.height);
  const seen = {};
  for (const layer of view.layers) {
    const wanted = layer.colour.match(/\d+/g).map(Number);
    let count = 0;
    for (let y = 0; y < base.height; y++) if (wanted.every((value, k) => Math.abs(data[y * 4 + k] - value) < 3)) count++;
    seen[layer.name] = count / ratio;
  }
  return { seen, h: view.chart.h, most: view.chart.top };
}, index);

async function figures(context) {
  const samples = readHp(hp('leak-hc.hp'));
  const tab = await view(context, 'leak-hc', hp('leak-hc.hp'));
  assert.equal(await figure(tab, 'peak'), peak(samples));
  assert.equal(await figure(tab, 'end'), filled(samples).at(-1).total);
  assert.equal(await figure(tab, 'sum'), sum(samples));
  assert.equal(Math.round(await figure(tab, 'mean')), Math.round(sum(samples) / filled(samples).length));
  const names = new Set(samples.flatMap((sample) => [...sample.bands.keys()]));
  assert.equal(Number(await tab.$eval('.heap > .foot', (node) => node.dataset.dropped)), names.size - 20);
  await shot(tab, 'stacked-light');
  return tab;
}

async function pixels(tab) {
  const samples = readHp(hp('leak-hc.hp'));
  const index = samples.findIndex((sample) => sample.total === peak(samples));
  const { seen, h, most } = await column(tab, index);
  let checked = 0;
  for (const [name, dots] of Object.entries(seen)) {
    const wanted = (samples[index].bands.get(name) || 0) / most * h;
    // Below a few pixels a band is all edge; a label may stand in the column of a high one.
    if (wanted < 6) continue;
    assert.ok(Math.abs(dots - wanted) < 16, `${name}: ${dots} pixels high, ${wanted} by the file`);
    checked++;
  }
  assert.ok(checked >= 4);
}

async function hover(tab) {
  const samples = readHp(hp('leak-hc.hp'));
  const index = 20;
  const at = await spot(tab, index);
  const greatest = [...samples[index].bands].sort((a, b) => b[1] - a[1])[0];
  const middle = (samples[index].total - greatest[1] / 2) / at.most;
  await tab.mouse.move(at.x, at.top + 14 + at.h * (1 - middle));
  const text = await tab.$eval('#tip', (node) => node.textContent);
  assert.ok(text.includes(greatest[0]), `the tip names ${greatest[0]}: ${text}`);
  assert.ok(text.includes(greatest[1].toLocaleString('en-US')), 'the tip gives the exact value');
  await shot(tab, 'hover');
}

async function pin(tab) {
  const samples = readHp(hp('leak-hc.hp'));
  const [first, second] = [await spot(tab, 8), await spot(tab, 24)];
  await tab.mouse.move(first.x, first.top + 150);
  await tab.keyboard.press('p');
  await settle(tab);
  await tab.mouse.move(second.x, second.top + 150);
  const since = await tab.$eval('#tip [data-since]', (node) => Number(node.dataset.since));
  assert.equal(since, samples[24].total - samples[8].total, 'the change between two moments');
  await shot(tab, 'pinned');
  await tab.keyboard.press('p');
  await tab.keyboard.press('p');
  assert.equal(await tab.evaluate(() => globalThis.barrow.state.pin), null, 'pinned here and taken off again');
}

async function zoom(tab) {
  const samples = readHp(hp('leak-hc.hp'));
  const [from, to] = [await spot(tab, 10), await spot(tab, 20)];
  await tab.mouse.move(from.x - 2, from.top + 100);
  await tab.mouse.down();
  await tab.mouse.move(to.x + 2, to.top + 140, { steps: 5 });
  await tab.mouse.up();
  await settle(tab);
  const window = await tab.evaluate(() => globalThis.barrow.state.window);
  const inside = within(samples, window);
  assert.equal(inside.length, 11);
  assert.equal(await figure(tab, 'peak'), peak(inside));
  assert.equal(await figure(tab, 'sum'), sum(inside));
  const first = await tab.$eval('.bands .body .row', (row) => ({ band: row.dataset.band, mean: row.querySelector('.meter').title }));
  const wanted = Math.round(sum(inside, (name) => name === first.band) / inside.length);
  assert.equal(first.mean, `mean ${wanted.toLocaleString('en-US')} bytes`, 'the table follows the window');
  await shot(tab, 'zoomed');
  await tab.keyboard.press('ArrowRight');
  await settle(tab);
  const moved = await tab.evaluate(() => globalThis.barrow.state.window);
  assert.ok(moved[0] > window[0] && Math.abs((moved[1] - moved[0]) - (window[1] - window[0])) < 1e-9);
  const { time } = inside[5];
  await tab.evaluate((at) => { globalThis.barrow.state.window = [at - 1e-9, at + 1e-9]; globalThis.barrow.drawNow(); }, time);
  assert.match(await tab.$eval('[data-stat="mean"]', (node) => node.textContent), /over 1 sample$/);
  await tab.mouse.dblclick(from.x, from.top + 100);
  await settle(tab);
  assert.equal(await figure(tab, 'sum'), sum(samples), 'a double click shows the whole run again');
}

async function hideAndSearch(tab) {
  const samples = readHp(hp('leak-hc.hp'));
  const name = await tab.$eval('.bands .body .row', (row) => row.dataset.band);
  await tab.click('.bands .body .row .swatch');
  await settle(tab);
  const others = (each) => each !== name;
  assert.equal(await figure(tab, 'sum'), sum(samples, others));
  assert.equal(await figure(tab, 'peak'), peak(samples, others));
  await tab.fill('#search', 'MAIN.caf');
  await settle(tab);
  const found = (each) => each !== name && each.toLowerCase().includes('main.caf');
  assert.equal(await figure(tab, 'sum'), sum(samples, found));
  await tab.fill('#search', '/^\\(3\\d\\d\\)/');
  await settle(tab);
  assert.equal(await figure(tab, 'sum'), sum(samples, (each) => each !== name && /^\(3\d\d\)/.test(each)));
  await tab.click('text=Show all');
  await settle(tab);
  assert.equal(await figure(tab, 'sum'), sum(samples));
  await tab.fill('#count', '5');
  await settle(tab);
  const layers = await tab.evaluate(() => globalThis.barrow.page.views[0].layers.map((layer) => layer.name));
  assert.equal(layers.length, 6);
  assert.equal(layers[0], 'other (18)', 'the rest is counted');
  await tab.fill('#count', '20');
}

async function modes(tab) {
  const samples = readHp(hp('leak-hc.hp'));
  for (const mode of ['share', 'lines', 'own']) {
    await tab.click(`#bar [data-value="${mode}"]`);
    await settle(tab);
    await shot(tab, `mode-${mode}`);
    if (mode !== 'share') continue;
    const { seen, h, most } = await column(tab, 20);
    for (const [name, dots] of Object.entries(seen)) {
      const wanted = (samples[20].bands.get(name) || 0) / samples[20].total / most * h;
      if (wanted > 30) assert.ok(Math.abs(dots - wanted) < 20, `${name}: ${dots} of ${wanted} pixels as a share`);
    }
  }
  await tab.click('#bar [data-value="stack"]');
  await tab.click('#bar [data-value="samples"]');
  await settle(tab);
  await shot(tab, 'axis-samples');
  await tab.click('#bar [data-value="time"]');
  const order = async (sort) => {
    await tab.selectOption('#sort', sort);
    await settle(tab);
    return tab.$$eval('.bands .body .row', (rows) => rows.map((row) => row.dataset.band));
  };
  const strip = (name) => name.replace(/^\(\d+\)/, '');
  const names = await order('name');
  assert.deepEqual(names.map(strip), names.map(strip).toSorted());
  const slopes = await order('slope');
  const rise = (name) => {
    const counted = filled(samples);
    const [t, v] = [counted.map(({ time }) => time), counted.map(({ bands }) => bands.get(name) || 0)];
    const [mt, mv] = [t, v].map((list) => list.reduce((a, b) => a + b) / list.length);
    return t.reduce((s, x, i) => s + (x - mt) * (v[i] - mv), 0) / t.reduce((s, x) => s + (x - mt) ** 2, 0);
  };
  assert.ok(rise(slopes[0]) >= rise(slopes[1]) && rise(slopes[1]) >= rise(slopes[2]), 'the steepest first');
  await order('size');
}

async function dark(tab) {
  const paper = () => tab.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await paper();
  await tab.keyboard.press('d');
  await settle(tab);
  assert.notEqual(await paper(), light);
  const { seen } = await column(tab, 20);
  assert.ok(Object.values(seen).some((dots) => dots > 50), 'the chart took the dark colours');
  await shot(tab, 'stacked-dark');
  await tab.keyboard.press('d');
  await tab.keyboard.press('?');
  assert.ok(await tab.$eval('#help', (node) => node.open));
  await shot(tab, 'help');
  await tab.keyboard.press('Escape');
  await tab.emulateMedia({ media: 'print' });
  await tab.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await shot(tab, 'print');
  await tab.evaluate(() => dispatchEvent(new Event('afterprint')));
  await tab.emulateMedia({ media: 'screen' });
}

async function biography(context) {
  const samples = readHp(hp('leak-hb.hp'));
  const tab = await view(context, 'leak-hb', hp('leak-hb.hp'));
  const area = (keep) => samples.slice(1).reduce((all, sample, i) => all + (sumOf(sample, keep) + sumOf(samples[i], keep)) / 2 * (sample.time - samples[i].time), 0);
  const shown = await tab.$eval('.waste', (node) => ({ waste: Number(node.dataset.waste), area: Number(node.dataset.area) }));
  const near = (a, b) => assert.ok(Math.abs(a - b) <= Math.abs(b) * 1e-9, `${a} is not ${b}`);
  near(shown.waste, area((name) => ['VOID', 'LAG', 'DRAG'].includes(name)));
  near(shown.area, area());
  await shot(tab, 'biography');
  return tab;
}

async function retainers(context) {
  const tab = await view(context, 'leak-hr', hp('leak-hr.hp'), hp('leak-hr.prof'));
  const sets = await tab.$$eval('.sets article', (rows) => rows.length);
  assert.ok(sets > 5);
  // A band whose number and text agree with a set shows the set's members in full.
  await tab.evaluate(() => globalThis.barrow.change({ focus: '(88)countWords.\\' }));
  await settle(tab);
  const detail = await tab.$eval('.detail', (node) => node.textContent);
  assert.ok(detail.includes('Main.countWords.\\,Main.countWords,Main.counts,Main.main.counts,Main.main,Main.CAF'), detail);
  // Number 84 was given to several sets in turn; only the one whose text fits may claim the members.
  await tab.evaluate(() => globalThis.barrow.change({ focus: '(84)mkWords' }));
  await settle(tab);
  assert.ok(!(await tab.$eval('.detail', (node) => node.textContent)).includes('Retainer set'));
  await shot(tab, 'retainers');
  return tab;
}

async function marksAndCut(context) {
  const marked = await view(context, 'marks', hp('leak-hc-marks.hp'));
  assert.ok(await marked.evaluate(() => globalThis.barrow.page.views[0].heap.sortedMarks.length) > 0);
  await shot(marked, 'marks');
  const cut = await view(context, 'cut', hp('leak-hc-cut-midline.hp'));
  assert.match(await cut.$eval('.notes', (node) => node.textContent), /ends within the sample of line \d+/);
  return [marked, cut];
}

async function pairAndDiff(context) {
  const [before, after] = [readHp(hp('leak-hc.hp')), readHp(hp('leak-hc-fine.hp'))];
  const pair = await view(context, 'pair', hp('leak-hc.hp'), hp('leak-hd.hp'));
  assert.equal((await pair.$$('.card.heap')).length, 2);
  await shot(pair, 'side-by-side');
  const tab = await view(context, 'diff', hp('leak-hc.hp'), hp('leak-hc-fine.hp'), '--diff');
  for (const basis of ['mean', 'peak', 'end']) {
    await tab.click(`.diff [data-value="${basis}"]`);
    await settle(tab);
    const total = (samples) => (basis === 'mean' ? sum(samples) / filled(samples).length : basis === 'peak' ? peak(samples) : filled(samples).at(-1).total);
    const step = total(after) - total(before);
    assert.ok(Math.abs(await figure(tab, 'change', '.diff') - step) < 1e-6 * total(after), basis);
    assert.ok(Math.abs(Number(await tab.$eval('#answer [data-answer="change"]', (node) => node.dataset.value)) - step) < 1e-6 * total(after), basis);
    assert.equal(await tab.$eval('#answer [data-answer="most"]', (node) => node.textContent), await tab.$eval('.diff .body .row', (row) => row.dataset.band), 'the first by change is the one that is named');
    for (const [key, samples] of [['before', before], ['after', after]]) {
      assert.ok(Math.abs(await figure(tab, key, '.diff') - total(samples)) < 1e-6 * total(samples), `${basis} ${key}`);
    }
  }
  await tab.click('.diff [data-value="mean"]');
  await shot(tab, 'diff-heap');
  return [pair, tab];
}

/** Profiles by kind have no producers: neither `-h` where nothing is numbered nor a program's own arguments say who made memory. */
async function breakDowns(context) {
  const tabs = [];
  for (const [name, fixture, job, kind, who] of [
    ['alone.hp', 'leak-noprof-h.hp', 'LeakNo +RTS -h -i0.05', 'by closure kind', 'thing'],
    ['run.h.hp', 'leak-noprof-h.hp', 'LeakNo +RTS -hy -h -i0.05', 'by closure kind', 'thing'],
    ['own.hp', 'leak-noprof-h.hp', 'LeakNo -hc +RTS -hT -RTS', 'by closure kind', 'thing'],
    ['several.hp', 'leak-noprof-h.hp', 'LeakNo +RTS -hT -hc', '', 'thing'],
    ['centres.h.hp', 'leak-h.hp', 'Leak +RTS -hy -h -i0.05', 'by cost-centre stack', 'producer'],
    ['capital.hp', 'leak-hc.hp', 'Leak +RTS -hC -hcmain', 'by cost-centre stack', 'producer'],
  ]) {
    const file = path.join(pages, name);
    fs.writeFileSync(file, fs.readFileSync(hp(fixture), 'utf8').replace(/^JOB .*/, `JOB "${job}"`));
    const tab = await view(context, name, file);
    assert.equal(await tab.evaluate(() => globalThis.barrow.page.views.find((each) => each.chart).heap.kind), kind, job);
    const said = await tab.$eval('#answer', (node) => node.textContent);
    assert.equal(/made by/.test(said), who === 'producer', `${job}: ${said}`);
    tabs.push(tab);
  }
  return tabs;
}

export const cases = {
  'heap: figures, pixels, hover, zoom, hide, search, modes, order, dark': async (context) => {
    const tab = await figures(context);
    for (const step of [pixels, hover, pin, zoom, hideAndSearch, modes, dark]) await step(tab);
    return [tab];
  },
  'heap: biography as waste': async (context) => [await biography(context)],
  'heap: retainer sets in full': async (context) => [await retainers(context)],
  'heap: marks, and a file cut short': marksAndCut,
  'heap: what the bands are': breakDowns,
  'heap: side by side, and what changed': pairAndDiff,
};
