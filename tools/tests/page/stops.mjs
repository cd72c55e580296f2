// A time line: figures and the table equal to the file, lanes with dots where threads stood, zoom by dragging, keys and buttons;
// a hundred thousand stops of 200 threads.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { figure, fixtures, pages, settle, shot, view } from './browser.mjs';

const FIXTURE = path.join(fixtures, 'stops', 'pool.stops');

/** The lines of a file as this test reads them. */
function lines(file) {
  const found = { stops: [], collections: [], end: 0 };
  for (const line of fs.readFileSync(file, 'utf8').split('\n')) {
    const words = line.split(' ');
    if (words[0] === 'stop') {
      const [asked, still, ended] = words.slice(1, 4).map(Number);
      found.stops.push({ asked, still, ended, thread: Number(words[5]), others: words.slice(6).map((word) => { const [, who, sign, from] = /^(\d+)([@~])(\d+)$/.exec(word); return { thread: Number(who), away: sign === '~', from: Number(from) }; }) });
    } else if (words[0] === 'collection') found.collections.push({ begun: Number(words[1]), ended: Number(words[2]), thread: Number(words[4]), major: words[11] === 'major' });
    else if (words[0] === 'end') found.end = Number(words[1]);
  }
  return found;
}

const sum = (list, of) => list.reduce((all, one) => all + of(one), 0);
const lanes = (tab, what) => tab.evaluate((wanted) => globalThis.barrow.page.views.find((one) => one.timeline).timeline[wanted], what);
const cell = (tab, thread, key) => tab.$eval(`.stops tr[data-thread="${thread}"] [data-key="${key}"]`, (node) => Number(node.dataset.value));

/** The colour of a dot of the lanes, in the middle of a lane. */
const dot = (tab, lane, time) => tab.evaluate(([at, when]) => {
  const { timeline } = globalThis.barrow.page.views.find((one) => one.timeline);
  const ratio = devicePixelRatio;
  return [...timeline.canvas.getContext('2d').getImageData(Math.round(timeline.x(when) * ratio), Math.round((at * 22 + 11) * ratio), 1, 1).data].join();
}, [lane, time]);

async function figures(context) {
  const tab = await view(context, 'stops', FIXTURE);
  const file = lines(FIXTURE);
  assert.equal(await figure(tab, 'wall', '.stops'), file.end);
  assert.equal(await figure(tab, 'collected', '.stops'), sum(file.collections, (one) => one.ended - one.begun));
  assert.equal(await figure(tab, 'waited', '.stops'), sum(file.stops, (one) => one.still - one.asked));
  assert.equal(await figure(tab, 'stopped', '.stops'), sum(file.stops, (one) => one.ended - one.asked));
  for (let thread = 1; thread <= 9; thread++) {
    const stood = file.stops.flatMap((stop) => stop.others.filter((one) => one.thread === thread && !one.away).map((one) => stop.ended - one.from));
    assert.equal(await cell(tab, thread, 'stood'), stood.length, `thread ${thread}`);
    assert.equal(await cell(tab, thread, 'stoodNs'), sum(stood, (one) => one));
    assert.equal(await cell(tab, thread, 'asked'), file.stops.filter((stop) => stop.thread === thread).length);
    assert.equal(await cell(tab, thread, 'collections'), file.collections.filter((one) => one.thread === thread).length);
  }
  // Around the longest collection: its colour is in the first lane and in its thread's, and all others stand or are away.
  const longest = file.collections.reduce((a, b) => (b.ended - b.begun > a.ended - a.begun ? b : a));
  await tab.evaluate(([from, to]) => globalThis.barrow.change({ window: [from / 1e9, to / 1e9] }), [longest.begun - 1e5, longest.ended + 1e5]);
  await settle(tab);
  await tab.evaluate(() => globalThis.barrow.drawNow());
  const middle = (longest.begun + longest.ended) / 2;
  const own = await dot(tab, 0, middle);
  assert.equal(await dot(tab, longest.thread, middle), own, 'the thread that collects');
  const during = file.stops.find((stop) => stop.still <= longest.begun && longest.ended <= stop.ended);
  const of = async (away) => new Set(await Promise.all(during.others.filter((one) => one.away === away).map((one) => dot(tab, one.thread, middle))));
  const [foreign, stands] = [await of(true), await of(false)];
  assert.ok(foreign.size <= 1 && stands.size <= 1 && !foreign.has(own) && !stands.has(own), 'kinds have colours of their own');
  assert.ok(during.others.length === 8);
  // Order of the table, by its heads.
  await tab.click('.stops th button >> text=stopped others');
  await settle(tab);
  const asked = await tab.$$eval('.stops td[data-key="asked"]', (cells) => cells.map((one) => Number(one.dataset.value)));
  assert.deepEqual(asked, [...asked].sort((a, b) => b - a));
  await shot(tab, 'stops');
  return [tab];
}

async function zooming(context) {
  const tab = await view(context, 'stops-zoom', FIXTURE);
  const whole = [0, lines(FIXTURE).end];
  const window = async () => [await lanes(tab, 'from'), await lanes(tab, 'to')];
  assert.deepEqual(await window(), whole);
  const box = await (await tab.$('.lanes canvas')).boundingBox();
  const [left, w] = [await lanes(tab, 'left'), await lanes(tab, 'w')];
  await tab.mouse.move(box.x + left + w / 4, box.y + 60);
  await tab.mouse.down();
  await tab.mouse.move(box.x + left + w / 2, box.y + 60, { steps: 4 });
  await tab.mouse.up();
  await settle(tab);
  const [from, to] = await window();
  assert.ok(Math.abs(from - whole[1] / 4) < whole[1] / 200 && Math.abs(to - whole[1] / 2) < whole[1] / 200, `${from} ${to}`);
  await tab.waitForFunction(() => location.hash.includes('window='));
  await tab.click('.lanes-zoom button[aria-label="Zoom in"]');
  await settle(tab);
  const [nearer, farther] = await window();
  assert.ok(Math.abs(farther - nearer - (to - from) / 2) < 2, 'half of it');
  await tab.focus('.lanes canvas');
  await tab.keyboard.press('ArrowRight');
  await settle(tab);
  assert.ok((await window())[0] > nearer);
  await tab.keyboard.press('Escape');
  await settle(tab);
  assert.deepEqual(await window(), whole);
  // A heap profile in the program's own time has a window of its own; the line says so.
  const both = await view(context, 'stops-heap', path.join(fixtures, 'hp', 'leak-hc.hp'), FIXTURE);
  assert.ok((await both.textContent('.stops .notes')).includes('zoomed apart'));
  await both.click('.lanes-zoom button[aria-label="Zoom in"]');
  await settle(both);
  assert.equal(await both.evaluate(() => globalThis.barrow.state.window), null);
  const order = await both.$$eval('.card', (cards) => cards.map((card) => card.classList.contains('stops')));
  assert.deepEqual(order, [false, true], 'under the chart');
  await shot(both, 'stops-heap');
  // A profile by the wall's time has the same window.
  const wall = path.join(pages, 'wall.hp');
  fs.writeFileSync(wall, `JOB "p -h -iw0.05"\nDATE "d"\nSAMPLE_UNIT "seconds"\nVALUE_UNIT "bytes"\n${[0, 0.1, 0.2, 0.3, 0.4].map((at) => `BEGIN_SAMPLE ${at.toFixed(2)}\na\t${at * 1e4}\nEND_SAMPLE ${at.toFixed(2)}\n`).join('')}`);
  const one = await view(context, 'stops-wall', wall, FIXTURE);
  assert.equal(await one.$('.stops .notes'), null);
  await one.evaluate(() => globalThis.barrow.change({ window: [0.1, 0.2] }));
  await settle(one);
  assert.deepEqual([await lanes(one, 'from'), await lanes(one, 'to')].map(Math.round), [1e8, 2e8]);
  return [tab, both, one];
}

async function many(context) {
  const name = path.join(pages, 'many.stops');
  const threads = Array.from({ length: 200 }, (_, i) => i + 1);
  const text = ['barrow-stops 1', "'many' +RTS", ...threads.map((one) => `attach ${one} thread ${one} worker-${one}`)];
  const STOPS = 20000;
  for (let k = 0; k < STOPS; k++) {
    const [at, asker] = [1e6 + k * 1e6, 1 + k % 200];
    text.push(`collection ${at + 20000} ${at + 90000 + k} thread ${asker} workers 2 number ${k + 1} generation ${k % 50 ? '0 minor' : '1 major'} copied 1024 live ${k * 64}`);
    text.push(`stop ${at} ${at + 10000} ${at + 100000 + k} thread ${asker} ${threads.filter((one) => one !== asker).map((one) => `${one}${one % 7 ? '@' : '~'}${at + one}`).join(' ')}`);
  }
  fs.writeFileSync(name, `${text.join('\n')}\nend ${(STOPS + 5) * 1e6}\n`);
  const tab = await view(context, 'stops-many', name);
  const notes = await tab.textContent('.stops .notes');
  assert.ok(/The 3,000 longest of 20,000 stops are drawn/.test(notes), notes);
  assert.equal(await cell(tab, 5, 'asked'), 100, 'the table counts all');
  // Lanes out of sight are not drawn; the canvas is no larger than the others.
  const height = await tab.$eval('.lanes canvas', (canvas) => canvas.getBoundingClientRect().height);
  assert.ok(height < 620, `${height}`);
  const took = await tab.evaluate(() => { const begun = performance.now(); for (let k = 0; k < 10; k++) globalThis.barrow.drawNow(); return (performance.now() - begun) / 10; });
  console.log(`     a step with 200 lanes: ${took.toFixed(1)} ms`);
  assert.ok(took < 100 * Number(process.env.BARROW_SLOWER || 1), `${took} ms`);
  await tab.$eval('.lanes', (node) => { node.scrollTop = 1e6; });
  await settle(tab);
  assert.ok((await lanes(tab, 'drawn')) > 0);
  await shot(tab, 'stops-many');
  return [tab];
}

export const cases = {
  'stops: figures, the table and the lanes are the file’s': figures,
  'stops: zoom by dragging, buttons and keys': zooming,
};

export const timed = { 'stops: two hundred threads': many };
