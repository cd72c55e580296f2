// Samples: figures, stacks and labels against what `barrow convert` writes of the same file; two of them compared.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { barrow, figure, fixtures, settle, shot, view } from './browser.mjs';

const demo = path.join(fixtures, 'samples', 'demo.pprof.gz');
const go = path.join(fixtures, 'samples', 'go-heap.pb.gz');
const read = (file) => JSON.parse(execFileSync(barrow, ['convert', file, '--to', 'json']));
const total = (tab) => tab.$eval('.prof', (node) => Number(node.dataset.total));
const frames = (tab) => tab.evaluate(() => globalThis.barrow.page.views[0].flame.boxes.map(({ node }) => [node.name, node.total]));

async function samples(context) {
  const json = read(demo);
  const sum = (at, keep = () => true) => json.samples.filter(keep).reduce((all, one) => all + one.values[at], 0);
  const tab = await view(context, 'samples', demo);
  for (const [at] of json.values.entries()) assert.equal(await figure(tab, `value${at}`), sum(at));
  assert.equal(await total(tab), sum(3), 'bytes in use come first');
  await shot(tab, 'samples');
  for (const [at, { name }] of json.values.entries()) {
    await tab.click(`.prof [data-value="${name}"]`);
    await settle(tab);
    assert.equal(await total(tab), sum(at), name);
  }
  await tab.click('.prof [data-value="alloc_space"]');
  const calls = (one) => one.stack.map((at) => json.functions[at].name);
  await settle(tab);
  const queens = (await frames(tab)).filter(([name]) => name === 'place').reduce((all, [, bytes]) => Math.max(all, bytes), 0);
  assert.equal(queens, sum(1, (one) => calls(one).includes('place')), 'the frame of place is all that it called');
  await tab.click('.prof [data-value^="label"]:has-text("By type")');
  await settle(tab);
  const texts = new Map(await frames(tab));
  assert.equal(texts.get('text'), sum(1, (one) => one.labels.type === 'text'));
  await shot(tab, 'samples-by-type');
  await tab.click('.prof [data-value^="label"]:has-text("By cost centre")');
  await settle(tab);
  // grow/add/words is told from the outermost centre on.
  const words = (await frames(tab)).find(([name]) => name === 'words');
  assert.equal(words[1], sum(1, (one) => one.labels.cost_centre.split('/').at(-1) === 'words'));
  await tab.click('.prof [data-value="calls"]');
  await tab.click('.prof [data-value="up"]');
  await tab.click('.prof [data-value="tree"]');
  await settle(tab);
  assert.equal(await total(tab), sum(1), 'the inverse weighs the same');
  const first = await tab.$$eval('.tree .body .row', (list) => [list[1].querySelector('.name').title, Number(list[1].dataset.total)]);
  assert.equal(first[1], sum(1, (one) => calls(one)[0] === first[0]), `all of ${first[0]}`);
  await shot(tab, 'samples-table');
  return [tab];
}

async function others(context) {
  const tab = await view(context, 'samples-go', go);
  assert.ok((await frames(tab)).some(([name]) => name === 'main.insert'));
  await tab.click('.prof [data-value="tree"]');
  await settle(tab);
  assert.ok(await tab.$('.tree .src[title*="main.go:21"]'), 'lines of a file that has them');
  await shot(tab, 'samples-go');
  const change = await view(context, 'samples-diff', demo, go, '--diff');
  await change.click('.prof [data-value="tree"]');
  await settle(change);
  const root = await change.$eval('.tree .body .row', (row) => [Number(row.dataset.before), Number(row.dataset.after)]);
  assert.deepEqual(root, [demo, go].map((file) => read(file).samples.reduce((all, one) => all + one.values[3], 0)));
  assert.equal(Number(await change.$eval('#answer [data-answer="change"]', (node) => node.dataset.value)), root[1] - root[0]);
  assert.equal(await change.$eval('#answer [data-answer="most"]', (node) => node.textContent), 'main.insert');
  await shot(change, 'samples-diff');
  return [tab, change];
}

export const cases = { 'samples: stacks, labels, both ways, against the JSON': samples, 'samples of Go, and two files compared': others };
