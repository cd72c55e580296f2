// A heap profile in the page: bands over samples, with sums over blocks of samples, and over blocks of blocks, so that the
// numbers of any window cost about the same however long the run was.

/** Samples in a block, and blocks in a block of blocks. */
const BLOCK = 32;
/** Numbers of a block: the sum, that of squares, that of values by time, and the greatest value. */
const FIGURES = 4;

class Heap {
  constructor(meta, times, series) {
    Object.assign(this, meta);
    this.times = times;
    this.count = times.length;
    this.origin = this.count ? times[0] : 0;
    this.blocks = Math.ceil(this.count / BLOCK);
    this.above = Math.ceil(this.blocks / BLOCK);
    this.elapsed = times.map((time) => time - this.origin);
    // One array for all bands: thousands of small ones take longer to make than to fill.
    this.fine = new Float64Array(series.length * this.blocks * FIGURES);
    this.coarse = new Float64Array(series.length * this.above * FIGURES);
    this.sums = new Float64Array(FIGURES);
    this.total = new Float64Array(this.count);
    this.list = series.map((one, index) => this.band(meta.bands[index], one, index));
    [this.first, this.end] = this.filled();
    this.peakAt = this.argmax(this.total, 0, this.count);
    this.unit = this.valueUnit || 'bytes';
    this.byName = new Map(this.list.map((band) => [band.name, band]));
    this.biography = this.list.length > 0 && this.list.every((band) => band.name in LIFE);
    this.kind = this.biography ? 'by biography' : breakdown(this);
    this.retainers = null;
    this.timePrefix();
  }

  band(name, { start, values }, index) {
    const { elapsed, total, fine, coarse } = this;
    const band = { name, plain: numbered(name).text, start, values, end: start + values.length, total: 0, peak: 0, index };
    const own = index * this.blocks;
    for (let i = 0; i < values.length;) {
      const block = (start + i) >> 5;
      const stop = Math.min(values.length, (block + 1) * BLOCK - start);
      let sum = 0;
      let square = 0;
      let cross = 0;
      let most = 0;
      for (; i < stop; i++) {
        const value = values[i];
        const sample = start + i;
        sum += value;
        square += value * value;
        cross += value * elapsed[sample];
        if (value > most) most = value;
        total[sample] += value;
      }
      const at = (own + block) * FIGURES;
      fine[at] = sum;
      fine[at + 1] = square;
      fine[at + 2] = cross;
      fine[at + 3] = most;
    }
    for (let block = 0; block < this.blocks; block++) {
      const from = (own + block) * FIGURES;
      const at = (index * this.above + (block >> 5)) * FIGURES;
      for (let part = 0; part < 3; part++) coarse[at + part] += fine[from + part];
      if (fine[from + 3] > coarse[at + 3]) coarse[at + 3] = fine[from + 3];
    }
    for (let above = 0; above < this.above; above++) {
      const at = (index * this.above + above) * FIGURES;
      band.total += coarse[at];
      if (coarse[at + 3] > band.peak) band.peak = coarse[at + 3];
    }
    return band;
  }

  add(into, band, sign) {
    const { start, values } = band;
    for (let i = 0; i < values.length; i++) into[start + i] += sign * values[i];
  }

  timePrefix() {
    this.sumT = new Float64Array(this.count + 1);
    this.sumTT = new Float64Array(this.count + 1);
    for (let i = 0; i < this.count; i++) {
      const t = this.elapsed[i];
      this.sumT[i + 1] = this.sumT[i] + t;
      this.sumTT[i + 1] = this.sumTT[i] + t * t;
    }
  }

  /** Runtimes begin and close a profile with an empty sample: these are the first and the last that counted
      anything. What lies outside would bend every mean and slope. */
  filled() {
    let last = this.count - 1;
    while (last > 0 && !this.total[last]) last--;
    let first = 0;
    while (first < last && !this.total[first]) first++;
    return [first, Math.max(0, last)];
  }

  argmax(values, from, to) {
    let best = from;
    for (let i = from; i < to; i++) if (values[i] > values[best]) best = i;
    return best;
  }

  at(band, sample) {
    const i = sample - band.start;
    return i >= 0 && i < band.values.length ? band.values[i] : 0;
  }

  span() { return this.count ? [this.times[0], this.times[this.count - 1]] : [0, 1]; }

  /** First sample not before `time`. */
  after(time) {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const mid = (low + high) >> 1;
      if (this.times[mid] < time) low = mid + 1; else high = mid;
    }
    return low;
  }

  /** Samples [from, to) of a window of time. */
  range(window) {
    if (!window) return [0, this.count];
    const from = this.after(window[0]);
    let to = this.after(window[1]);
    while (to < this.count && this.times[to] <= window[1]) to++;
    return [from, Math.max(to, from)];
  }

  /** The samples of [from, to) between the empty ones at both ends. */
  counted(from, to) {
    const first = Math.max(from, this.first);
    return [first, Math.max(first, Math.min(to, this.end + 1))];
  }

  /** Sum, sum of squares, sum of values by time, and the greatest value, of a band over samples [from, to): in `sums`, which the
      next call fills anew. */
  gather(band, from, to) {
    this.sums.fill(0);
    within(from, to, (begin, end) => this.single(band, begin, end), (first, last) => within(first, last,
      (begin, end) => this.whole(this.fine, band.index * this.blocks, begin, end),
      (begin, end) => this.whole(this.coarse, band.index * this.above, begin, end)));
    return this.sums;
  }

  single(band, begin, end) {
    const { elapsed, sums } = this;
    const { values, start } = band;
    let sum = 0;
    let square = 0;
    let cross = 0;
    let most = sums[3];
    for (let i = Math.max(begin, start), stop = Math.min(end, band.end); i < stop; i++) {
      const value = values[i - start];
      sum += value;
      square += value * value;
      cross += value * elapsed[i];
      if (value > most) most = value;
    }
    sums[0] += sum;
    sums[1] += square;
    sums[2] += cross;
    sums[3] = most;
  }

  /** Blocks [begin, end) of a level, in which those of the band begin at `own`. */
  whole(level, own, begin, end) {
    const { sums } = this;
    let sum = 0;
    let square = 0;
    let cross = 0;
    let most = sums[3];
    for (let at = (own + begin) * FIGURES, stop = (own + end) * FIGURES; at < stop; at += FIGURES) {
      sum += level[at];
      square += level[at + 1];
      cross += level[at + 2];
      if (level[at + 3] > most) most = level[at + 3];
    }
    sums[0] += sum;
    sums[1] += square;
    sums[2] += cross;
    sums[3] = most;
  }

  /** Sum, mean, peak, end, deviation, slope, and how well a line fits (0 to 1), of a band over samples [from, to). */
  stats(band, from, to) {
    const [sum, square, cross, peak] = this.gather(band, from, to);
    const n = to - from;
    if (n <= 0) return { sum: 0, mean: 0, peak: 0, end: 0, deviation: 0, slope: 0, fit: 0 };
    const mean = sum / n;
    const times = this.sumT[to] - this.sumT[from];
    const spread = this.sumTT[to] - this.sumTT[from] - times * times / n;
    let slope = spread > 0 ? (cross - mean * times) / spread : 0;
    // What rounding leaves of a steady band is no growth.
    if (Math.abs(slope) * (this.times[to - 1] - this.times[from]) < mean * 1e-6) slope = 0;
    const around = Math.max(0, square - n * mean * mean);
    return {
      sum, mean, peak, slope, fit: around > 0 ? Math.min(1, slope * slope * spread / around) : 0,
      end: this.at(band, Math.min(to - 1, Math.max(this.end, from))),
      deviation: n > 1 ? Math.sqrt(around / (n - 1)) : 0,
    };
  }

  /** The greatest value of a band in samples [from, to). */
  most(band, from, to) {
    return this.gather(band, from, to)[3];
  }

  /** Area under a band in value-units times time, by trapezia, as the picture shows it. */
  area(band, from, to) {
    let area = 0;
    for (let i = from; i + 1 < to; i++) {
      area += (this.at(band, i) + this.at(band, i + 1)) / 2 * (this.times[i + 1] - this.times[i]);
    }
    return area;
  }
}

/** Parts [from, to) into whole blocks, for `whole`, and what is left at both ends, for `single`. */
function within(from, to, single, whole) {
  const first = Math.ceil(from / BLOCK);
  const last = Math.floor(to / BLOCK);
  if (first >= last) return single(from, to);
  single(from, first * BLOCK);
  whole(first, last);
  return single(last * BLOCK, to);
}

/** What the bands are, by the letters in the file's name, which a run of several profiles gives, else by the flags in the job line.
    `-h` alone is by cost-centre stack in programs with cost centres, whose bands have numbers then, and by kind in others. */
function breakdown({ job, path, list }) {
  const named = /\.h([cmdyrbTiae]?)\.hp(?:\.gz)?$/.exec(path || '');
  const kinds = {
    c: 'by cost-centre stack', m: 'by module', d: 'by closure description', y: 'by type', r: 'by retainer set',
    b: 'by biography', T: 'by closure kind', i: 'by info table', a: 'by allocation site', e: 'by era',
    '': list.some(({ name }) => numbered(name).number !== null) ? 'by cost-centre stack' : 'by closure kind',
  };
  return kinds[named ? named[1] : asked(job || '')] || '';
}

/** The letter of a job line's break-down; undefined where there is none, or several. What stands before +RTS is the program's. */
function asked(job) {
  const letters = new Set();
  let inside = false;
  for (const word of job.split(/\s+/)) {
    if (word === '+RTS' || word === '-RTS') inside = word === '+RTS';
    const flag = inside && /^-h([a-zA-Z]?)$/.exec(word);
    if (flag) letters.add(flag[1] === 'T' ? 'T' : flag[1].toLowerCase());
  }
  return letters.size === 1 ? [...letters][0] : undefined;
}
