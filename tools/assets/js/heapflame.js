// The heap of the chosen window as a flame graph: by the stacks that made it, or by who holds it. Its frames stay when the window
// moves; only their widths follow.

const MOMENTS = { mean: { word: 'Mean', title: 'The mean over the window' }, peak: { word: 'Peak', title: 'The sample in which most was alive' }, end: { word: 'End', title: 'The last sample of the window' } };

class HeapFlame {
  constructor(view) {
    this.view = view;
    this.moment = 'mean';
    this.flame = new Flame(this);
    this.segment = segment('Moment', Object.entries(MOMENTS).map(([key, { word, title }]) => [key, word, title]), () => this.moment, (moment) => { this.moment = moment; redraw(); });
    this.title = el('h3');
    this.node = el('div', { class: 'heapflame', role: 'group', hidden: true }, el('div', { class: 'inner' }, this.title, this.segment), this.flame.node);
    this.heap = null;
  }

  get search() { return state.search; }

  /** For what the pointer is over. */
  get measure() { return this.view.heap.unit === 'bytes' ? 'alloc' : 'entries'; }

  /** A frame for each centre, below the frames that called it; `leaves` has the frame of each band. */
  build() {
    const { heap } = this.view;
    this.heap = heap;
    this.tree = new Tree();
    this.tree.push('the heap', '', '', null);
    this.leaves = new Map();
    let deep = false;
    for (const band of heap.list) {
      const path = pathOf(this.view, band);
      deep ||= path.length > 1;
      this.leaves.set(band, path.reduce((node, name) => this.tree.child(node, name, '', ''), this.tree.root));
    }
    this.deep = deep;
  }

  draw() {
    const { view } = this;
    if (this.heap !== view.heap) this.build();
    this.node.hidden = !this.deep;
    if (!this.deep) return;
    for (const node of this.tree.nodes) node.own = 0;
    for (const { band, stats } of view.items) this.leaves.get(band).own += this.weight(band, stats);
    this.tree.addUp().order(false);
    this.segment.sync();
    const { heap } = view;
    const from = heap.stacks && heap.stacks.from;
    const title = `${roleOf(heap) === 'holder' ? 'Who holds' : 'Who made'} what is alive${state.window ? ' in the window' : ''}${from ? `, stacks whole from ${from}` : ''}`;
    if (this.title.textContent !== title) this.title.textContent = title;
    this.node.setAttribute('aria-label', `Flame graph of ${heap.path}`);
    this.node.dataset.total = this.tree.root.total;
    this.flame.draw(this.tree);
  }

  weight(band, stats) {
    const { heap, from, to, samples, shownTotal } = this.view;
    if (this.moment === 'mean' || to <= from) return samples ? stats.sum / samples : 0;
    return this.moment === 'end' ? stats.end : heap.at(band, heap.argmax(shownTotal, from, to));
  }
}

/** The frames of a band from the root on: a stack, or who holds it, of a set with several members all of them as one. */
function pathOf(view, band) {
  const members = membersOf(view, band.name);
  if (members) return members.length === 1 ? members[0].split(',').reverse() : [members.map((member) => member.split(',')[0]).join(' and ')];
  return stackOf(view, band.name)?.toReversed() || [band.plain];
}
