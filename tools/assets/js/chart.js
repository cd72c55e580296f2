// The stacked areas (or lines) of one heap profile on a canvas. Draws what a HeapView chose; holds no choice itself.

const BOX = { left: 70, right: 14, top: 14, bottom: 30 };

class Chart {
  constructor(view) {
    this.view = view;
    this.base = el('canvas', { 'aria-hidden': 'true' });
    this.over = el('canvas', { class: 'over', tabindex: '0', role: 'img' });
    this.node = el('div', { class: 'plot' }, this.base, this.over);
    this.cols = new Int32Array(0);
    this.size = new Size(this.node);
  }

  measure() {
    const { width, height } = this.size.get();
    this.width = Math.max(120, width);
    this.height = Math.max(100, height);
    this.w = this.width - BOX.left - BOX.right;
    this.h = this.height - BOX.top - BOX.bottom;
  }

  x(place) { return BOX.left + (place - this.from) / (this.to - this.from) * this.w; }
  y(value) { return BOX.top + this.h - value / this.top * this.h; }
  place(x) { return this.from + (x - BOX.left) / this.w * (this.to - this.from); }

  draw() {
    this.measure();
    const { heap, window, layers } = this.view;
    [this.from, this.to] = this.view.places(window);
    // So much that it changes the number, however large that is.
    if (!(this.to > this.from)) this.to = this.from + Math.max(1, Math.abs(this.from) / 1e9);
    const ctx = context(this.base, this.width, this.height);
    this.pick();
    const stacked = state.mode === 'stack' || state.mode === 'share';
    this.top = this.greatest(stacked);
    this.axes(ctx);
    ctx.save();
    ctx.beginPath();
    ctx.rect(BOX.left, BOX.top - 8, this.w, this.h + 8);
    ctx.clip();
    if (stacked) this.areas(ctx, layers); else this.lines(ctx, layers);
    this.marks(ctx, heap);
    ctx.restore();
    if (state.mode === 'stack') this.peak(ctx, heap);
    this.drawOver();
  }

  /** The samples drawn: all of them, or for each half pixel column the lowest and the highest of the sum, so that
      no peak is lost; every band is drawn at the same samples, so that the stack stays true. */
  pick() {
    const { heap, from, to, shownTotal } = this.view;
    const first = Math.max(0, from - 1);
    const last = Math.min(heap.count, to + 1);
    const n = last - first;
    this.edges = null;
    if (n <= this.w * 2.5) {
      this.cols = Int32Array.from({ length: Math.max(0, n) }, (_, i) => first + i);
      return;
    }
    const picked = [];
    // Where each column begins, for the lines.
    this.edges = [first];
    let i = first;
    for (let column = 0; column <= this.w && i < last; column++) {
      const edge = this.place(BOX.left + column + 1);
      let low = i;
      let high = i;
      const begin = i;
      for (; i < last && this.view.placeOf(i) < edge; i++) {
        if (shownTotal[i] < shownTotal[low]) low = i;
        if (shownTotal[i] > shownTotal[high]) high = i;
      }
      this.edges.push(i);
      if (i === begin) continue;
      picked.push(Math.min(low, high));
      if (low !== high) picked.push(Math.max(low, high));
    }
    if (picked[picked.length - 1] !== last - 1) picked.push(last - 1);
    this.cols = Int32Array.from(picked);
  }

  greatest(stacked) {
    const { heap, from, to, shownTotal, layers } = this.view;
    if (state.mode === 'share' || state.mode === 'own') return 1.02;
    let most = 0;
    if (stacked) for (let i = from; i < to; i++) most = Math.max(most, shownTotal[i]);
    else for (const layer of layers) if (layer.band) most = Math.max(most, layer.stats.peak);
    // With no sample in the window the curve still passes through it between its neighbours.
    if (!most) for (const i of this.cols) most = Math.max(most, shownTotal[i]);
    return most * 1.1 || 1;
  }

  axes(ctx) {
    const { heap } = this.view;
    ctx.font = '11.5px system-ui, sans-serif';
    ctx.textBaseline = 'middle';
    ctx.textAlign = 'right';
    ctx.lineWidth = 1;
    const share = state.mode === 'share' || state.mode === 'own';
    const step = share ? 0.25 : niceStep(this.top, this.h / 52, heap.unit === 'bytes' && state.units === 'binary');
    for (let value = 0; value <= this.top + step / 1e6; value += step) {
      const y = Math.round(this.y(value)) + 0.5;
      ctx.strokeStyle = ink(value ? '--hair' : '--line');
      ctx.beginPath();
      ctx.moveTo(BOX.left, y);
      ctx.lineTo(BOX.left + this.w, y);
      ctx.stroke();
      ctx.fillStyle = ink('--soft');
      ctx.fillText(share ? `${Math.round(value * 100)}%` : tick(value, this.top, heap.unit), BOX.left - 9, y);
    }
    ctx.textAlign = 'center';
    const across = niceStep(this.to - this.from, this.w / 92, false);
    const stride = state.axis === 'time' ? across : Math.max(1, Math.round(across));
    const name = state.axis === 'time' ? heap.sampleUnit : 'samples';
    const edge = BOX.left + this.w - ctx.measureText(name).width - 12;
    for (const place of axisTicks(this.from, this.to, stride)) {
      const x = this.x(place);
      ctx.strokeStyle = ink('--line');
      ctx.beginPath();
      ctx.moveTo(Math.round(x) + 0.5, BOX.top + this.h);
      ctx.lineTo(Math.round(x) + 0.5, BOX.top + this.h + 4);
      ctx.stroke();
      const text = state.axis === 'time' ? plainNumber(place, stride) : String(place);
      if (x + ctx.measureText(text).width / 2 < edge) ctx.fillText(text, x, BOX.top + this.h + 15);
    }
    ctx.textAlign = 'right';
    ctx.fillStyle = ink('--faint');
    ctx.fillText(name, BOX.left + this.w, BOX.top + this.h + 15);
  }

  /** Gives, layer by layer from the bottom, its values at the picked samples. A row is good until the next is asked for. */
  * stack(layers) {
    const { heap, shownTotal } = this.view;
    const n = this.cols.length;
    const row = new Float64Array(n);
    const fill = ({ start, values }) => {
      for (let k = 0; k < n; k++) row[k] = values[this.cols[k] - start] || 0;
    };
    for (const layer of layers) {
      if (layer.band) fill(layer.band);
      else {
        const rest = Float64Array.from(this.cols, (sample) => shownTotal[sample]);
        for (const { band } of layers) if (band) for (let k = 0; k < n; k++) rest[k] -= heap.at(band, this.cols[k]);
        row.set(rest);
      }
      yield [layer, row];
    }
  }

  areas(ctx, layers) {
    const n = this.cols.length;
    if (!n) return;
    const share = state.mode === 'share';
    const xs = Float64Array.from(this.cols, (i) => this.x(this.view.placeOf(i)));
    const scale = Float64Array.from(this.cols, (i) => (share ? (this.view.shownTotal[i] ? 1 / this.view.shownTotal[i] : 0) : 1));
    if (layers.length > MANY) {
      const dense = new Dense(this);
      const labels = dense.areas(layers, scale, (layer) => this.shade(layer));
      dense.put(ctx);
      this.labels(ctx, xs, labels);
      return;
    }
    let below = new Float64Array(n).fill(this.y(0));
    const sum = new Float64Array(n);
    const labels = [];
    ctx.lineJoin = 'round';
    for (const [layer, values] of this.stack(layers)) {
      const above = new Float64Array(n);
      for (let k = 0; k < n; k++) above[k] = this.y((sum[k] += values[k]) * scale[k]);
      labels.push([layer, below, above]);
      below = above;
    }
    // From the top down, each over the one before and filled to the axis: no seams, and half the corners.
    const [card, floor] = [ink('--card'), this.y(0)];
    for (const [layer, , above] of labels.toReversed()) {
      ctx.beginPath();
      ctx.moveTo(xs[0], floor);
      for (let k = 0; k < n; k++) ctx.lineTo(xs[k], above[k]);
      ctx.lineTo(xs[n - 1], floor);
      ctx.fillStyle = this.shade(layer);
      ctx.fill();
      // A hair of the paper's colour parts neighbours; with a corner at every pixel it would cost more than it shows.
      if (n > this.w) continue;
      ctx.strokeStyle = card;
      ctx.lineWidth = 0.8;
      ctx.stroke();
    }
    this.labels(ctx, xs, labels);
  }

  isFaded(layer) { return state.focus && state.focus !== layer.name; }

  /** A layer's colour, paler while another is looked at. */
  shade(layer) { return this.isFaded(layer) ? mix(layer.colour, ink('--card'), 0.28) : layer.colour; }

  labels(ctx, xs, labels) {
    ctx.font = '11.5px system-ui, sans-serif';
    ctx.textAlign = 'center';
    ctx.textBaseline = 'middle';
    for (const [layer, low, high] of labels) if (!this.isFaded(layer)) this.label(ctx, layer, xs, low, high);
  }

  /** Writes a band's name where it is thickest, if it fits there whole. */
  label(ctx, layer, xs, low, high) {
    const n = xs.length;
    const text = shorten(layer.band ? numbered(layer.name).text : layer.name, 34);
    const half = ctx.measureText(text).width / 2 + 6;
    let best = -1;
    let middle = 0;
    for (let k = 0; k < n; k += Math.max(1, n >> 8)) {
      if (low[k] - high[k] < 15 || xs[k] - half < BOX.left || xs[k] + half > BOX.left + this.w) continue;
      let bottom = low[k];
      let ceiling = high[k];
      // Edges between samples are straight, so the samples just outside the label count as well.
      let a = k;
      while (a > 0 && xs[a] > xs[k] - half) a--;
      let b = k;
      while (b < n - 1 && xs[b] < xs[k] + half) b++;
      for (let j = a; j <= b; j++) {
        bottom = Math.min(bottom, low[j]);
        ceiling = Math.max(ceiling, high[j]);
      }
      if (bottom - ceiling > Math.max(best, 15)) {
        best = bottom - ceiling;
        middle = k;
        layer.labelY = (bottom + ceiling) / 2;
      }
    }
    if (best < 0) return;
    ctx.fillStyle = readable(layer.colour);
    ctx.fillText(text, xs[middle], layer.labelY);
  }

  lines(ctx, layers) {
    const { heap, from, to } = this.view;
    const first = Math.max(0, from - 1);
    const last = Math.min(heap.count, to + 1);
    if (layers.length > MANY) {
      const dense = new Dense(this);
      const order = [...layers].sort((a, b) => (a.name === state.focus) - (b.name === state.focus));
      dense.lines(order, (layer, sample) => heap.at(layer.band, sample) / (state.mode === 'own' ? layer.stats.peak || 1 : 1), (layer) => this.shade(layer));
      dense.put(ctx);
      return;
    }
    ctx.lineJoin = this.edges ? 'bevel' : 'round';
    for (const layer of [...layers].sort((a, b) => (a.name === state.focus) - (b.name === state.focus))) {
      if (!layer.band) continue;
      const scale = state.mode === 'own' ? 1 / (layer.stats.peak || 1) : 1;
      const focused = state.focus === layer.name;
      ctx.globalAlpha = state.focus && !focused ? 0.25 : 1;
      ctx.strokeStyle = layer.colour;
      ctx.lineWidth = focused ? 2.6 : last - first > this.w ? 1 : 1.6;
      ctx.beginPath();
      if (!this.edges) {
        for (let i = first; i < last; i++) ctx.lineTo(this.x(this.view.placeOf(i)), this.y(heap.at(layer.band, i) * scale));
      } else {
        const { start, values } = layer.band;
        for (let column = 0; column + 1 < this.edges.length; column++) {
          let low = Infinity;
          let high = -Infinity;
          for (let i = this.edges[column]; i < this.edges[column + 1]; i++) {
            const value = i >= start && i - start < values.length ? values[i - start] : 0;
            if (value < low) low = value;
            if (value > high) high = value;
          }
          if (high < low) continue;
          ctx.lineTo(BOX.left + column, this.y(low * scale));
          if (high > low) ctx.lineTo(BOX.left + column, this.y(high * scale));
        }
      }
      ctx.stroke();
      ctx.globalAlpha = 1;
    }
  }

  marks(ctx, heap) {
    ctx.strokeStyle = ink('--soft');
    ctx.fillStyle = ink('--soft');
    ctx.lineWidth = 1;
    let before = -9;
    for (const mark of heap.sortedMarks) {
      const x = Math.round(this.x(this.view.placeOfTime(mark))) + 0.5;
      if (x < BOX.left || x > BOX.left + this.w || x - before < 1) continue;
      before = x;
      ctx.setLineDash([3, 3]);
      ctx.beginPath();
      ctx.moveTo(x, BOX.top);
      ctx.lineTo(x, BOX.top + this.h);
      ctx.stroke();
      ctx.setLineDash([]);
      ctx.beginPath();
      ctx.moveTo(x - 4, BOX.top - 6);
      ctx.lineTo(x + 4, BOX.top - 6);
      ctx.lineTo(x, BOX.top);
      ctx.fill();
    }
  }

  peak(ctx, heap) {
    const { from, to, shownTotal } = this.view;
    if (to <= from) return;
    const at = heap.argmax(shownTotal, from, to);
    if (!shownTotal[at]) return;
    const x = this.x(this.view.placeOf(at));
    const y = this.y(shownTotal[at]);
    ctx.fillStyle = ink('--ink');
    ctx.beginPath();
    ctx.arc(x, y, 2.6, 0, 7);
    ctx.fill();
    ctx.font = '600 11.5px system-ui, sans-serif';
    const text = `peak ${amount(shownTotal[at], heap.unit)}`;
    const half = ctx.measureText(text).width / 2;
    ctx.textAlign = 'center';
    ctx.textBaseline = 'alphabetic';
    ctx.fillText(text, clamp(x, BOX.left + half, BOX.left + this.w - half), Math.max(11, y - 7));
  }

  /** Crosshair and selection, on their own canvas so that the mouse does not redraw the profile. */
  drawOver() {
    const ctx = context(this.over, this.width, this.height);
    const { drag, heap } = this.view;
    if (drag && drag.kind === 'select') {
      const [a, b] = [drag.x0, drag.x1].sort((p, q) => p - q);
      ctx.fillStyle = ink('--accent');
      ctx.globalAlpha = 0.16;
      ctx.fillRect(a, BOX.top, b - a, this.h);
      ctx.globalAlpha = 1;
      ctx.fillRect(a, BOX.top, 1, this.h);
      ctx.fillRect(b, BOX.top, 1, this.h);
    }
    if (state.pin !== null && heap.count) {
      const x = Math.round(this.x(this.view.placeOf(this.view.nearest(state.pin))));
      if (x >= BOX.left && x <= BOX.left + this.w) {
        ctx.fillStyle = ink('--accent');
        ctx.fillRect(x - 1, BOX.top, 2, this.h);
        ctx.beginPath();
        ctx.arc(x, BOX.top, 4, 0, 7);
        ctx.fill();
      }
    }
    if (cursor.time === null || !heap.count) return;
    const sample = this.view.nearest(cursor.time);
    const x = this.x(this.view.placeOf(sample));
    if (x < BOX.left - 1 || x > BOX.left + this.w + 1) return;
    ctx.strokeStyle = ink('--ink');
    ctx.globalAlpha = 0.55;
    ctx.beginPath();
    ctx.moveTo(Math.round(x) + 0.5, BOX.top);
    ctx.lineTo(Math.round(x) + 0.5, BOX.top + this.h);
    ctx.stroke();
    ctx.globalAlpha = 1;
  }

  /** The layer under a point of sample `sample`, or null. */
  hit(sample, y) {
    const { heap, layers, shownTotal } = this.view;
    if (state.mode === 'stack' || state.mode === 'share') {
      const scale = state.mode === 'share' ? 1 / (shownTotal[sample] || 1) : 1;
      let rest = shownTotal[sample];
      for (const layer of layers) if (layer.band) rest -= heap.at(layer.band, sample);
      let sum = 0;
      for (const layer of layers) {
        sum += layer.band ? heap.at(layer.band, sample) : rest;
        if (y >= this.y(sum * scale) && y <= this.y(0)) return layer;
      }
      return null;
    }
    let best = null;
    let distance = 14;
    for (const layer of layers) {
      if (!layer.band) continue;
      const value = heap.at(layer.band, sample) / (state.mode === 'own' ? layer.stats.peak || 1 : 1);
      const off = Math.abs(this.y(value) - y);
      if (off < distance) [best, distance] = [layer, off];
    }
    return best;
  }
}

/** A tick's number with just the decimals its step has. */
function plainNumber(value, step) {
  const places = clamp(-Math.floor(Math.log10(step) + 1e-9), 0, 9);
  return value.toFixed(places);
}
