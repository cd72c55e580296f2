// What `barrow demo` leaves: one page whose figures are those of the files beside it, and the story it tells of them.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { barrow, figure, open, pages, settle, shot } from './browser.mjs';
import { peak, readHp } from './hp.mjs';

const KINDS = { hc: 'by cost-centre stack', hy: 'by type', hr: 'by retainer set', hb: 'by biography' };

async function demo(context) {
  const stem = path.join(pages, 'demo');
  const told = execFileSync(barrow, ['demo', '--scale', '0.2', '-o', stem], { encoding: 'utf8' });
  assert.ok(told.includes(`  ${stem}.html\n`), 'it says where the page is');
  const tab = await open(context, pathToFileURL(`${stem}.html`).href);
  const cards = await tab.$$eval('.card', (list) => list.map((card) => card.querySelector('h2').textContent));
  assert.deepEqual(cards.slice(0, 6), [...Object.keys(KINDS).map((letters) => `demo.${letters}.hp`), 'demo.prof', 'demo.hr.prof']);
  for (const [at, [letters, kind]] of Object.entries(KINDS).entries()) {
    const card = `.card:nth-of-type(${at + 1})`;
    const samples = readHp(`${stem}.${letters}.hp`);
    assert.ok((await tab.textContent(`${card} .kind`)).startsWith(kind), `demo.${letters}.hp is ${kind}`);
    assert.equal(await figure(tab, 'peak', card), peak(samples), letters);
  }
  // The page and the story say the same of the waste.
  const waste = await tab.$eval('.card:nth-of-type(4) .waste', (node) => [Number(node.dataset.waste), Number(node.dataset.area)]);
  const shares = ['LAG', 'DRAG', 'VOID'].map((name) => Number(new RegExp(`([0-9.]+) %  ${name} `).exec(told)[1]));
  assert.ok(Math.abs(waste[0] / waste[1] * 100 - shares.reduce((a, b) => a + b)) < 0.2, `${waste} against ${shares}`);
  // Who holds the retainers, as the file has it.
  const lines = fs.readFileSync(`${stem}.hr.prof`, 'utf8').split('Who holds the retainers:\n')[1].trim().split('\n');
  const shown = await tab.$$eval('.holders > div', (list) => list.map((line) => Number(line.querySelector('b').dataset.bytes)));
  assert.deepEqual(shown, lines.map((line) => Number(line.split('> ').at(-1))));
  await settle(tab);
  await shot(tab, 'demo');
  return [tab];
}

export const cases = { 'demo: one page of all that the run left': demo };
