// Trees of cost-centre stacks: weighed by a measure, turned over to show callers, or two of them laid together.

const MEASURES = {
  time: { word: 'time', column: 'ticks', unit: 'ticks' },
  alloc: { word: 'allocation', column: 'bytes', unit: 'bytes' },
  entries: { word: 'entries', column: 'entries', unit: '' },
};

class Tree {
  constructor() {
    this.nodes = [];
    this.diff = false;
  }

  push(name, module, src, parent) {
    const node = { name, module, src, parent, kids: [], own: 0, total: 0, own0: 0, total0: 0, ownBlur: 0, blur: 0, entries: 0, entries0: 0, index: this.nodes.length, byKey: null };
    this.nodes.push(node);
    if (parent) parent.kids.push(node);
    return node;
  }

  /** The child of `parent` called so, made when there is none. */
  child(parent, name, module, src) {
    parent.byKey ||= new Map();
    const key = `${module}\u0000${name}\u0000${src}`;
    let node = parent.byKey.get(key);
    if (!node) parent.byKey.set(key, (node = this.push(name, module, src, parent)));
    return node;
  }

  get root() { return this.nodes[0]; }

  /** Parents come before their children, so one walk backwards adds everything up. */
  addUp() {
    for (const node of this.nodes) { node.total = node.own; node.total0 = node.own0; node.blur = node.ownBlur; }
    for (let i = this.nodes.length - 1; i > 0; i--) {
      const node = this.nodes[i];
      node.parent.total += node.total;
      node.parent.total0 += node.total0;
      node.parent.blur += node.blur;
    }
    return this;
  }

  order(byName) {
    const weight = (node) => Math.max(node.total, node.total0);
    for (const node of this.nodes) node.kids.sort(byName ? (a, b) => (a.name < b.name ? -1 : 1) : (a, b) => weight(b) - weight(a));
    return this;
  }
}

function makeTree(report, measure) {
  const tree = new Tree();
  const { nodes, names } = report;
  const weights = nodes[MEASURES[measure].column];
  // Half of the last digit of a percentage is how far a weight may be from the truth.
  const blur = report.exact || measure === 'entries' ? 0 : 0.0005 * (measure === 'time' ? report.ticks : report.alloc);
  for (let i = 0; i < nodes.label.length; i++) {
    const parent = nodes.parent[i] < 0 ? null : tree.nodes[nodes.parent[i]];
    const node = tree.push(names[nodes.label[i]], names[nodes.module[i]], names[nodes.src[i]], parent);
    node.own = weights[i];
    node.ownBlur = blur;
    node.entries = nodes.entries[i];
  }
  return tree.addUp().order(false);
}

/** Leaves first: under each centre, who called it, for the weight that is its own. */
function invert(tree) {
  const turned = new Tree();
  turned.diff = tree.diff;
  turned.push('all', '', '', null);
  for (const leaf of tree.nodes) {
    if (!leaf.own && !leaf.own0) continue;
    let at = turned.root;
    for (let node = leaf; node; node = node.parent) {
      at = turned.child(at, node.name, node.module, node.src);
      if (node === leaf) { at.entries += leaf.entries; at.entries0 += leaf.entries0; }
    }
    at.own += leaf.own;
    at.own0 += leaf.own0;
    at.ownBlur += leaf.ownBlur;
  }
  return turned.addUp().order(tree.diff);
}

/** Two trees as one: paths with the same names meet. `own0` is the first run's, `own` the second's. */
function lay(before, after) {
  const tree = new Tree();
  tree.diff = true;
  tree.push(after.root.name, after.root.module, after.root.src, null);
  const copy = (from, own, entries) => {
    const open = [[from.root, tree.root]];
    while (open.length) {
      const [source, target] = open.pop();
      target[own] += source.own;
      target[entries] += source.entries;
      target.ownBlur += source.ownBlur;
      for (const kid of source.kids) open.push([kid, tree.child(target, kid.name, kid.module, '')]);
    }
  };
  copy(before, 'own0', 'entries0');
  copy(after, 'own', 'entries');
  // Nodes of both runs interleave, but a child is still always made after its parent.
  return tree.addUp().order(true);
}
