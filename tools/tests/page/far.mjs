// Axes of times that are large for their span: a step along them does not change the number, and drawing still ends.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { fixtures, open, pages, shot, view } from './browser.mjs';

const FAR = 1e16;

/** A page is ready when it is drawn. */
async function far(context) {
  const sample = (time) => `BEGIN_SAMPLE ${time.toFixed(1)}\na\t8\nEND_SAMPLE ${time.toFixed(1)}\n`;
  const [one, two] = [[FAR], [FAR, FAR + 2]].map((times) => {
    const file = path.join(pages, `far-${times.length}.hp`);
    fs.writeFileSync(file, `JOB "far"\nDATE "d"\nSAMPLE_UNIT "seconds"\nVALUE_UNIT "bytes"\n${times.map(sample).join('')}`);
    return file;
  });
  const space = JSON.parse(fs.readFileSync(path.join(fixtures, 'space', 'run.json'), 'utf8'));
  for (const point of [...space.points, ...space.maxima, space.greatest]) point.seconds += FAR;
  space.points.at(-1).seconds += 2;
  const spaceFile = path.join(pages, 'far-space.json');
  fs.writeFileSync(spaceFile, JSON.stringify(space));
  const tabs = [await view(context, 'far-1', one), await view(context, 'far-2', two), await view(context, 'far-diff', one, two, '--diff'), await view(context, 'far-space', spaceFile)];
  await shot(tabs[1], 'far');
  const x = await tabs[0].evaluate(() => globalThis.barrow.page.views.find((each) => each.chart).chart.x(1e16));
  assert.ok(Number.isFinite(x), 'a sample alone has its place');
  // A window of one or two numbers, as an address can have it.
  for (const [name, ...files] of [['far-window', 'hp/leak-hc.hp'], ['far-lanes', 'stops/pool.stops']]) {
    tabs.push(await view(context, name, ...files.map((file) => path.join(fixtures, file))));
    tabs.push(await open(context, `${pathToFileURL(path.join(pages, `${name}.html`)).href}#window=0.1~0.10000000000000002`));
    assert.ok(await tabs.at(-1).evaluate(() => globalThis.barrow.state.window[1] - globalThis.barrow.state.window[0] < 1e-16));
  }
  return tabs;
}

export const cases = { 'far: axes of times that are large for their span': far };
