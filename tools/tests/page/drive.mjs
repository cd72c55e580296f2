// Runs every case against the command named by BARROW. Arguments are words; only cases with one of them are run.

import assert from 'node:assert/strict';
import { launch, shots } from './browser.mjs';
import { cases as heap } from './heap.mjs';
import { cases as prof } from './prof.mjs';
import { cases as samples } from './samples.mjs';
import { cases as serve } from './serve.mjs';
import { cases as big } from './big.mjs';
import { cases as demo } from './demo.mjs';
import { cases as every } from './every.mjs';
import { cases as graph } from './graph.mjs';
import { cases as flame } from './heapflame.mjs';
import { cases as leaks } from './leaks.mjs';
import { cases as look } from './look.mjs';
import { cases as perfetto } from './perfetto.mjs';
import { cases as pictures } from './pictures.mjs';
import { cases as space } from './space.mjs';
import { cases as stops } from './stops.mjs';
import { cases as speedscope } from './speedscope.mjs';

const words = process.argv.slice(2);
let failed = 0;
for (const [name, run] of Object.entries({ ...heap, ...prof, ...samples, ...serve, ...demo, ...space, ...stops, ...every, ...speedscope, ...perfetto, ...pictures, ...look, ...graph, ...flame, ...leaks, ...big })) {
  if (words.length && !words.some((word) => name.includes(word))) continue;
  // A browser for each case: nothing of one is left to the next.
  const browser = await launch();
  try {
    for (const tab of await run(browser.context)) assert.deepEqual(tab.complaints, [], 'no network, no errors');
    console.log(`ok   ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAIL ${name}\n${error.stack}`);
  } finally {
    await browser.close();
  }
}
console.log(`screenshots are in ${shots}`);
process.exit(failed ? 1 : 0);
