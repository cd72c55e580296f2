// Every fixture that the command accepts opens and draws in every mode and shape, without a word of complaint; what it
// refuses, it refuses with the file's name and leaves no page.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { barrow, fixtures, open, pages, shots } from './browser.mjs';

const MADE = {
  'empty.hp': 'JOB "e"\nDATE "d"\nSAMPLE_UNIT "seconds"\nVALUE_UNIT "bytes"\nBEGIN_SAMPLE 0.0\nEND_SAMPLE 0.0\n',
  'one-sample.hp': 'JOB "o"\nDATE "d"\nSAMPLE_UNIT "ticks"\nVALUE_UNIT "closures"\nBEGIN_SAMPLE 1.0\na\t5\nb\t0\nEND_SAMPLE 1.0\n',
  'same-time.hp': 'JOB "s"\nDATE "d"\nSAMPLE_UNIT "seconds"\nVALUE_UNIT "bytes"\nBEGIN_SAMPLE 1.0\na\t5\nEND_SAMPLE 1.0\nBEGIN_SAMPLE 1.0\na\t9007199254740993\nEND_SAMPLE 1.0\n',
  'hostile.hp': 'JOB "</script><script>alert(1)</script>"\nDATE "<!--"\nSAMPLE_UNIT "<b>"\nVALUE_UNIT "&amp;"\nBEGIN_SAMPLE 0.0\n</script><img/src=x/onerror=alert(1)>\t7\n__proto__\t3\nconstructor\t2\nEND_SAMPLE 0.0\n',
  // Names that every object has; two samples, so that bands are drawn, and thick ones, so that they are labelled.
  'names.hp': 'JOB "n"\nDATE "d"\nSAMPLE_UNIT "seconds"\nVALUE_UNIT "bytes"\n' + [0, 1].map((time) => `BEGIN_SAMPLE ${time}.0\n${
    ['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__'].map((name) => `${name}\t${8 + time}\n`).join('')}END_SAMPLE ${time}.0\n`).join(''),
};

async function every(context) {
  const files = fs.readdirSync(fixtures, { recursive: true }).filter((name) => /\.(hp|prof|json)$/.test(name)).map((name) => path.join(fixtures, name));
  for (const [name, text] of Object.entries(MADE)) {
    fs.writeFileSync(path.join(pages, name), text);
    files.push(path.join(pages, name));
  }
  let [opened, refused] = [0, 0];
  for (const file of files) {
    const page = path.join(pages, 'every.html');
    fs.rmSync(page, { force: true });
    const made = spawnSync(barrow, ['view', file, '-o', page], { encoding: 'utf8' });
    if (made.status === 1) {
      assert.ok(made.stderr.includes(`${file}:`), made.stderr);
      assert.ok(!fs.existsSync(page));
      refused++;
      continue;
    }
    assert.equal(made.status, 0, made.stderr);
    const tab = await open(context, pathToFileURL(page).href);
    assert.equal(await tab.evaluate(() => document.documentElement.dataset.ready), 'true', file);
    await tab.evaluate(() => {
      const { page: { views }, state, drawNow } = globalThis.barrow;
      for (const mode of ['share', 'lines', 'own', 'stack']) for (const axis of ['samples', 'time']) { Object.assign(state, { mode, axis }); drawNow(); }
      for (const view of views) if (view.flame) for (const shape of ['flame', 'tree']) for (const turned of [true, false]) { Object.assign(view, { shape, turned }); drawNow(); }
    });
    for (const { heap } of await tab.evaluate(() => globalThis.barrow.page.views.map((view) => ({ heap: view.heap ? view.heap.list.slice(0, 9).map(({ name }) => name) : [] })))) {
      for (const focus of heap) await tab.evaluate((name) => { globalThis.barrow.state.focus = name; globalThis.barrow.drawNow(); }, focus);
    }
    for (const key of ['+', 'ArrowLeft', '.', '.', ',', 'm', 's', ']', '0']) await tab.keyboard.press(key);
    assert.deepEqual(tab.complaints, [], file);
    await tab.close();
    opened++;
  }
  console.log(`    ${opened} opened, ${refused} refused`);
  assert.ok(opened > 15);
  return [];
}

/** SVG as a browser reads it: sound XML, with every shape's whole name. */
async function svg(context) {
  for (const [name, wanted, ...more] of [['hp/leak-hc.hp', '(306)mkWords/words/main.ws...'], ['prof/names-P.prof', 'Main.a<b>&c', '--measure', 'alloc']]) {
    const file = path.join(pages, `${path.basename(name)}.svg`);
    assert.equal(spawnSync(barrow, ['convert', path.join(fixtures, name), '--to', 'svg', '-o', file, ...more]).status, 0);
    const tab = await context.newPage();
    await tab.goto(pathToFileURL(file).href);
    const titles = await tab.evaluate(() => (document.querySelector('parsererror') ? null : [...document.querySelectorAll('title')].map((node) => node.textContent)));
    assert.ok(titles && titles.some((title) => title.startsWith(wanted)), name);
    await tab.screenshot({ path: path.join(shots, `${path.basename(name)}.svg.png`) });
    await tab.close();
  }
  return [];
}

export const cases = { 'every fixture opens, or is refused with a reason': every, 'every SVG is sound': svg };
