// One heap profile: its figures, chart, strip, table and the band looked at. Everything follows the window.

const cursor = { time: null };
/** More neighbours than these are lines of a dot or two, in which no colour is told. */
const MOST_PARTED = 400;

class HeapView {
  constructor(heap) {
    this.chart = new Chart(this);
    this.strip = new Strip(this);
    this.grid = bandGrid(this);
    this.flames = new HeapFlame(this);
    this.head = el('header');
    this.notes = el('ul', { class: 'notes', hidden: true });
    this.stats = el('dl', { class: 'stats' });
    this.waste = el('div', { class: 'waste', hidden: true });
    this.detail = el('section', { class: 'detail', hidden: true, 'aria-label': 'The chosen band' });
    this.foot = el('p', { class: 'foot' });
    this.node = el('section', { class: 'card heap' }, this.head, this.notes, this.stats, this.waste, this.chart.node, this.strip.node, this.flames.node, this.detail, this.grid.node, this.foot);
    this.drag = null;
    this.listen();
    this.setHeap(heap);
  }

  setHeap(heap) {
    this.heap = heap;
    heap.sortedMarks = [...heap.marks].sort((a, b) => a - b);
    this.node.dataset.file = heap.path;
    this.head.replaceChildren(el('h2', {}, heap.path), el('span', { class: 'kind' }, [heap.kind, counted(heap.list.length, 'band'), counted(heap.count, 'sample')].filter(Boolean).join(' · ')));
    this.notes.hidden = !heap.warnings.length;
    this.notes.replaceChildren(...heap.warnings.map((text) => el('li', {}, text)));
    this.shownKey = null;
  }

  /** Where a sample or a time stands on the x axis: its time, or its number, since sampling may warp time. */
  placeOf(sample) { return state.axis === 'time' ? this.heap.times[sample] : sample; }

  placeOfTime(time) {
    const { heap } = this;
    if (state.axis === 'time' || heap.count < 2) return time;
    const next = clamp(heap.after(time), 1, heap.count - 1);
    const span = heap.times[next] - heap.times[next - 1];
    return next - 1 + (span > 0 ? (time - heap.times[next - 1]) / span : 0);
  }

  timeAt(place) {
    const { heap } = this;
    if (state.axis === 'time' || heap.count < 2) return place;
    const below = clamp(Math.floor(place), 0, heap.count - 2);
    return heap.times[below] + (place - below) * (heap.times[below + 1] - heap.times[below]);
  }

  places(window) {
    const [from, to] = window || this.heap.span();
    return [this.placeOfTime(from), this.placeOfTime(to)];
  }

  nearest(time) {
    const { heap } = this;
    const place = this.placeOfTime(time);
    const next = clamp(heap.after(time), 0, heap.count - 1);
    const before = Math.max(0, next - 1);
    return Math.abs(this.placeOf(before) - place) <= Math.abs(this.placeOf(next) - place) ? before : next;
  }

  /** Chooses, sorts and sums what is drawn; all that follows reads only these fields. */
  choose() {
    const { heap } = this;
    this.window = state.window;
    [this.from, this.to] = heap.range(this.window);
    const counted = heap.counted(this.from, this.to);
    this.samples = counted[1] - counted[0];
    const match = matcher(state.search);
    const visible = heap.list.filter((band) => !state.hidden.has(band.name) && (!match || match(band.name)));
    const key = JSON.stringify([state.search, [...state.hidden]]);
    if (key !== this.shownKey) {
      this.shownKey = key;
      this.shownTotal = Float64Array.from(heap.total);
      if (visible.length < heap.list.length / 2) {
        this.shownTotal.fill(0);
        for (const band of visible) heap.add(this.shownTotal, band, 1);
      } else if (visible.length < heap.list.length) {
        const kept = new Set(visible);
        for (const band of heap.list) if (!kept.has(band)) heap.add(this.shownTotal, band, -1);
      }
    }
    const item = (band) => ({ band, stats: heap.stats(band, ...counted) });
    this.items = sortItems(visible.map(item), state.sort, state.reverse);
    if (heap.biography) {
      const order = Object.keys(LIFE);
      this.items.sort((a, b) => order.indexOf(b.band.name) - order.indexOf(a.band.name));
    }
    this.windowSum = this.items.reduce((sum, each) => sum + each.stats.sum, 0);
    this.named = Math.min(state.count || Infinity, this.items.length);
    const top = this.items.slice(0, this.named);
    this.dropped = this.items.slice(this.named);
    // From the bottom of the picture to its top: the rest, then the table read upwards.
    top.reverse();
    palette.part(top.slice(-MOST_PARTED).map(({ band }) => band.name));
    this.layers = top.map(({ band, stats }) => ({ band, stats, name: band.name, colour: palette.of(band.name) }));
    if (this.dropped.length) this.layers.unshift({ band: null, name: `other (${this.dropped.length})`, colour: palette.other() });
    const hidden = heap.list.filter((band) => state.hidden.has(band.name) && (!match || match(band.name)));
    this.rows = this.items.concat(hidden.map(item));
  }

  draw() {
    this.choose();
    this.figures();
    this.waste.hidden = !this.heap.biography;
    if (this.heap.biography) drawWaste(this);
    this.chart.draw();
    this.strip.draw();
    this.flames.draw();
    this.grid.show(this.rows, state.sort, state.reverse);
    drawDetail(this);
    const gone = this.heap.list.length - this.items.length;
    const rest = this.dropped.length;
    this.foot.dataset.dropped = rest;
    this.foot.textContent = [
      `${this.named} of ${this.heap.list.length} bands drawn by name`,
      rest ? `${rest} more are together in “other”` : null,
      gone ? `${gone} hidden or not matching, left out of the sums` : null,
      !this.heap.count ? 'no sample yet' : this.to <= this.from ? 'no sample in this window' : null,
    ].filter(Boolean).join(' · ');
    this.chart.over.setAttribute('aria-label', `Heap of ${this.heap.path}: peak ${amount(this.peak, this.heap.unit)}, end ${amount(this.last, this.heap.unit)}`);
  }

  figures() {
    const { heap, from, to, shownTotal } = this;
    const at = to > from ? heap.argmax(shownTotal, from, to) : 0;
    const end = to > from ? Math.max(from, Math.min(to - 1, heap.end)) : 0;
    this.peak = to > from ? shownTotal[at] : 0;
    this.last = to > from ? shownTotal[end] : 0;
    const sum = this.windowSum;
    const figure = (key, word, value, note) => el('div', {}, el('dt', {}, word),
      el('dd', { 'data-stat': key, 'data-value': value, title: `${exact(value)} ${heap.unit}` }, amount(value, heap.unit), ' ', el('small', {}, note)));
    const when = (sample) => (heap.count ? `at ${moment(heap.times[sample], heap.span()[1] - heap.span()[0])} ${heap.sampleUnit === 'seconds' ? 's' : heap.sampleUnit}` : '');
    const where = state.window ? ' in window' : '';
    this.stats.replaceChildren(
      figure('peak', `Peak${where}`, this.peak, when(at)),
      figure('end', state.window ? 'Window’s end' : 'End', this.last, when(end)),
      figure('mean', `Mean${where}`, this.samples ? sum / this.samples : 0, `over ${counted(this.samples, 'sample')}`),
      el('div', { hidden: true }, el('dd', { 'data-stat': 'sum', 'data-value': sum })));
  }

  listen() {
    const { over } = this.chart;
    const x = (event) => event.clientX - over.getBoundingClientRect().left;
    over.addEventListener('pointerdown', (event) => {
      if (event.button !== 0 || !this.heap.count) return;
      over.setPointerCapture(event.pointerId);
      const at = clamp(x(event), BOX.left, BOX.left + this.chart.w);
      this.drag = event.shiftKey ? { kind: 'pan', x0: at, window: state.window || this.heap.span() } : { kind: 'select', x0: at, x1: at };
    });
    over.addEventListener('pointermove', (event) => {
      if (!this.heap.count) return;
      const at = clamp(x(event), BOX.left, BOX.left + this.chart.w);
      if (this.drag && this.drag.kind === 'select') this.drag.x1 = at;
      if (this.drag && this.drag.kind === 'pan') {
        const [a, b] = this.drag.window;
        moveWindow(this.heap, [a, b], (this.drag.x0 - at) / this.chart.w * (b - a));
      }
      this.hover(event, at);
    });
    over.addEventListener('pointerup', () => {
      const { drag } = this;
      this.drag = null;
      if (drag && drag.kind === 'select' && Math.abs(drag.x1 - drag.x0) > 4) {
        const [a, b] = [drag.x0, drag.x1].sort((p, q) => p - q);
        change({ window: [this.timeAt(this.chart.place(a)), this.timeAt(this.chart.place(b))] });
      } else if (drag && drag.kind === 'select' && this.under) {
        change({ focus: state.focus === this.under.name || !this.under.band ? null : this.under.name });
      }
      this.chart.drawOver();
    });
    over.addEventListener('pointercancel', () => { this.drag = null; this.chart.drawOver(); });
    over.addEventListener('pointerleave', () => {
      cursor.time = null;
      tip.hide();
      for (const view of page.views) if (view.chart) view.chart.drawOver();
    });
    over.addEventListener('dblclick', () => change({ window: null }));
    over.addEventListener('wheel', (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const middle = this.timeAt(this.chart.place(clamp(x(event), BOX.left, BOX.left + this.chart.w)));
      zoomWindow(this.heap, Math.exp(event.deltaY * 0.0022), middle);
    }, { passive: false });
  }

  hover(event, at) {
    cursor.time = this.timeAt(this.chart.place(at));
    for (const view of page.views) if (view.chart) view.chart.drawOver();
    const sample = this.nearest(cursor.time);
    const y = event.clientY - this.chart.over.getBoundingClientRect().top;
    this.under = this.chart.hit(sample, y);
    tip.show(event, ...sampleTip(this, sample, this.under));
  }

  print(on) { this.grid.print(on); }
}

/** What the pointer is over: the band with its whole name, and the greatest bands of that sample. */
function sampleTip(view, sample, under) {
  const { heap, layers, shownTotal } = view;
  const total = shownTotal[sample];
  const value = (layer) => (layer.band ? heap.at(layer.band, sample)
    : layers.reduce((rest, each) => (each.band ? rest - heap.at(each.band, sample) : rest), total));
  const parts = [];
  if (under) {
    parts.push(el('div', { class: 'who', style: { '--c': under.colour } }, el('i'), el('span', {}, under.name)));
    parts.push(el('p', {}, el('b', {}, amount(value(under), heap.unit)), ` · ${percent(value(under), total)} of this sample · exactly ${exact(value(under))}`));
    const set = under.band && membersOf(view, under.name);
    if (set) parts.push(el('ul', {}, set.map((member) => el('li', {}, el('span', {}, `held by ${member}`)))));
  }
  const span = heap.span()[1] - heap.span()[0];
  parts.push(el('p', {}, `sample ${sample} at ${moment(heap.times[sample], span)} ${heap.sampleUnit} · all `, el('b', {}, amount(total, heap.unit))));
  const near = heap.sortedMarks.find((mark) => Math.abs(view.chart.x(view.placeOfTime(mark)) - view.chart.x(view.placeOf(sample))) < 5);
  if (near !== undefined) parts.push(el('p', {}, `marked at ${moment(near, span)} ${heap.sampleUnit}`));
  if (state.pin !== null) parts.push(...changeSince(view, sample));
  const greatest = state.pin !== null ? [] : layers.map((layer) => [value(layer), layer]).filter(([v]) => v > 0).sort((a, b) => b[0] - a[0]).slice(0, 6);
  if (greatest.length > 1) {
    parts.push(el('ul', {}, greatest.map(([v, layer]) => el('li', { class: under && layer.name === under.name ? 'me' : '', style: { '--c': layer.colour } },
      el('i'), el('span', {}, shorten(layer.name, 60)), el('b', {}, amount(v, heap.unit))))));
  }
  return parts;
}

/** What changed from the pinned sample to this one, the greatest changes first. */
function changeSince(view, sample) {
  const { heap } = view;
  const from = view.nearest(state.pin);
  const all = view.items.map(({ band }) => ({ name: band.name, step: heap.at(band, sample) - heap.at(band, from) }))
    .filter(({ step }) => step).sort((a, b) => Math.abs(b.step) - Math.abs(a.step));
  const whole = view.shownTotal[sample] - view.shownTotal[from];
  return [
    el('p', {}, `since the pin at ${moment(heap.times[from], heap.span()[1] - heap.span()[0])}: `, el('b', { 'data-since': whole }, signed(whole, heap.unit))),
    el('ul', {}, all.slice(0, 8).map(({ name, step }) => el('li', { style: { '--c': palette.of(name) } }, el('i'), el('span', {}, shorten(name, 60)), el('b', {}, signed(step, heap.unit))))),
  ];
}

function moveWindow(heap, window, step) {
  const [from, to] = heap.span();
  const move = clamp(step, from - window[0], to - window[1]);
  change({ window: [window[0] + move, window[1] + move] });
}

/** Zooms by `factor` about `middle`; out beyond the run means the whole run. */
function zoomWindow(heap, factor, middle) {
  const [from, to] = heap.span();
  const [a, b] = state.window || [from, to];
  const centre = middle ?? (a + b) / 2;
  const next = [Math.max(from, centre - (centre - a) * factor), Math.min(to, centre + (b - centre) * factor)];
  if (next[0] <= from && next[1] >= to) change({ window: null });
  else if (next[1] - next[0] > (to - from) / 1e6) change({ window: next });
}
