// Thousands of bands: painted dot by dot. A path for each would be filled by the browser a screenful at a time, ten thousand
// times; here each dot is written once.

/** From so many layers on nobody sees the smooth edges that paths have. */
const MANY = 400;

class Dense {
  /** For a chart whose samples are picked. */
  constructor(chart) {
    this.chart = chart;
    this.ratio = window.devicePixelRatio || 1;
    this.width = Math.max(1, Math.round(chart.w * this.ratio));
    this.height = Math.max(1, Math.round((chart.h + 8) * this.ratio));
    this.canvas = el('canvas', { width: this.width, height: this.height });
    this.ctx = this.canvas.getContext('2d');
    this.image = this.ctx.createImageData(this.width, this.height);
    this.dots = new Uint32Array(this.image.data.buffer);
    this.columns();
  }

  /** For each column of dots the picked samples beside it, and how far it is from the first to the second. */
  columns() {
    const { chart, width, ratio } = this;
    const xs = Float64Array.from(chart.cols, (i) => (chart.x(chart.view.placeOf(i)) - BOX.left) * ratio);
    this.left = new Int32Array(width).fill(-1);
    this.part = new Float64Array(width);
    let k = 0;
    for (let column = 0; column < width; column++) {
      const x = column + 0.5;
      while (k + 2 < xs.length && xs[k + 1] <= x) k++;
      if (xs.length < 2 || x < xs[k] - 0.5 || x > xs[k + 1] + 0.5) continue;
      this.left[column] = k;
      this.part[column] = clamp((x - xs[k]) / (xs[k + 1] - xs[k] || 1), 0, 1);
    }
  }

  dot(colour) {
    const [red, green, blue] = colour.match(/\d+/g).map(Number);
    return (255 << 24 | blue << 16 | green << 8 | red) >>> 0;
  }

  /** The y of a value, in dots from the top. */
  y(value) { return (this.chart.y(value) - BOX.top + 8) * this.ratio; }

  /** Stacked areas, from the bottom up. The answer is what is thick enough for its name: layer, lower and upper edge. */
  areas(layers, scale, colour) {
    const { chart, left, part, width, height, dots } = this;
    const n = chart.cols.length;
    let [below, above] = [new Float64Array(n), new Float64Array(n)];
    const floor = this.y(0);
    const unit = floor - this.y(1);
    const edge = new Int32Array(width).fill(Math.round(floor));
    const thick = [];
    for (const [layer, values] of chart.stack(layers)) {
      let most = 0;
      for (let k = 0; k < n; k++) {
        const value = values[k] * scale[k];
        above[k] = below[k] + value;
        if (value > most) most = value;
      }
      if (most * unit >= 15 * this.ratio) thick.push([layer, below.map((sum) => chart.y(sum)), above.map((sum) => chart.y(sum))]);
      const paint = this.dot(colour(layer));
      for (let column = 0; column < width; column++) {
        const k = left[column];
        if (k < 0) continue;
        const top = Math.max(0, Math.round(floor - unit * (above[k] + (above[k + 1] - above[k]) * part[column])));
        for (let y = edge[column] - 1; y >= top; y--) if (y < height) dots[y * width + column] = paint;
        if (top < edge[column]) edge[column] = top;
      }
      [below, above] = [above, below];
    }
    return thick;
  }

  /** Lines, each from zero: `value(layer, sample)` is already scaled. */
  lines(layers, value, colour) {
    const { chart, left, part, width, height, dots } = this;
    const n = chart.cols.length;
    const floor = this.y(0);
    const unit = floor - this.y(1);
    const ys = new Float64Array(n);
    const wide = Math.max(1, Math.round(this.ratio));
    for (const layer of layers) {
      if (!layer.band) continue;
      for (let k = 0; k < n; k++) ys[k] = floor - unit * value(layer, chart.cols[k]);
      const paint = this.dot(colour(layer));
      let before = -1;
      for (let column = 0; column < width; column++) {
        const k = left[column];
        if (k < 0) continue;
        const y = Math.round(ys[k] + (ys[k + 1] - ys[k]) * part[column]);
        const low = before < 0 ? y : Math.min(y, before);
        const high = (before < 0 ? y : Math.max(y, before)) + wide;
        for (let at = Math.max(0, low); at < high && at < height; at++) dots[at * width + column] = paint;
        before = y;
      }
    }
  }

  /** Into the chart. */
  put(ctx) {
    this.ctx.putImageData(this.image, 0, 0);
    ctx.drawImage(this.canvas, BOX.left, BOX.top - 8, this.chart.w, this.chart.h + 8);
  }
}
