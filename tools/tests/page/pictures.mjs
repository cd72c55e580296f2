// SVG and PNG as Chromium paints them: as many dots of each colour as its band has bytes.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { barrow, pages, shot } from './browser.mjs';

const HEAD = 'JOB "p"\nDATE "d"\nSAMPLE_UNIT "seconds"\nVALUE_UNIT "bytes"\n';
const BANDS = { first: 600, second: 300, third: 100 };

async function pictures(context) {
  const file = path.join(pages, 'even.hp');
  const sample = (time) => `BEGIN_SAMPLE ${time}\n${Object.entries(BANDS).map(([name, bytes]) => `${name}\t${bytes}\n`).join('')}END_SAMPLE ${time}\n`;
  fs.writeFileSync(file, HEAD + [0, 1, 2, 3].map((time) => sample(time.toFixed(1))).join(''));
  const tabs = [];
  for (const to of ['svg', 'png']) {
    const picture = path.join(pages, `even.${to}`);
    execFileSync(barrow, ['convert', file, '--to', to, '-o', picture]);
    const svg = execFileSync(barrow, ['convert', file, '--to', 'svg'], { encoding: 'utf8' });
    // The key's squares say which colour is whose.
    const colours = [...svg.matchAll(/<polygon[^>]*fill="(#[0-9a-f]{6})"/g)].map((match) => match[1]).slice(0, 3);
    assert.equal(new Set(colours).size, 3);
    const tab = await context.newPage();
    tab.complaints = [];
    const page = path.join(pages, `even-${to}.html`);
    fs.writeFileSync(page, `<!doctype html><title>picture</title><img src="data:image/${to === 'svg' ? 'svg+xml' : to};base64,${fs.readFileSync(picture).toString('base64')}">`);
    await tab.goto(pathToFileURL(page).href);
    const counts = await tab.evaluate(async (wanted) => {
      const image = document.querySelector('img');
      await image.decode();
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
      const paint = canvas.getContext('2d', { willReadFrequently: true });
      paint.drawImage(image, 0, 0);
      const { data } = paint.getImageData(0, 0, canvas.width, canvas.height);
      const found = wanted.map(() => 0);
      for (let i = 0; i < data.length; i += 4) {
        const hex = `#${[data[i], data[i + 1], data[i + 2]].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
        const at = wanted.indexOf(hex);
        if (at >= 0) found[at]++;
      }
      return found;
    }, colours);
    const all = counts.reduce((a, b) => a + b);
    const shares = counts.map((count) => count / all).sort((a, b) => b - a);
    assert.ok(all > 20000, `${to}: ${all} dots of a band`);
    [0.6, 0.3, 0.1].forEach((share, i) => assert.ok(Math.abs(shares[i] - share) < 0.01, `${to}: ${shares}`));
    await shot(tab, `picture-${to}`);
    tabs.push(tab);
  }
  return tabs;
}

export const cases = { 'pictures: SVG and PNG have as many dots of a colour as bytes': pictures };
