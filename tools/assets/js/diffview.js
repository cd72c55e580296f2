// Two heap profiles as one change: both curves on one scale, and each band before and after.

class DiffView {
  constructor(before, after) {
    this.basis = 'mean';
    this.search = '';
    this.sort = 'change';
    this.reverse = false;
    this.canvas = el('canvas', { role: 'img' });
    this.plot = el('div', { class: 'plot', style: { height: '240px' } }, this.canvas);
    const columns = [{ key: 'name', title: 'Band', sort: 'name' }, { key: 'before', title: 'Before', cls: 'num', sort: 'before' }, { key: 'after', title: 'After', cls: 'num', sort: 'after' },
      { key: 'delta', title: 'Change', cls: 'num', sort: 'change', hint: 'Sort by the size of the change' }, { key: 'bar', unseen: 'Change as a bar' }];
    this.grid = new Grid({ cls: 'changes', label: 'Changes', columns, row: (item) => this.row(item), onsort: (sort) => this.set(sort === this.sort ? { reverse: !this.reverse } : { sort, reverse: false }) });
    this.stats = el('dl', { class: 'stats' });
    this.basisSegment = segment('Compare', [['mean', 'Mean'], ['peak', 'At the peak'], ['end', 'At the end']], () => this.basis, (basis) => this.set({ basis }));
    this.field = el('input', { type: 'search', placeholder: 'Search bands', 'aria-label': 'Search bands', oninput: (event) => this.set({ search: event.target.value }) });
    this.title = el('h2');
    this.foot = el('p', { class: 'foot' });
    this.node = el('section', { class: 'card wide diff' }, el('header', {}, this.title, el('span', { class: 'kind' }, 'change from the first run to the second')),
      this.stats, el('div', { class: 'inner' }, this.basisSegment, this.field), this.plot, this.grid.node, this.foot);
    this.setPair(before, after);
  }

  setPair(before, after) {
    this.pair = [before, after];
    this.title.textContent = `${before.path} → ${after.path}`;
  }

  set(values) {
    Object.assign(this, values);
    redraw();
  }

  /** A band's figure by what is compared. Numbers of stacks differ between runs, so bands meet by their text. */
  figures(heap) {
    const sums = new Map();
    const count = heap.end + 1 - heap.first;
    for (const band of heap.list) {
      const value = this.basis === 'mean' ? band.total / count : heap.at(band, this.basis === 'peak' ? heap.peakAt : heap.end);
      const { text } = numbered(band.name);
      sums.set(text, (sums.get(text) || 0) + value);
    }
    return sums;
  }

  draw() {
    this.basisSegment.sync();
    const [before, after] = this.pair.map((heap) => this.figures(heap));
    const match = matcher(this.search);
    const rows = [...new Set([...before.keys(), ...after.keys()])].filter((name) => !match || match(name))
      .map((name) => ({ name, before: before.get(name) || 0, after: after.get(name) || 0 }));
    for (const row of rows) row.change = row.after - row.before;
    const key = { change: (row) => Math.abs(row.change), before: (row) => row.before, after: (row) => row.after }[this.sort];
    rows.sort(key ? (a, b) => key(b) - key(a) || (a.name < b.name ? -1 : 1) : (a, b) => (a.name < b.name ? -1 : 1));
    if (this.reverse) rows.reverse();
    const sum = (field) => rows.reduce((total, row) => total + row[field], 0);
    this.whole = rows.reduce((most, row) => Math.max(most, Math.abs(row.change)), 1);
    const { unit } = this.pair[1];
    const figure = (stat, word, value, note) => el('div', {}, el('dt', {}, word), el('dd', { 'data-stat': stat, 'data-value': value, title: exact(value) }, note || amount(value, unit)));
    const step = sum('change');
    const most = rows.reduce((best, row) => (row.change && Math.abs(row.change) > Math.abs(best ? best.change : 0) ? row : best), null);
    const what = { mean: 'the mean heap', peak: 'the heap at its peak', end: 'the heap at the end' }[this.basis];
    this.told = { before: sum('before'), after: sum('after'), unit, what, most: most && { name: most.name, step: most.change } };
    this.stats.replaceChildren(figure('before', 'Before', sum('before')), figure('after', 'After', sum('after')),
      figure('change', 'Change', step, `${signed(step, unit)} (${sum('before') ? `${step > 0 ? '+' : ''}${(100 * step / sum('before')).toFixed(1)}%` : 'new'})`));
    const fresh = rows.filter((row) => !row.before).length;
    const gone = rows.filter((row) => !row.after).length;
    this.foot.textContent = `${rows.length} bands · ${fresh} only after · ${gone} only before · stack numbers are left out, since they differ between runs`;
    this.grid.show(rows, this.sort, this.reverse);
    this.curves();
  }

  words() { return this.told ? changeWords(this.told) : []; }

  row({ name, before, after, change: step }) {
    const { unit } = this.pair[1];
    return el('div', { class: 'row', role: 'row', 'data-band': name, 'data-change': step }, el('div', { class: 'name', role: 'cell', title: name }, name), ...changeCells(before, after, step, this.whole, unit));
  }

  curves() {
    const { width, height } = this.plot.getBoundingClientRect();
    const ctx = context(this.canvas, width, height);
    const [before, after] = this.pair;
    const w = width - BOX.left - BOX.right;
    const h = height - BOX.top - BOX.bottom;
    const most = Math.max(1, ...this.pair.map((heap) => heap.total[heap.peakAt] || 0)) * 1.1;
    const long = Math.max(...this.pair.map((heap) => heap.span()[1] - heap.span()[0])) || 1;
    ctx.font = '11.5px system-ui, sans-serif';
    ctx.textBaseline = 'middle';
    const step = niceStep(most, h / 48, after.unit === 'bytes' && state.units === 'binary');
    ctx.textAlign = 'right';
    for (let value = 0; value <= most; value += step) {
      const y = Math.round(BOX.top + h - value / most * h) + 0.5;
      ctx.strokeStyle = ink(value ? '--hair' : '--line');
      ctx.beginPath();
      ctx.moveTo(BOX.left, y);
      ctx.lineTo(BOX.left + w, y);
      ctx.stroke();
      ctx.fillStyle = ink('--soft');
      ctx.fillText(tick(value, most, after.unit), BOX.left - 9, y);
    }
    ctx.textAlign = 'center';
    const across = niceStep(long, w / 92, false);
    for (const at of axisTicks(0, long, across)) ctx.fillText(plainNumber(at, across), BOX.left + at / long * w, BOX.top + h + 15);
    const curve = (heap, colour, dash) => {
      ctx.strokeStyle = colour;
      ctx.lineWidth = 2;
      ctx.setLineDash(dash);
      ctx.beginPath();
      const point = (i) => [BOX.left + (heap.times[i] - heap.origin) / long * w, BOX.top + h - heap.total[i] / most * h];
      for (let i = 0, stride = Math.max(1, heap.count / (w * 2)); i < heap.count; i += stride) {
        // The highest of each stretch stands for it: a peak must not fall between two points.
        ctx.lineTo(...point(heap.argmax(heap.total, Math.floor(i), Math.min(heap.count, Math.max(Math.floor(i) + 1, Math.floor(i + stride))))));
      }
      ctx.stroke();
      ctx.setLineDash([]);
      if (!heap.count) return;
      const [x, y] = point(heap.peakAt);
      ctx.fillStyle = colour;
      ctx.beginPath();
      ctx.arc(x, y, 3, 0, 7);
      ctx.fill();
    };
    curve(before, ink('--soft'), [5, 4]);
    curve(after, ink('--accent'), []);
    // A key in the corner where profiles begin low: at the peaks two labels would often lie on each other.
    ctx.font = '600 11.5px system-ui, sans-serif';
    ctx.textAlign = 'left';
    [[before, ink('--soft'), 'before'], [after, ink('--accent'), 'after']].forEach(([heap, colour, word], line) => {
      ctx.fillStyle = colour;
      ctx.fillText(`${line ? '—' : '┄'} ${word}, peak ${amount(heap.total[heap.peakAt] || 0, heap.unit)}`, BOX.left + 10, BOX.top + 8 + line * 17);
    });
    this.canvas.setAttribute('aria-label', `Heap before, peak ${amount(before.total[before.peakAt] || 0, before.unit)}, and after, peak ${amount(after.total[after.peakAt] || 0, after.unit)}`);
  }

  print(on) { this.grid.print(on); }
}
