// The whole run as a small picture under the chart; the window on it can be drawn, moved and resized.

class Strip {
  constructor(view) {
    this.view = view;
    this.canvas = el('canvas', { 'aria-hidden': 'true' });
    this.node = el('div', { class: 'strip' }, this.canvas);
    this.grip = null;
    this.size = new Size(this.node);
    this.canvas.addEventListener('pointerdown', (event) => this.down(event));
    this.canvas.addEventListener('pointermove', (event) => this.move(event));
    this.canvas.addEventListener('pointerup', () => { this.grip = null; });
    this.canvas.addEventListener('dblclick', () => change({ window: null }));
  }

  time(event) {
    const [from, to] = this.view.heap.span();
    const x = event.clientX - this.canvas.getBoundingClientRect().left;
    return clamp(from + (x - BOX.left) / this.w * (to - from), from, to);
  }

  down(event) {
    this.canvas.setPointerCapture(event.pointerId);
    const time = this.time(event);
    const [from, to] = this.view.heap.span();
    const window = state.window;
    const near = (to - from) * 7 / this.w;
    if (window && Math.abs(time - window[0]) < near) this.grip = { kind: 'edge', fixed: window[1] };
    else if (window && Math.abs(time - window[1]) < near) this.grip = { kind: 'edge', fixed: window[0] };
    else if (window && time > window[0] && time < window[1]) this.grip = { kind: 'move', time, window };
    else this.grip = { kind: 'edge', fixed: time };
  }

  move(event) {
    if (!this.grip) return;
    const time = this.time(event);
    const [from, to] = this.view.heap.span();
    if (this.grip.kind === 'edge') {
      const window = [Math.min(time, this.grip.fixed), Math.max(time, this.grip.fixed)];
      if (window[1] - window[0] > (to - from) / 1e5) change({ window });
    } else {
      const [a, b] = this.grip.window;
      const step = clamp(time - this.grip.time, from - a, to - b);
      change({ window: [a + step, b + step] });
    }
  }

  draw() {
    const { heap, shownTotal } = this.view;
    const { width, height } = this.size.get();
    this.w = Math.max(60, width - BOX.left - BOX.right);
    const ctx = context(this.canvas, width, height);
    if (!heap.count) return;
    const [from, to] = heap.span();
    const x = (time) => BOX.left + (to > from ? (time - from) / (to - from) * this.w : 0);
    const most = shownTotal.reduce((a, b) => Math.max(a, b), 0) || 1;
    const floor = height - 6;
    ctx.beginPath();
    ctx.moveTo(BOX.left, floor);
    let column = -1;
    let high = 0;
    for (let i = 0; i < heap.count; i++) {
      const px = Math.floor(x(heap.times[i]));
      if (px !== column && column >= 0) {
        ctx.lineTo(column, floor - high / most * (floor - 4));
        high = 0;
      }
      column = px;
      high = Math.max(high, shownTotal[i]);
    }
    ctx.lineTo(column, floor - high / most * (floor - 4));
    ctx.lineTo(column, floor);
    ctx.closePath();
    ctx.fillStyle = ink('--faint');
    ctx.globalAlpha = 0.45;
    ctx.fill();
    ctx.globalAlpha = 1;
    ctx.strokeStyle = ink('--line');
    ctx.strokeRect(BOX.left + 0.5, 2.5, this.w - 1, floor - 2);
    if (state.window) {
      const [a, b] = state.window.map((time) => clamp(x(time), BOX.left, BOX.left + this.w));
      ctx.fillStyle = ink('--accent');
      ctx.globalAlpha = 0.16;
      ctx.fillRect(a, 2, b - a, floor - 2);
      ctx.globalAlpha = 1;
      for (const edge of [a, b]) ctx.fillRect(edge - 1.5, 2, 3, floor - 2);
    }
  }
}
