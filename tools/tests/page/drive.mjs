// Runs every case against the command named by BARROW. Arguments are words; only cases with one of them are run. With --timed, these
// are those that compare times, which want a machine for themselves; with --untimed, the others. BARROW_SHARE=k/n: of them, every n-th, from
// number k on (0 is the first).

import assert from 'node:assert/strict';
import { launch, shots } from './browser.mjs';
import { cases as heap } from './heap.mjs';
import { cases as prof } from './prof.mjs';
import { cases as samples } from './samples.mjs';
import { cases as serve } from './serve.mjs';
import { cases as big } from './big.mjs';
import { cases as demo } from './demo.mjs';
import { cases as every } from './every.mjs';
import { cases as far } from './far.mjs';
import { cases as graph } from './graph.mjs';
import { cases as hostile } from './hostile.mjs';
import { cases as flame } from './heapflame.mjs';
import { cases as leaks } from './leaks.mjs';
import { cases as look, timed as timedLook } from './look.mjs';
import { cases as perfetto } from './perfetto.mjs';
import { cases as pictures } from './pictures.mjs';
import { cases as space } from './space.mjs';
import { cases as stops, timed as timedStops } from './stops.mjs';
import { cases as speedscope } from './speedscope.mjs';

const timed = { ...timedStops, ...timedLook, ...big };
const untimed = { ...heap, ...prof, ...samples, ...serve, ...demo, ...space, ...every, ...far, ...speedscope, ...perfetto, ...pictures, ...stops, ...look, ...graph, ...flame, ...leaks, ...hostile };
const flags = { '--timed': timed, '--untimed': untimed };
const words = process.argv.slice(2).filter((word) => !flags[word]);
const chosen = process.argv.slice(2).map((word) => flags[word]).find(Boolean) ?? { ...untimed, ...timed };
const [first, step] = (process.env.BARROW_SHARE ?? '0/1').split('/').map(Number);
assert(step > 0 && first < step, 'BARROW_SHARE is k/n');
let [failed, offered] = [0, 0];
for (const [name, run] of Object.entries(chosen)) {
  if (words.length && !words.some((word) => name.includes(word))) continue;
  if (offered++ % step !== first) continue;
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
if (!offered) console.log(`there is no such case: ${process.argv.slice(2).join(' ')}`);
process.exit(failed || !offered ? 1 : 0);
