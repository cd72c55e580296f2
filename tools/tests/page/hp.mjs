// Reads a heap profile in the plainest way, so that the page's numbers are checked against another reading.

import fs from 'node:fs';

export function readHp(file) {
  const samples = [];
  let open = null;
  for (const line of fs.readFileSync(file, 'utf8').split('\n')) {
    if (line.startsWith('BEGIN_SAMPLE ')) open = { time: Number(line.slice(13)), bands: new Map(), total: 0 };
    else if (line.startsWith('END_SAMPLE ')) { samples.push(open); open = null; }
    else if (open && line.includes('\t')) {
      const [name, value] = line.split('\t');
      open.bands.set(name, (open.bands.get(name) || 0) + Number(value));
      open.total += Number(value);
    }
  }
  return samples;
}

export const within = (samples, [from, to]) => samples.filter(({ time }) => time >= from && time <= to);
export const peak = (samples, keep = () => true) => Math.max(...samples.map((sample) => sumOf(sample, keep)));
export const sumOf = (sample, keep = () => true) => [...sample.bands].reduce((sum, [name, value]) => sum + (keep(name) ? value : 0), 0);
export const sum = (samples, keep) => samples.reduce((total, sample) => total + sumOf(sample, keep), 0);
export const filled = (samples) => samples.filter(({ total }) => total > 0);
