// An icicle graph on a canvas: the root above, width by weight. A click makes a frame the whole width.

const FRAME = 21;
/** Dots that a canvas is high at most: browsers leave higher ones empty, the first of them above 32,767. */
const HIGHEST = 16000;
/** Frames above that are told. */
const MOST_ABOVE = 200;

class Flame {
  constructor(view) {
    this.view = view;
    this.crumbs = el('div', { class: 'crumbs', role: 'group', 'aria-label': 'Frames above' });
    this.canvas = el('canvas', { tabindex: '0', role: 'img' });
    this.below = el('p', { class: 'foot' });
    this.node = el('div', { class: 'flame' }, this.crumbs, this.canvas, this.below);
    this.size = new Size(this.node);
    this.top = null;
    this.told = null;
    this.boxes = [];
    this.canvas.addEventListener('pointermove', (event) => this.hover(event));
    this.canvas.addEventListener('pointerleave', () => tip.hide());
    this.canvas.addEventListener('click', (event) => {
      const box = this.find(event);
      if (box) { this.top = box.node; redraw(); }
    });
    this.canvas.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' || event.key === 'ArrowUp') {
        this.top = event.key === 'Escape' ? null : this.top && this.top.parent;
        event.preventDefault();
        redraw();
      } else if (event.key === 'ArrowDown' && (this.top || this.tree.root).kids[0]) {
        this.top = (this.top || this.tree.root).kids[0];
        event.preventDefault();
        redraw();
      }
    });
  }

  weight(node) { return this.tree.diff ? Math.max(node.total, node.total0) : node.total; }

  draw(tree) {
    if (tree !== this.tree) { this.tree = tree; this.top = null; }
    const top = this.top || tree.root;
    const width = Math.max(200, this.size.get().width);
    this.boxes = [];
    let depth = 0;
    let more = 0;
    const levels = Math.floor(HIGHEST / (window.devicePixelRatio || 1) / FRAME);
    const open = [[top, 0, width, 0]];
    while (open.length) {
      const [node, x, w, level] = open.pop();
      if (level < levels) this.boxes.push({ node, x, w, level }); else more = Math.max(more, level + 1 - levels);
      depth = Math.max(depth, level);
      // In a diff children may be wider than their parent's larger side: they share its width in proportion.
      const inside = node.kids.reduce((sum, kid) => sum + this.weight(kid), 0);
      const whole = Math.max(this.weight(node), inside);
      let at = x;
      for (const kid of node.kids) {
        const wide = whole ? this.weight(kid) / whole * w : 0;
        if (wide >= 0.4) open.push([kid, at, wide, level + 1]);
        at += wide;
      }
    }
    const height = Math.min(depth + 1, levels) * FRAME + 1;
    this.below.textContent = more ? `${exact(more)} levels more: click a frame to see what is below it.` : '';
    if (this.canvas.style.height !== `${height}px`) this.canvas.style.height = `${height}px`;
    const ctx = context(this.canvas, width, height);
    ctx.font = '12px system-ui, sans-serif';
    ctx.textBaseline = 'middle';
    const match = matcher(this.view.search);
    for (const { node, x, w, level } of this.boxes) {
      const y = level * FRAME;
      ctx.globalAlpha = match && !match(label(node)) ? 0.22 : 1;
      ctx.fillStyle = this.colour(node);
      ctx.fillRect(x, y, Math.max(0.5, w - 1), FRAME - 1);
      if (w > 34) {
        ctx.fillStyle = dark() ? '#f2f4f5' : '#20242a';
        ctx.save();
        ctx.beginPath();
        ctx.rect(x, y, w - 4, FRAME);
        ctx.clip();
        const full = label(node);
        ctx.fillText(ctx.measureText(full).width < w - 10 ? full : shorten(node.name, Math.floor(w / 6.6)), x + 6, y + FRAME / 2);
        ctx.restore();
      }
      ctx.globalAlpha = 1;
    }
    this.canvas.setAttribute('aria-label', `${this.boxes.length} frames, the widest below ${label(top)}: ${top.kids[0] ? label(top.kids[0]) : 'none'}`);
    if (this.told === top) return;
    this.told = top;
    const above = [];
    for (let node = this.top && this.top.parent; node && above.length < MOST_ABOVE; node = node.parent) above.unshift(node);
    this.crumbs.replaceChildren(above.length === MOST_ABOVE ? '… ' : '', ...above.flatMap((node) => [el('button', { type: 'button', onclick: () => { this.top = node; redraw(); } }, shorten(label(node), 40)), '›']),
      above.length ? el('span', {}, shorten(label(this.top), 60)) : el('span', {}, 'Click a frame to give it the whole width'));
  }

  colour(node) {
    if (this.tree.diff) {
      const most = Math.max(node.total, node.total0);
      return palette.change(most ? (node.total - node.total0) / most : 0);
    }
    return node.parent ? palette.frame(node.name, node.module) : palette.other();
  }

  find(event) {
    const at = this.canvas.getBoundingClientRect();
    const x = event.clientX - at.left;
    const level = Math.floor((event.clientY - at.top) / FRAME);
    return this.boxes.find((box) => box.level === level && x >= box.x && x < box.x + box.w);
  }

  hover(event) {
    const box = this.find(event);
    if (!box) return tip.hide();
    const { node } = box;
    const { unit } = this.view;
    const whole = this.tree.root.total;
    const lines = this.tree.diff
      ? [`${amount(node.total0, unit)} → `, el('b', {}, amount(node.total, unit)), ` ${signed(node.total - node.total0, unit)} with all below`]
      : [el('b', {}, amount(node.total, unit)), ` ${unit === 'bytes' ? '' : unit} · ${percent(node.total, whole)} with all below · ${amount(node.own, unit)} of its own`];
    tip.show(event, el('div', { class: 'who' }, el('span', {}, label(node))), el('p', {}, lines),
      el('p', {}, [node.src, node.entries ? `${exact(node.entries)} ${this.view.file.report.samples ? 'objects' : 'entries'}` : null].filter(Boolean).join(' · ')));
  }
}

function label(node) {
  return !node.module || node.module === node.name ? node.name : `${node.module}.${node.name}`;
}
