// Why is this alive: an object graph by type and by object. The tree is that of dominators: below each object stands what would go
// with it. Rows are made when they are opened and in sight, from what the page was told of the greatest objects.

class GraphView {
  constructor(file) {
    this.shape = 'object';
    this.search = '';
    this.open = new Set([0]);
    this.chosen = null;
    this.node = el('section', { class: 'card wide graph' });
    const onsort = (sort) => { this.sort = sort; redraw(); };
    this.sort = 'bytes';
    this.types = new Grid({ cls: 'types', label: 'Types', onsort, row: (item) => this.typeRow(item),
      columns: [{ key: 'name', title: 'Type', sort: 'name' }, { key: 'count', title: 'Objects', cls: 'num', sort: 'count' }, { key: 'own', title: 'Bytes', hint: 'Of the objects themselves', sort: 'bytes' },
        { key: 'kept', title: 'Kept alive', hint: 'With all that its objects keep alive, each by itself', sort: 'retained' }] });
    this.owners = new Grid({ cls: 'owners', label: 'Objects, and what each keeps alive', row: (item) => this.nodeRow(item),
      columns: [{ key: 'name', title: 'Object' }, { key: 'at', title: 'Address', cls: 'num' }, { key: 'own', title: 'Own', cls: 'num', hint: 'Bytes of the object itself' }, { key: 'kept', title: 'Kept alive', hint: 'What would go with it' }] });
    this.setFile(file);
  }

  setFile(file) {
    this.find(file);
    this.graph = file;
    this.node.dataset.file = file.path;
    // Who stands below whom, the greatest first: nodes come with their parents' numbers.
    this.kids = file.nodes.map(() => []);
    file.nodes.forEach((node, slot) => { if (node[4] >= 0) this.kids[node[4]].push(slot); });
    for (const kids of this.kids) kids.sort((a, b) => file.nodes[b][3] - file.nodes[a][3]);
    this.unfold();
    const figure = (key, word, value, text, note) => el('div', {}, el('dt', {}, word), el('dd', { 'data-stat': key, 'data-value': value, title: exact(value) }, text, ' ', el('small', {}, note)));
    this.stats = () => el('dl', { class: 'stats' }, figure('alive', 'Alive', file.bytes, amount(file.bytes), `${exact(file.objects)} objects`),
      figure('references', 'References', file.references, amount(file.references, ''), file.weak ? `and ${exact(file.weak)} weak ones, which hold nothing` : ''),
      file.unheld[0] ? figure('unheld', 'Held by no root', file.unheld[1], amount(file.unheld[1]), `${exact(file.unheld[0])} objects, weakly or for this collection`) : null);
    this.figures = el('div');
    this.segment = segment('Shape', [['object', 'By object', 'What would go with which object'], ['type', 'By type']], () => this.shape, (shape) => { this.shape = shape; this.chosen = null; redraw(); });
    const field = el('input', { type: 'search', placeholder: 'Search types', 'aria-label': 'Search types', value: this.search, oninput: (event) => { this.search = event.target.value; redraw(); } });
    this.detail = el('section', { class: 'detail', hidden: true, 'aria-label': 'The chosen object or type' });
    this.foot = el('p', { class: 'foot' });
    this.node.replaceChildren(el('header', {}, el('h2', {}, file.path), el('span', { class: 'kind' }, 'object graph · why is this alive')), this.figures,
      el('div', { class: 'inner' }, this.segment, field), this.detail, this.types.node, this.owners.node, this.foot);
  }

  /** Finds the open and the chosen objects in another file, by type and address: numbers are each file's own. */
  find(file) {
    const { graph, chosen, open } = this;
    if (!graph) return;
    const keyOf = (node) => `${this.name(node[0])} ${node[1]}`;
    const keys = new Set([...open].map((slot) => keyOf(graph.nodes[slot])));
    const object = chosen && chosen.slot !== undefined ? keyOf(graph.nodes[chosen.slot]) : null;
    const row = chosen && object === null ? file.types.findIndex(([name]) => name === graph.types[chosen.row][0]) : -1;
    this.chosen = row >= 0 ? { row } : null;
    this.open = new Set([0]);
    this.graph = file;
    file.nodes.forEach((node, slot) => {
      const key = keyOf(node);
      if (keys.has(key)) this.open.add(slot);
      if (key === object) this.chosen = { slot };
    });
  }

  /** Opens the way on which most is kept alive, so that the first look shows it. */
  unfold() {
    const { nodes } = this.graph;
    let at = nodes.length ? 0 : undefined;
    let list = false;
    const met = new Set();
    this.heaviest = 0;
    for (let deep = 0; at !== undefined && deep < 12; deep++) {
      this.open.add(at);
      const row = nodes[at][0];
      // Who holds a list is to be named, and not one of its parts.
      if (!list && met.has(row) && row >= 0) {
        list = true;
        const above = nodes[this.heaviest][4];
        if (nodes[this.heaviest][0] === row && nodes[above][0] >= 0) this.heaviest = above;
      }
      met.add(row);
      if (!list) this.heaviest = at;
      const next = this.kids[at][0];
      at = next !== undefined && nodes[next][3] > nodes[at][3] * 0.5 ? next : undefined;
    }
  }

  name(row) {
    if (row === -1) return 'everything';
    return row < 0 ? `root: ${this.graph.roots[-2 - row]}` : this.graph.types[row][0];
  }

  /** For the sentence at the top: the lowest object that keeps more than half of what stands above it. */
  words() {
    const { nodes, bytes } = this.graph;
    const [row, at, , retained] = nodes[this.heaviest ?? 0] || [-1, 0, 0, 0];
    if (row < 0) {
      const [name, count, own] = this.graph.types[0] || ['', 0, 0];
      return own ? ['No single object keeps most alive. ', el('b', {}, percent(own, bytes)), ' of ', el('b', {}, amount(bytes)), ` ${count === 1 ? 'is' : 'are'} ${counted(count, 'object')} of `, el('code', {}, shorten(name, 90)), '. '] : ['Nothing is alive. '];
    }
    let top = this.heaviest;
    while (nodes[top][0] >= 0) top = nodes[top][4];
    const [way] = nodes[this.heaviest][7] || [[]];
    const root = nodes[top][0] < -1 ? nodes[top][0] : way.length ? way[0][0] : -1;
    return [el('b', { 'data-answer': 'kept', 'data-value': retained / bytes }, percent(retained, bytes)), ' of ', el('b', {}, amount(bytes)), ' is kept alive by one object, ',
      el('button', { type: 'button', class: 'said-name', 'data-answer': 'keeper', onclick: () => { this.shape = 'object'; this.choose({ slot: this.heaviest }); } }, `${shorten(this.name(row), 90)} ${address16(at)}`),
      root < -1 ? [', which is held by the roots called ', el('code', {}, this.graph.roots[-2 - root])] : [], '. '].flat();
  }

  choose(item) {
    const same = this.chosen && JSON.stringify(this.chosen) === JSON.stringify(item);
    this.chosen = same ? null : item;
    redraw();
  }

  draw() {
    this.figures.replaceChildren(this.stats());
    this.segment.sync();
    this.types.node.hidden = this.shape !== 'type';
    this.owners.node.hidden = this.shape !== 'object';
    const match = matcher(this.search);
    if (this.shape === 'type') this.types.show(this.typeItems(match), this.sort); else this.owners.show(this.nodeItems(match));
    this.drawDetail();
    const { nodes } = this.graph;
    this.foot.textContent = this.shape === 'object' && nodes.length < this.graph.objects
      ? `The ${exact(nodes.length - 1)} objects and roots that keep most alive are in the tree; what each keeps besides is told by type.` : '';
  }

  typeItems(match) {
    const items = this.graph.types.map((type, row) => ({ type, row })).filter(({ type }) => !match || match(type[0]));
    const key = { count: 1, bytes: 2, retained: 3 }[this.sort];
    items.sort(key ? (a, b) => (b.type[key] ?? -1) - (a.type[key] ?? -1) || a.row - b.row : (a, b) => (a.type[0] < b.type[0] ? -1 : 1));
    return items;
  }

  /** The rows that are open. A search shows what it finds wherever it stands, the greatest first. */
  nodeItems(match) {
    const { nodes } = this.graph;
    if (match) return nodes.map((_, slot) => ({ slot, depth: 0 })).filter(({ slot }) => match(this.name(nodes[slot][0]))).sort((a, b) => nodes[b.slot][3] - nodes[a.slot][3]);
    const items = [];
    const open = nodes.length ? [{ slot: 0, depth: 0 }] : [];
    while (open.length) {
      const item = open.pop();
      items.push(item);
      if (item.slot === undefined || !this.open.has(item.slot)) continue;
      const [, , , , , rest, more] = nodes[item.slot];
      const depth = item.depth + 1;
      const below = [...this.kids[item.slot].map((slot) => ({ slot, depth, kept: nodes[slot][3] })), ...rest.map(([row, count, kept]) => ({ row, count, kept, depth, of: item.slot }))];
      below.sort((a, b) => b.kept - a.kept);
      if (more[0]) below.push({ row: -1, count: more[0], kept: more[1], depth, of: item.slot });
      open.push(...below.reverse());
    }
    return items;
  }

  meter(value) {
    const whole = this.graph.bytes;
    return el('div', { class: 'meter', role: 'cell', title: `${exact(value)} bytes`, style: { '--w': `${whole ? 100 * value / whole : 0}%` } }, el('i'), el('b', {}, amount(value)));
  }

  typeRow({ type: [name, count, bytes, retained], row }) {
    const on = this.chosen && this.chosen.row === row;
    return el('div', { class: `row${on ? ' on' : ''}`, role: 'row', 'data-type': name, 'data-count': count, 'data-bytes': bytes, 'data-retained': retained },
      el('div', { role: 'cell', class: 'holds' }, el('button', { type: 'button', class: 'name', title: name, onclick: () => this.choose({ row }) }, name)),
      el('div', { class: 'num k-count', role: 'cell' }, exact(count)), this.meter(bytes), retained === null ? el('div', { role: 'cell', class: 'num faint', title: 'Worked out for the 256 greatest types' }, '–') : this.meter(retained));
  }

  nodeRow(item) {
    const indent = indented(item.depth);
    if (item.slot === undefined) {
      const name = item.row < 0 ? 'of other types' : this.name(item.row);
      return el('div', { class: 'row rest', role: 'row', 'data-rest': name, 'data-retained': item.kept }, el('div', { class: 'name', role: 'cell', style: indent }, el('span', { class: 'twist' }), el('em', {}, `${exact(item.count)} more × ${name}`)),
        el('div', { role: 'cell', class: 'k-at' }), el('div', { role: 'cell', class: 'k-own' }), this.meter(item.kept));
    }
    const [row, at, bytes, retained, , rest] = this.graph.nodes[item.slot];
    const open = this.open.has(item.slot);
    const folds = this.kids[item.slot].length || rest.length;
    const on = this.chosen && this.chosen.slot === item.slot;
    return el('div', { class: `row${on ? ' on' : ''}`, role: 'row', 'data-slot': item.slot, 'data-bytes': bytes, 'data-retained': retained },
      el('div', { class: 'name', role: 'cell', title: this.name(row), style: indent },
        folds && !this.search ? el('button', { type: 'button', class: 'twist', 'aria-expanded': String(open), 'aria-label': `${open ? 'Fold' : 'Unfold'} ${this.name(row)}`, onclick: () => { if (!this.open.delete(item.slot)) this.open.add(item.slot); redraw(); } }, open ? '▾' : '▸') : el('span', { class: 'twist' }),
        row === -1 ? el('span', {}, 'everything') : el('button', { type: 'button', class: 'name', onclick: () => this.choose({ slot: item.slot }) }, this.name(row))),
      el('div', { role: 'cell', class: 'num faint k-at' }, row < 0 ? '' : address16(at)), el('div', { role: 'cell', class: 'num k-own' }, row < 0 ? '' : amount(bytes)), this.meter(retained));
  }

  drawDetail() {
    const { chosen, graph } = this;
    this.detail.hidden = !chosen;
    if (!chosen) return;
    const parts = [el('button', { type: 'button', class: 'plain close', 'aria-label': 'Close', onclick: () => this.choose(chosen) }, '✕')];
    if (chosen.slot !== undefined) {
      const [row, at, bytes, retained, parent, , , way] = graph.nodes[chosen.slot];
      parts.push(el('h3', {}, `${this.name(row)}${row < 0 ? '' : ` at ${address16(at)}`}`),
        el('p', {}, `${row < 0 ? '' : `${amount(bytes)} itself · `}${amount(retained)} would go with it, ${percent(retained, graph.bytes)} of all`),
        el('p', {}, parent > 0 ? `Kept alive by ${this.name(graph.nodes[parent][0])}${graph.nodes[parent][0] < 0 ? '' : ` at ${address16(graph.nodes[parent][1])}`}: every way to it leads through that` : 'No single object keeps it alive'), ...this.wayParts(way));
    } else {
      const [name, count, bytes, retained] = graph.types[chosen.row];
      const list = graph.instances[chosen.row] || [];
      parts.push(el('h3', {}, name), el('p', {}, `${counted(count, 'object')} of ${amount(bytes)}${retained === null ? '' : `, which keep${count === 1 ? 's' : ''} ${amount(retained)} alive`}. ${list.length ? 'Those that keep most alive:' : 'Ways are shown for the 256 greatest types.'}`));
      for (const [at, own, kept, way] of list) parts.push(el('details', { 'data-instance': at }, el('summary', {}, `${address16(at)} · ${amount(own)} itself · ${amount(kept)} kept alive`), ...this.wayParts(way)));
    }
    this.detail.replaceChildren(...parts);
  }

  /** A shortest way from a root, from the root on. */
  wayParts(way) {
    if (!way || !way[0].length) return [];
    const [steps, left, near] = way;
    const items = steps.map(([row, at]) => el('li', { 'data-row': row, 'data-at': at }, this.name(row), row < 0 ? null : el('em', {}, ` ${address16(at)}`)));
    if (left) items.splice(near, 0, el('li', { class: 'left-out' }, `… ${exact(left)} more, one through the other`));
    return [el('p', {}, 'A shortest way to it:'), el('ol', { class: 'way' }, items)];
  }

  print(on) { (this.shape === 'type' ? this.types : this.owners).print(on); }
}

const address16 = (at) => `0x${at.toString(16)}`;

/** What changed between two graphs, by type. */
class GraphDiff {
  constructor(before, after) {
    this.measure = 'bytes';
    this.graphs = true;
    this.node = el('section', { class: 'card wide diff' });
    this.grid = new Grid({ cls: 'changes', label: 'Changes by type', row: (item) => this.row(item),
      columns: [{ key: 'name', title: 'Type' }, { key: 'before', title: 'Before', cls: 'num' }, { key: 'after', title: 'After', cls: 'num' }, { key: 'change', title: 'Change', cls: 'num' }, { key: 'bar', unseen: 'Change as a bar' }] });
    this.setPair(before, after);
  }

  setPair(before, after) {
    this.before = null;
    this.pairOf = [before, after];
    this.foot = el('p', { class: 'foot' });
    this.node.dataset.file = after.path;
    this.segment = segment('Measure', [['bytes', 'Bytes'], ['objects', 'Objects'], ['kept', 'Kept alive']], () => this.measure, (measure) => { this.measure = measure; redraw(); });
    this.node.replaceChildren(el('header', {}, el('h2', {}, `${before.path} → ${after.path}`), el('span', { class: 'kind' }, 'object graphs · what changed')), el('div', { class: 'inner' }, this.segment), this.grid.node, this.foot);
  }

  draw() {
    this.segment.sync();
    const key = { objects: 1, bytes: 2, kept: 3 }[this.measure];
    const [old, now] = this.pairOf.map(({ types }) => new Map(types.map((type) => [type[0], type[key]])));
    // A type that is not there has 0; null is a figure that was not worked out, and no change can be told of it.
    const of = (types, name) => (types.has(name) ? types.get(name) : 0);
    const all = [...new Set([...old.keys(), ...now.keys()])].map((name) => ({ name, before: of(old, name), after: of(now, name) }));
    this.rows = all.filter(({ before, after }) => before !== null && after !== null);
    const missing = all.length - this.rows.length;
    this.foot.textContent = missing ? `${exact(missing)} type${missing === 1 ? ' is' : 's are'} left out: what they keep alive is worked out for the 256 greatest of each graph.` : '';
    for (const row of this.rows) row.change = row.after - row.before;
    this.rows.sort((a, b) => Math.abs(b.change) - Math.abs(a.change) || (a.name < b.name ? -1 : 1));
    this.whole = this.rows.reduce((most, row) => Math.max(most, Math.abs(row.change)), 1);
    this.grid.show(this.rows);
  }

  row({ name, before, after, change: step }) {
    return el('div', { class: 'row', role: 'row', 'data-type': name, 'data-before': before, 'data-after': after }, el('div', { role: 'cell', class: 'name', title: name }, name),
      ...changeCells(before, after, step, this.whole, this.measure === 'objects' ? '' : 'bytes'));
  }

  words() {
    const [before, after] = this.pairOf;
    const most = this.rows && this.rows.find(({ change }) => change > 0);
    return changeWords({ before: before.bytes, after: after.bytes, unit: 'bytes', most: this.measure === 'bytes' && most ? { name: most.name, step: most.change } : null });
  }

  print(on) { this.grid.print(on); }
}
