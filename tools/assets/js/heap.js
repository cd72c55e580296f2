// A heap profile in the page: bands over samples, with sums over blocks of samples, and over blocks of blocks, so that the
// numbers of any window cost about the same however long the run was.

/** Samples in a block, and blocks in a block of blocks. */
const BLOCK = 32;

class Heap {
  constructor(meta, times, series) {
    Object.assign(this, meta);
    this.times = times;
    this.count = times.length;
    this.origin = this.count ? times[0] : 0;
    this.blocks = Math.ceil(this.count / BLOCK);
    this.list = series.map((one, index) => Object.assign(this.band(meta.bands[index], one), { index }));
    this.total = new Float64Array(this.count);
    for (const band of this.list) this.add(this.total, band, 1);
    [this.first, this.end] = this.filled();
    this.peakAt = this.argmax(this.total, 0, this.count);
    this.unit = this.valueUnit || 'bytes';
    this.byName = new Map(this.list.map((band) => [band.name, band]));
    this.biography = this.list.length > 0 && this.list.every((band) => band.name in LIFE);
    this.kind = this.biography ? 'by biography' : breakdown(this.job, this.path);
    this.retainers = null;
    this.timePrefix();
  }

  band(name, { start, values }) {
    const size = this.blocks;
    const level = (length) => ({ sum: new Float64Array(length), square: new Float64Array(length), cross: new Float64Array(length), most: new Float64Array(length) });
    const band = {
      name, plain: numbered(name).text, start, values, end: start + values.length, total: 0, peak: 0,
      fine: level(size), coarse: level(Math.ceil(size / BLOCK)),
    };
    const { fine, coarse } = band;
    for (let i = 0; i < values.length; i++) {
      const value = values[i];
      if (value === 0) continue;
      const sample = start + i;
      const block = sample >> 5;
      fine.sum[block] += value;
      fine.square[block] += value * value;
      fine.cross[block] += value * (this.times[sample] - this.origin);
      if (value > fine.most[block]) fine.most[block] = value;
    }
    for (let block = 0; block < size; block++) {
      const above = block >> 5;
      coarse.sum[above] += fine.sum[block];
      coarse.square[above] += fine.square[block];
      coarse.cross[above] += fine.cross[block];
      coarse.most[above] = Math.max(coarse.most[above], fine.most[block]);
    }
    for (let above = 0; above < coarse.sum.length; above++) {
      band.total += coarse.sum[above];
      if (coarse.most[above] > band.peak) band.peak = coarse.most[above];
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
      const t = this.times[i] - this.origin;
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

  /** Sum, mean, peak, end, deviation, slope, and how well a line fits (0 to 1), of a band over samples [from, to). */
  stats(band, from, to) {
    let sum = 0;
    let square = 0;
    let cross = 0;
    let peak = 0;
    const single = (begin, end) => {
      for (let i = Math.max(begin, band.start), stop = Math.min(end, band.end); i < stop; i++) {
        const value = band.values[i - band.start];
        sum += value;
        square += value * value;
        cross += value * (this.times[i] - this.origin);
        if (value > peak) peak = value;
      }
    };
    const blocks = (level, begin, end) => {
      for (let block = begin; block < end; block++) {
        sum += level.sum[block];
        square += level.square[block];
        cross += level.cross[block];
        if (level.most[block] > peak) peak = level.most[block];
      }
    };
    within(from, to, single, (first, last) => within(first, last, (begin, end) => blocks(band.fine, begin, end), (begin, end) => blocks(band.coarse, begin, end)));
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
    let most = 0;
    within(from, to, (begin, end) => {
      for (let i = Math.max(begin, band.start), stop = Math.min(end, band.end); i < stop; i++) most = Math.max(most, band.values[i - band.start]);
    }, (first, last) => {
      for (let block = first; block < last; block++) most = Math.max(most, band.fine.most[block]);
    });
    return most;
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

/** What the bands are, by the letters in the file's name, which a run of several profiles gives, else by the option in the
    job line. */
function breakdown(job, path) {
  const option = /\.h([cmdyrbTia])\.hp(?:\.gz)?$/.exec(path || '') || /(?:^|\s)-h([cmdyrbTiae]?)(?:\s|$)/.exec(job || '');
  const kinds = {
    c: 'by cost-centre stack', m: 'by module', d: 'by closure description', y: 'by type', r: 'by retainer set',
    b: 'by biography', T: 'by closure kind', i: 'by info table', a: 'by allocation site', e: 'by era', '': 'by cost-centre stack',
  };
  return option ? kinds[option[1]] : '';
}
