// The heap flame graph: its widths against the file, in the whole run and in a window that is dragged; stacks joined from the report
// of the run; retainers; every screen.

import assert from 'node:assert/strict';
import path from 'node:path';
import { fixtures, settle, shot, view } from './browser.mjs';
import { filled, readHp, within } from './hp.mjs';

const hp = (name) => path.join(fixtures, 'hp', name);
const REPORT = path.join(fixtures, 'prof', 'leak-hc-P.prof');

/** The frames that are drawn: their stacks, weights and widths, as the flame graph has them. */
const frames = (tab, at = 0) => tab.evaluate((number) => {
  const { flame } = globalThis.barrow.page.views.filter((view) => view.chart)[number].flames;
  const pathOf = (node) => (node.parent ? [...pathOf(node.parent), node.name] : []);
  return flame.boxes.map(({ node, w }) => ({ path: pathOf(node).join(';'), total: node.total, w }));
}, at);

const near = (a, b, what) => assert.ok(Math.abs(a - b) <= Math.abs(b) * 1e-9 + 1e-6, `${what}: ${a} is not ${b}`);

/** Mean bytes by stack, worked out from the two files. */
const meanOf = (samples, keep) => samples.reduce((sum, { bands }) => sum + [...bands].filter(([name]) => keep(name)).reduce((s, [, v]) => s + v, 0), 0) / samples.length;

async function joined(context) {
  const samples = readHp(hp('leak-hc.hp'));
  const tab = await view(context, 'flame', hp('leak-hc.hp'), REPORT);
  const check = async (part) => {
    const all = await frames(tab);
    near(all[0].total, meanOf(part, () => true), 'the root');
    // Stack 306 is main.ws/words/mkWords; 307 and what lies below are called by it.
    const words = all.find(({ path: name }) => name === 'Main.CAF;Main.main;Main.main.ws;Main.words;Main.mkWords');
    near(words.total, meanOf(part, (name) => /^\((306|307|310|311)\)/.test(name)), 'mkWords with all below');
    near(words.w / all[0].w, words.total / all[0].total, 'its width');
    assert.ok(all.every(({ path: name }) => !name.includes('...')), 'nothing is cut');
  };
  await check(filled(samples));
  // Drag over a part of the chart: flame graph, table and sentence are of that window.
  const box = await tab.$eval('.plot .over', (node) => { const { left, top, width, height } = node.getBoundingClientRect(); return { left, top, width, height }; });
  await tab.mouse.move(box.left + box.width * 0.3, box.top + box.height / 2);
  await tab.mouse.down();
  await tab.mouse.move(box.left + box.width * 0.6, box.top + box.height / 2, { steps: 5 });
  await tab.mouse.up();
  await settle(tab);
  const [from, to] = await tab.evaluate(() => globalThis.barrow.state.window);
  const part = within(filled(samples), [from, to]);
  assert.ok(part.length > 2 && part.length < samples.length / 2);
  await check(part);
  assert.match(await tab.textContent('.heapflame h3'), /in the window, stacks whole from leak-hc-P\.prof/);
  // The same stack in the band's detail.
  await tab.evaluate(() => globalThis.barrow.change({ focus: '(306)mkWords/words/main.ws...' }));
  await settle(tab);
  assert.deepEqual(await tab.$$eval('.detail li', (list) => list.map((node) => node.textContent)), ['Main.mkWords', 'Main.words', 'Main.main.ws', 'Main.main', 'Main.CAF']);
  // A frame that was clicked stays when the window moves.
  await tab.evaluate(() => { const { flame } = globalThis.barrow.page.views[0].flames; flame.top = flame.boxes[2].node; globalThis.barrow.change({ window: null }); });
  await settle(tab);
  assert.ok(await tab.evaluate(() => { const { flame } = globalThis.barrow.page.views[0].flames; return flame.top && flame.boxes[0].node === flame.top; }));
  for (const moment of ['peak', 'end', 'mean']) {
    await tab.click(`.heapflame [data-value="${moment}"]`);
    await settle(tab);
    const wanted = moment === 'peak' ? Math.max(...samples.map(({ total }) => total)) : moment === 'end' ? filled(samples).at(-1).total : meanOf(filled(samples), () => true);
    near(await tab.$eval('.heapflame', (node) => Number(node.dataset.total)), wanted, moment);
  }
  return [tab];
}

/** Without the report, what was cut off is one frame, and the band says so. */
async function cut(context) {
  const tab = await view(context, 'flame-cut', hp('leak-hc.hp'));
  const all = await frames(tab);
  assert.ok(all.some(({ path: name }) => name === '...;words;mkWords'), JSON.stringify(all.map(({ path: name }) => name)));
  await tab.evaluate(() => globalThis.barrow.change({ focus: '(306)mkWords/words/main.ws...' }));
  await settle(tab);
  assert.match(await tab.textContent('.detail'), /the runtime cut the rest/);
  const kinds = await view(context, 'flame-none', hp('leak-hd.hp'));
  assert.ok(await kinds.$eval('.heapflame', (node) => node.hidden), 'descriptions are no stacks');
  return [tab, kinds];
}

async function retainers(context) {
  const tab = await view(context, 'flame-hr', hp('leak-hr.hp'), hp('leak-hr.prof'));
  const all = await frames(tab);
  assert.ok(all.some(({ path: name }) => name === 'Main.CAF;Main.main;Main.main.counts;Main.counts;Main.countWords;Main.countWords.\\'), JSON.stringify(all));
  near(all[0].total, meanOf(filled(readHp(hp('leak-hr.hp'))), () => true), 'the root');
  return [tab];
}

async function screens(context) {
  const tab = await view(context, 'flame-look', hp('leak-hc.hp'), REPORT, hp('leak-hr.hp'), hp('leak-hr.prof'));
  for (const colorScheme of ['light', 'dark']) {
    await tab.emulateMedia({ colorScheme });
    for (const width of [390, 1440]) {
      await tab.setViewportSize({ width, height: 900 });
      await settle(tab);
      assert.ok(await tab.evaluate(() => document.documentElement.scrollWidth) <= width);
      await shot(tab, `flame-${width}-${colorScheme}`);
    }
  }
  return [tab];
}

export const cases = {
  'flame: stacks joined from the report, in any window': joined,
  'flame: names that were cut': cut,
  'flame: retainers': retainers,
  'flame: on every screen': screens,
};
