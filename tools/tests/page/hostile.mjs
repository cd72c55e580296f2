// Files that are larger or deeper than those of people: the page shows a part and says so, and never fails.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { pages, settle, view } from './browser.mjs';

const write = (name, text) => {
  const file = path.join(pages, name);
  fs.writeFileSync(file, text);
  return file;
};

/** Two values of one name stay two. */
async function values(context) {
  const field = (number, bytes) => [number << 3 | 2, bytes.length, ...bytes];
  const count = (number, value) => [number << 3, value];
  const text = (words) => [...Buffer.from(words)];
  const profile = [...field(1, [...count(1, 1), ...count(2, 2)]), ...field(1, [...count(1, 1), ...count(2, 2)]), ...field(2, [...count(1, 1), ...count(2, 100), ...count(2, 10)]),
    ...field(4, [...count(1, 1), ...field(4, count(1, 1))]), ...field(5, [...count(1, 1), ...count(2, 3)]), ...['', 'space', 'bytes', 'grow'].flatMap((words) => field(6, text(words)))];
  const tab = await view(context, 'two-values', write('two.pprof', Buffer.from(profile)));
  const shown = [];
  for (const button of await tab.$$('.prof [aria-label="Measure"] button')) {
    await button.click();
    await settle(tab);
    shown.push(Number(await tab.$eval('.prof', (node) => node.dataset.total)));
  }
  assert.deepEqual(shown, [100, 10]);
  return [tab];
}

export const cases = { 'hostile: two values of one name': values };
