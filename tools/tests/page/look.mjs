// What a person meets on any screen: phones, accessibility, the theme, colours and axes, the address, ten thousand bands.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { fixtures, open, pages, settle, shot, shots, view, work } from './browser.mjs';

const file = (...parts) => path.join(fixtures, ...parts);
const PAGES = {
  heap: [file('hp', 'leak-hc.hp'), file('prof', 'leak-P.prof')],
  biography: [file('hp', 'leak-hb.hp')],
  retainers: [file('hp', 'leak-hr.hp'), file('hp', 'leak-hr.prof')],
  space: [file('space', 'run.json')],
  counters: [path.join(fixtures, '..', '..', '..', 'tests', 'fixtures', 'ticky', 'Leak.ticky')],
  samples: [file('samples', 'demo.pprof.gz')],
  'time line': [file('stops', 'pool.stops')],
  'samples compared': [file('samples', 'demo.pprof.gz'), file('samples', 'go-heap.pb.gz'), '--diff'],
  'object graph': [file('leaks', 'forgotten.end.snapshot.gz')],
  'object graphs compared': [file('leaks', 'forgotten.half.snapshot.gz'), file('leaks', 'forgotten.end.snapshot.gz'), '--diff'],
  'what changed': [file('hp', 'leak-hc.hp'), file('hp', 'leak-hc-fine.hp'), '--diff'],
  'what changed in a report': [file('prof', 'leak-P.prof'), file('prof', 'leak-p.prof'), '--diff'],
};
const WIDTHS = [390, 768, 1440, 2560];
/** A4 without its margins, in dots of a page. */
const PAPER = 718;
const MARGIN = { top: '10mm', bottom: '10mm', left: '10mm', right: '10mm' };

/** axe-core's words on the page as it is; null where it is not installed. */
async function axe(tab) {
  const library = path.join(work, 'node_modules', 'axe-core', 'axe.min.js');
  if (!fs.existsSync(library)) return null;
  // Not as a script of the page, whose policy is its own matter.
  await tab.evaluate(fs.readFileSync(library, 'utf8'));
  const found = await tab.evaluate(() => globalThis.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] }));
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(' … ')}`);
}

async function screens(context) {
  const tabs = [];
  for (const [name, files] of Object.entries(PAGES)) {
    // One kind of page alone, while it is worked on.
    if (process.env.BARROW_LOOK && process.env.BARROW_LOOK !== name) continue;
    const tab = await view(context, `look-${name.replaceAll(' ', '-')}`, ...files);
    for (const scheme of ['light', 'dark']) {
      await tab.emulateMedia({ colorScheme: scheme });
      for (const width of WIDTHS) {
        await tab.setViewportSize({ width, height: 900 });
        await settle(tab);
        const wide = await tab.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= width, `${name} is ${wide} dots wide on a screen of ${width}`);
        const clipped = await tab.$$eval('.owners .body .name', (names) => names.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent));
        assert.deepEqual(clipped, [], `${name}: names are cut at ${width}`);
        const title = await tab.$eval('h1', (node) => node.getBoundingClientRect().height);
        assert.ok(title < 80, `${name}: the title takes ${title} dots of height at ${width}`);
        if (width === 390 || width === 1440) {
          const wrong = await axe(tab);
          if (wrong === null) console.log('skipped: axe-core is not installed; run.sh installs it');
          else assert.deepEqual(wrong, [], `${name}, ${scheme}, ${width}`);
        }
        await shot(tab, `look-${name.replaceAll(' ', '-')}-${width}-${scheme}`);
      }
    }
    // Chromium's own paper; the picture beside it is of paper's width, which the last screen had not.
    await tab.emulateMedia({ colorScheme: 'dark' });
    await tab.evaluate(() => addEventListener('beforeprint', () => {
      globalThis.onPaper = [...document.querySelectorAll('.plot canvas, .flame canvas, .lanes canvas')].map((canvas) => canvas.getClientRects().length && canvas.width / devicePixelRatio);
    }, { once: true }));
    await tab.pdf({ path: path.join(shots, `look-${name.replaceAll(' ', '-')}-print.pdf`), format: 'A4', margin: MARGIN, printBackground: true });
    const onPaper = await tab.evaluate(() => globalThis.onPaper);
    assert.ok(onPaper.every((width) => width <= PAPER), `${name}: pictures of ${onPaper} dots are drawn for paper of ${PAPER}`);
    await tab.setViewportSize({ width: PAPER, height: 1046 });
    await tab.emulateMedia({ colorScheme: 'light', media: 'print' });
    await tab.evaluate(() => dispatchEvent(new Event('beforeprint')));
    await settle(tab);
    const broad = await tab.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(broad <= PAPER, `${name} is ${broad} dots wide on paper of ${PAPER}`);
    for (const [table, foot] of await tab.$$eval('.grid', (grids) => grids.map((grid) => {
      const rows = [...grid.querySelectorAll('.body .row')].map((row) => row.getBoundingClientRect().bottom);
      const next = grid.nextElementSibling;
      return [Math.max(0, ...rows), next ? next.getBoundingClientRect().top : Infinity];
    }))) assert.ok(foot >= table - 1, `${name}: on paper a table runs ${table - foot} dots over what follows it`);
    await shot(tab, `look-${name.replaceAll(' ', '-')}-print`);
    await tab.evaluate(() => dispatchEvent(new Event('afterprint')));
    await tab.emulateMedia({ media: 'screen' });
    tabs.push(tab);
  }
  return tabs;
}

/** A page that is sent to others says nothing of where its files lay. */
async function paths(context) {
  const tab = await view(context, 'paths', file('prof', 'leak-P.prof'), file('prof', 'leak-p.prof'), '--diff');
  assert.ok(await tab.$eval('.notes', (notes) => notes.textContent.includes('leak-p.prof has percentages')));
  assert.ok(!(await tab.content()).includes(fixtures));
  return [tab];
}

async function theme(context) {
  const tab = await view(context, 'theme', ...PAGES.heap);
  const now = () => tab.evaluate(() => document.documentElement.dataset.theme);
  assert.equal(await now(), 'light');
  await tab.emulateMedia({ colorScheme: 'dark' });
  await settle(tab);
  assert.equal(await now(), 'dark', 'the screen’s');
  await tab.click('#theme');
  assert.equal(await now(), 'light', 'the user’s');
  await tab.emulateMedia({ colorScheme: 'light' });
  await tab.emulateMedia({ colorScheme: 'dark' });
  await settle(tab);
  assert.equal(await now(), 'light', 'what was chosen stays');
  return [tab];
}

/** The distance of two colours of OKLab, from how CSS writes them. */
function distance(one, other) {
  const lab = (text) => {
    const [r, g, b] = text.match(/\d+/g).map((x) => (x / 255 <= 0.04045 ? x / 255 / 12.92 : ((x / 255 + 0.055) / 1.055) ** 2.4));
    const [l, m, s] = [0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b, 0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b, 0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b].map(Math.cbrt);
    return [0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s, 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s, 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s];
  };
  const [p, q] = [lab(one), lab(other)];
  return Math.hypot(...p.map((x, k) => x - q[k]));
}

async function colours(context) {
  const tabs = [];
  for (const name of ['leak-hc.hp', 'leak-hr.hp', 'leak-hd.hp', 'bands-hc.hp']) {
    const tab = await view(context, `colours-${name}`, file('hp', name));
    for (const sort of ['size', 'slope', 'name', 'peak']) {
      await tab.evaluate((wanted) => globalThis.barrow.change({ sort: wanted, count: 60 }), sort);
      await settle(tab);
      const layers = await tab.evaluate(() => globalThis.barrow.page.views[0].layers.filter(({ band }) => band).map(({ name: who, colour }) => [who, colour]));
      for (let i = 1; i < layers.length; i++) {
        const far = distance(layers[i][1], layers[i - 1][1]);
        assert.ok(far > 0.075, `${name} by ${sort}: ${layers[i]} beside ${layers[i - 1]}: ${far}`);
      }
    }
    tabs.push(tab);
  }
  return tabs;
}

async function addresses(context) {
  const tab = await view(context, 'address', ...PAGES.heap);
  const plain = tab.url();
  await tab.evaluate(() => globalThis.barrow.change({ window: [0.05, 0.1], mode: 'share', sort: 'slope', search: 'main', count: 7, hidden: new Set(['MAIN']) }));
  await tab.waitForFunction(() => location.hash.includes('window='));
  const again = await open(context, tab.url());
  const chosen = () => again.evaluate(() => { const { window, mode, sort, search, count, hidden } = globalThis.barrow.state; return { window, mode, sort, search, count, hidden: [...hidden] }; });
  assert.deepEqual(await chosen(), { window: [0.05, 0.1], mode: 'share', sort: 'slope', search: 'main', count: 7, hidden: ['MAIN'] });
  assert.equal(await again.$eval('#search', (node) => node.value), 'main');
  // What makes no sense there is left alone.
  await again.evaluate(() => { location.hash = '#mode=none&top=x&window=9~1&sort=__proto__&pin=NaN'; });
  await again.waitForFunction(() => globalThis.barrow.state.search === '');
  assert.deepEqual(await chosen(), { window: null, mode: 'stack', sort: 'size', search: '', count: 20, hidden: [] });
  await tab.evaluate(() => globalThis.barrow.change({ window: null, mode: 'stack', sort: 'size', search: '', count: 20, hidden: new Set() }));
  await tab.waitForFunction(() => !location.hash);
  assert.equal(tab.url(), plain);
  return [tab, again];
}

const SLOWER = Number(process.env.BARROW_SLOWER || 1);

async function tenThousand(context) {
  const name = path.join(pages, 'ten-thousand.hp');
  const bands = Array.from({ length: 10000 }, (_, i) => `(${i})function_${i}/main`);
  const sample = (k) => `BEGIN_SAMPLE ${k}.0\n${bands.map((band, i) => `${band}\t${64 + (i * 7 + k * 13) % 97 * 64}\n`).join('')}END_SAMPLE ${k}.0\n`;
  fs.writeFileSync(name, `JOB "p"\nDATE "d"\nSAMPLE_UNIT "seconds"\nVALUE_UNIT "bytes"\n${Array.from({ length: 40 }, (_, k) => sample(k)).join('')}`);
  const tab = await view(context, 'ten-thousand', name);
  for (const mode of ['stack', 'share', 'lines', 'own']) {
    const took = await tab.evaluate((wanted) => new Promise((done) => {
      const begun = performance.now();
      globalThis.barrow.change({ count: 0, mode: wanted });
      requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - begun)));
    }), mode);
    console.log(`     10,000 bands by name, ${mode}: ${took.toFixed(0)} ms`);
    assert.ok(took < 1500 * SLOWER, `${mode}: ${took} ms`);
    assert.equal(await tab.evaluate(() => globalThis.barrow.page.views[0].layers.length), 10000);
  }
  await tab.evaluate(() => globalThis.barrow.change({ mode: 'stack' }));
  await settle(tab);
  // The dots are there: the middle of the picture is no paper.
  const filled = await tab.$eval('.plot canvas', (canvas) => canvas.getContext('2d').getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data[3]);
  assert.equal(filled, 255);
  await shot(tab, 'ten-thousand');
  return [tab];
}

export const cases = {
  'look: every screen, light, dark and on paper; accessible': screens,
  'look: no folder of a file is in a page': paths,
  'look: the screen’s theme is followed until one is chosen': theme,
  'look: neighbours have colours apart': colours,
  'look: what is chosen is in the address': addresses,
};

export const timed = { 'look: ten thousand bands by name': tenThousand };
