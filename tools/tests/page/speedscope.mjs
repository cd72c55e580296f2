// Gives converted files to speedscope's own importer, in its released page, and reads back what it exports: names and
// sums must be those of the profile. Says so and passes where the npm package is not installed.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { barrow, fixtures, pages, shots, work } from './browser.mjs';
import { peak, readHp } from './hp.mjs';

const viewer = path.join(work, 'node_modules', 'speedscope', 'dist', 'release', 'index.html');

/** What speedscope made of a file: the profiles of its export, with the names of their frames. */
async function imported(context, file) {
  const script = path.join(pages, `${path.basename(file)}.js`);
  const bytes = fs.readFileSync(file).toString('base64');
  fs.writeFileSync(script, `speedscope.loadFileFromBase64(${JSON.stringify(path.basename(file))}, ${JSON.stringify(bytes)})`);
  const tab = await context.newPage();
  tab.complaints = [];
  tab.on('pageerror', (error) => tab.complaints.push(error.stack));
  await tab.goto(`${pathToFileURL(viewer).href}#localProfilePath=${script}`);
  await tab.waitForSelector('text=Time Order', { timeout: 20000 });
  await tab.screenshot({ path: path.join(shots, `speedscope-${path.basename(file)}.png`) });
  const [download] = await Promise.all([tab.waitForEvent('download'), tab.click('text=Export')]);
  const group = JSON.parse(fs.readFileSync(await download.path(), 'utf8'));
  const profiles = group.profiles.map((profile) => ({
    name: profile.name, unit: profile.unit, total: profile.endValue - profile.startValue,
    frames: new Set((profile.events || []).map(({ frame }) => group.shared.frames[frame].name).concat((profile.samples || []).flat().map((frame) => group.shared.frames[frame].name))),
  }));
  return { tab, profiles };
}

function convert(from, to, ...more) {
  const file = path.join(pages, `${path.basename(from)}.${to}`);
  execFileSync(barrow, ['convert', path.join(fixtures, from), '--to', to, '-o', file, ...more]);
  return file;
}

async function all(context) {
  if (!fs.existsSync(viewer)) {
    console.log('    skipped: the npm package speedscope is not installed');
    return [];
  }
  const tabs = [];
  const samples = readHp(path.join(fixtures, 'hp', 'leak-hc.hp'));
  const greatest = peak(samples);
  for (const to of ['collapsed', 'pprof', 'speedscope']) {
    const { tab, profiles } = await imported(context, convert('hp/leak-hc.hp', to, '--at', 'peak'));
    assert.equal(profiles.length, 1);
    assert.equal(profiles[0].total, greatest, `${to}: the heap at its peak`);
    for (const name of ['mkWords', 'countWords.\\', '...']) assert.ok(profiles[0].frames.has(name), `${to}: ${name}`);
    if (to !== 'collapsed') assert.equal(profiles[0].unit, 'bytes', to);
    tabs.push(tab);
  }
  const every = await imported(context, convert('hp/leak-hc.hp', 'speedscope'));
  assert.deepEqual(every.profiles.map(({ total }) => total), samples.map(({ total }) => total).filter((total) => total));
  tabs.push(every.tab);
  const rows = fs.readFileSync(path.join(fixtures, 'prof', 'leak-P.prof'), 'utf8').split('\n');
  const bytes = rows.slice(rows.findIndex((line) => line.includes('individual')) + 3).filter((line) => line.trim())
    .reduce((sum, line) => sum + Number(line.trim().split(/\s+/).at(-1)), 0);
  const trace = await imported(context, convert('prof/leak-P.prof', 'trace', '--measure', 'alloc'));
  assert.equal(Math.round(trace.profiles[0].total), bytes, 'trace events: one microsecond for each byte');
  assert.ok(trace.profiles[0].frames.has('Main.insertT'));
  tabs.push(trace.tab);
  const report = await imported(context, convert('prof/leak-P.prof', 'speedscope'));
  assert.deepEqual(report.profiles.map(({ total }) => total).slice(0, 2), [114e6, bytes]);
  tabs.push(report.tab);
  // What the library itself writes with -pj, as the Glasgow runtime does: speedscope tells that format by its members.
  const stem = path.join(pages, 'own');
  execFileSync(barrow, ['demo', '--scale', '0.02', '--no-profile', '--flags', `-pj -V0.001 -po${stem}`]);
  const own = JSON.parse(fs.readFileSync(`${stem}.prof`, 'utf8'));
  const [sums, called] = [{ ticks: 0, alloc: 0 }, new Set()];
  const labels = new Map(own.cost_centres.map(({ id, label }) => [id, label]));
  const walk = ({ id, ticks, alloc, children }) => {
    sums.ticks += ticks;
    sums.alloc += alloc;
    if (alloc) called.add(labels.get(id));
    children.forEach(walk);
  };
  walk(own.profile);
  const json = await imported(context, `${stem}.prof`);
  assert.equal(json.profiles.length, 2, 'time and allocation');
  const [time, alloc] = json.profiles;
  assert.deepEqual([alloc.unit, alloc.total], ['bytes', sums.alloc]);
  assert.deepEqual([time.unit, time.total], ['milliseconds', sums.ticks * own.tick_interval / 1000]);
  for (const name of ['place', 'push', 'add']) assert.ok(called.has(name) && [...alloc.frames].some((frame) => frame.endsWith(name)), name);
  tabs.push(json.tab);
  return tabs;
}

export const cases = { 'speedscope: imports what was converted, with the same sums': all };
