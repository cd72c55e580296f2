// Lanes over time: one for collections, and one for each thread, with what it did in stops. Only lanes in sight are drawn, and of
// spans that lie in one dot, one.

const LANE = { height: 22, bar: 14, axis: 26, right: 10 };
const LANE_KINDS = [['run', 'has a mutator'], ['stands', 'stands'], ['foreign', 'in foreign code'], ['waits', 'waits for others'], ['minor', 'minor collection'], ['major', 'major collection']];

/** The colours of kinds of spans, in this theme. */
const laneColours = () => ({
  run: ink('--line'), stands: oklch(dark() ? 0.66 : 0.72, 0.12, 58), foreign: oklch(dark() ? 0.36 : 0.88, 0.035, 250),
  waits: oklch(dark() ? 0.72 : 0.6, 0.15, 18), minor: oklch(dark() ? 0.68 : 0.62, 0.09, 195), major: oklch(dark() ? 0.5 : 0.42, 0.1, 255),
});

/** Nanoseconds as people read them. */
function duration(ns) {
  if (ns >= 1e9) return `${digits(ns / 1e9)} s`;
  if (ns >= 1e6) return `${digits(ns / 1e6)} ms`;
  if (ns >= 1e3) return `${digits(ns / 1e3)} µs`;
  return `${ns} ns`;
}

/** The spans of each lane in the order of their beginnings, out of the flat lists of the page. The first lane is that of collections. */
function laneSpans(file) {
  const lanes = [{ name: 'collections', spans: [] }, ...file.threads.map((thread) => ({ name: thread.name, thread, spans: [] }))];
  for (const lane of lanes) for (const [from, to] of lane.thread?.attached || []) lane.spans.push({ kind: 'run', from, to });
  const { stops } = file;
  for (let at = 0; at < stops.length;) {
    const [asked, still, ended, asker, others] = stops.slice(at, at + 5);
    const stop = { asked, still: asked + still, ended: asked + ended, asker, others };
    lanes[asker + 1].spans.push({ kind: 'waits', from: asked, to: stop.still, stop });
    at += 5;
    for (let k = 0; k < others; k++, at += 2) {
      lanes[Math.floor(stops[at] / 2) + 1].spans.push({ kind: stops[at] % 2 ? 'foreign' : 'stands', from: asked + stops[at + 1], to: stop.ended, stop });
    }
  }
  const { collections } = file;
  for (let at = 0; at < collections.length; at += 8) {
    const [from, took, thread, workers, kind, number, copied, live] = collections.slice(at, at + 8);
    const span = { kind: kind % 2 ? 'major' : 'minor', from, to: from + took, run: { thread, workers, generation: Math.floor(kind / 2), number, copied, live } };
    lanes[0].spans.push(span);
    lanes[thread + 1].spans.push(span);
  }
  // Collections do not overlap, nor do stops; a collection lies over the stop that it is in.
  for (const lane of lanes) {
    lane.kinds = LANE_KINDS.map(([kind]) => [kind, lane.spans.filter((span) => span.kind === kind).sort((a, b) => a.from - b.from)]);
    delete lane.spans;
  }
  return lanes;
}

/** The first of spans, in order and apart, that ends behind a time. */
function firstBehind(spans, time) {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (spans[middle].to < time) low = middle + 1; else high = middle;
  }
  return low;
}

class Lanes {
  constructor(view) {
    this.view = view;
    this.canvas = el('canvas', { role: 'img', tabindex: '0' });
    this.room = el('div', { class: 'lanes-room' }, this.canvas);
    this.node = el('div', { class: 'lanes', role: 'group', 'aria-label': 'Threads over time' }, this.room);
    this.size = new Size(this.node);
    this.node.addEventListener('scroll', () => this.draw());
    this.canvas.addEventListener('pointerdown', (event) => this.down(event));
    this.canvas.addEventListener('pointermove', (event) => this.move(event));
    this.canvas.addEventListener('pointerup', () => this.up());
    this.canvas.addEventListener('pointercancel', () => { this.drag = null; });
    this.canvas.addEventListener('pointerleave', () => tip.hide());
    this.canvas.addEventListener('dblclick', () => this.view.zoom(null));
    this.canvas.addEventListener('keydown', (event) => this.key(event));
  }

  time(event) {
    const x = event.clientX - this.canvas.getBoundingClientRect().left;
    return this.from + clamp((x - this.left) / this.w, 0, 1) * (this.to - this.from);
  }

  down(event) {
    if (event.button) return;
    this.canvas.setPointerCapture(event.pointerId);
    this.drag = { from: this.time(event), to: this.time(event) };
  }

  move(event) {
    if (this.drag) {
      this.drag.to = this.time(event);
      tip.hide();
      this.draw();
    } else this.tell(event);
  }

  up() {
    const { drag } = this;
    this.drag = null;
    if (!drag) return;
    const [from, to] = [Math.min(drag.from, drag.to), Math.max(drag.from, drag.to)];
    if ((to - from) / (this.to - this.from) * this.w > 4) this.view.zoom([from, to]); else this.draw();
  }

  key(event) {
    const span = this.to - this.from;
    const step = { ArrowLeft: [-0.2, -0.2], ArrowRight: [0.2, 0.2], '+': [0.25, -0.25], '=': [0.25, -0.25], '-': [-0.5, 0.5] }[event.key];
    if (event.key === 'Escape') this.view.zoom(null);
    else if (step) {
      event.preventDefault();
      this.view.zoom([this.from + step[0] * span, this.to + step[1] * span]);
    } else return;
    event.stopPropagation();
  }

  /** The lane at a height of the canvas. */
  laneAt(y) { return this.view.lanes[Math.floor((y + this.node.scrollTop) / LANE.height)]; }

  tell(event) {
    const box = this.canvas.getBoundingClientRect();
    const lane = event.clientY - box.top < this.high ? this.laneAt(event.clientY - box.top) : null;
    const time = this.time(event);
    const near = (this.to - this.from) / this.w * 2;
    const found = lane && [...lane.kinds].reverse().map(([kind, spans]) => [kind, spans[firstBehind(spans, time - near)]]).find(([, span]) => span && span.from <= time + near);
    if (!found) { tip.hide(); return; }
    const [kind, span] = found;
    const word = LANE_KINDS.find(([one]) => one === kind)[1];
    const { threads } = this.view.file;
    const rows = [`${duration(span.to - span.from)}, from ${duration(span.from)}`];
    if (span.run) rows.push(`number ${exact(span.run.number)}, by ${threads[span.run.thread].name}, ${span.run.workers === 1 ? 'one thread' : `${span.run.workers} threads`}`, `${amount(span.run.copied)} copied, ${amount(span.run.live)} live after it`);
    else if (span.stop) rows.push(kind === 'waits' ? `for ${exact(span.stop.others)} threads; kept them still for ${duration(span.stop.ended - span.stop.still)}` : `for ${threads[span.stop.asker].name}, who waited ${duration(span.stop.still - span.stop.asked)}`);
    tip.show(event, el('div', { class: 'who', style: { '--c': laneColours()[kind] } }, el('i'), `${lane.name}: ${word}`), ...rows.map((row) => el('p', {}, row)));
  }

  draw() {
    const { width } = this.size.get();
    const all = this.view.lanes;
    const seen = Math.min(all.length * LANE.height, 560);
    this.high = seen;
    this.node.style.height = `${seen + LANE.axis}px`;
    this.room.style.height = `${all.length * LANE.height + LANE.axis}px`;
    this.left = width < 560 ? 92 : 168;
    this.w = Math.max(60, width - this.left - LANE.right);
    [this.from, this.to] = this.view.window();
    const height = seen + LANE.axis;
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    this.canvas.setAttribute('aria-label', this.view.summary());
    const ctx = context(this.canvas, width, height);
    const colours = laneColours();
    const first = Math.floor(this.node.scrollTop / LANE.height);
    const last = Math.min(all.length, Math.ceil((this.node.scrollTop + seen) / LANE.height));
    this.drawn = 0;
    this.axis(ctx, seen);
    ctx.save();
    ctx.beginPath();
    ctx.rect(0, 0, width, seen);
    ctx.clip();
    ctx.font = `12px ${ink('--mono')}`;
    for (let at = first; at < last; at++) this.lane(ctx, all[at], at * LANE.height - this.node.scrollTop, colours);
    ctx.restore();
    if (this.drag) {
      const [a, b] = [this.drag.from, this.drag.to].map((time) => this.x(time));
      ctx.fillStyle = ink('--accent');
      ctx.globalAlpha = 0.18;
      ctx.fillRect(Math.min(a, b), 0, Math.abs(b - a), seen);
      ctx.globalAlpha = 1;
    }
  }

  x(time) { return this.left + (time - this.from) / (this.to - this.from) * this.w; }

  axis(ctx, floor) {
    ctx.font = '11px system-ui, sans-serif';
    ctx.textAlign = 'center';
    const step = niceStep(this.to - this.from, this.w / 90, false);
    for (const time of axisTicks(this.from, this.to, step)) {
      const x = Math.round(this.x(time)) + 0.5;
      ctx.fillStyle = ink('--hair');
      ctx.fillRect(x - 0.5, 0, 1, floor);
      ctx.fillStyle = ink('--soft');
      ctx.fillText(this.mark(time, step), clamp(x, this.left + 18, this.left + this.w - 18), floor + 17);
    }
  }

  /** A time in the unit of the window's end, with the decimals of a step. */
  mark(time, step) {
    const [unit, name] = this.to >= 1e9 ? [1e9, 's'] : this.to >= 1e6 ? [1e6, 'ms'] : [1e3, 'µs'];
    return `${(time / unit).toFixed(clamp(-Math.floor(Math.log10(step / unit) + 1e-9), 0, 9))} ${name}`;
  }

  lane(ctx, lane, top, colours) {
    const middle = top + LANE.height / 2;
    ctx.fillStyle = ink(lane.thread ? '--ink' : '--soft');
    ctx.textAlign = 'left';
    ctx.fillText(shorten(lane.name, Math.floor((this.left - 10) / 7.3)), 0, middle + 4);
    const right = this.left + this.w;
    for (const [kind, spans] of lane.kinds) {
      // Waiting and collections lie over what they belong to, smaller.
      const high = kind === 'run' || !lane.thread ? LANE.bar : kind === 'minor' || kind === 'major' ? LANE.bar - 4 : LANE.bar - 2;
      ctx.fillStyle = colours[kind];
      let drawn = -1;
      for (let at = firstBehind(spans, this.from); at < spans.length && spans[at].from <= this.to; at++) {
        const from = Math.max(this.left, this.x(spans[at].from), drawn);
        const to = Math.min(right, Math.max(this.x(spans[at].to), this.x(spans[at].from) + 1));
        if (to - from < 0.3) continue;
        ctx.fillRect(from, middle - high / 2, to - from, high);
        drawn = to;
        this.drawn++;
      }
    }
  }
}
