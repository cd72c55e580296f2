// One time and allocation report: figures, the tree as a table and as an icicle, either way up; retainer sets.

class ProfView {
  /** `before` is set for a diff: the earlier run's report. */
  constructor(file, before) {
    this.search = '';
    this.shape = 'tree';
    this.turned = false;
    this.trees = new Map();
    this.node = el('section', { class: `card prof${before || file.report ? ' wide' : ''}` });
    this.flame = new Flame(this);
    this.table = new TreeTable(this, Boolean(before), file.report || {});
    this.setFile(file, before);
  }

  setFile(file, before) {
    this.file = file;
    this.before = before;
    this.trees.clear();
    this.changes = new Map();
    const { report } = file;
    if (report && report.samples) {
      if (!(this.measure in report.measures)) [this.measure, this.shape] = [report.main, 'flame'];
      if (!report.groups.some(([group]) => group === this.group)) this.group = 'calls';
    }
    if (!this.measure || !(this.measure in (report?.measures || MEASURES))) this.measure = report && report.ticks > 0 ? 'time' : report && !report.alloc && report.ticky ? 'entries' : 'alloc';
    this.node.dataset.file = file.path;
    this.build();
  }

  build() {
    const { file, before } = this;
    const { report } = file;
    const head = el('header', {}, el('h2', {}, before ? `${before.path} → ${file.path}` : file.path),
      el('span', { class: 'kind' }, `${before ? 'change of ' : ''}${!report ? 'retainer sets' : report.samples ? 'samples' : report.ticky ? 'ticky counters' : 'time and allocation'}`));
    const parts = [head];
    const warnings = [...file.warnings, ...(before ? before.warnings : [])];
    if (report && !report.exact) warnings.push('This report has no ticks and bytes for each stack (-P writes them): weights here are worked out from percentages with one decimal.');
    if (warnings.length) parts.push(el('ul', { class: 'notes' }, warnings.map((text) => el('li', {}, text))));
    if (report) {
      parts.push(this.figures(report, before && before.report));
      this.segments = [
        segment('Measure', Object.entries(report.measures || MEASURES).filter(([key]) => !report.ticky || key !== 'time').map(([key, { word }]) => [key, word]), () => this.measure, (measure) => this.set({ measure })),
        segment('Shape', [['tree', 'Table'], ['flame', 'Icicle']], () => this.shape, (shape) => this.set({ shape })),
        segment('Direction', [['down', 'From the root', 'What each stack called'], ['up', 'Inverse', `Each ${report.samples || report.ticky ? 'function' : 'centre'} by itself, and who called it`]],
          () => (this.turned ? 'up' : 'down'), (way) => this.set({ turned: way === 'up' })),
      ];
      if (report.groups && report.groups.length > 1) this.segments.splice(1, 0, segment('Stacks', report.groups, () => this.group, (group) => this.set({ group })));
      const what = `Search ${report.samples || report.ticky ? 'functions' : 'centres'}`;
      const field = el('input', { type: 'search', placeholder: what, 'aria-label': what, value: this.search, oninput: (event) => this.set({ search: event.target.value }) });
      this.found = el('span', { class: 'kind' });
      parts.push(el('div', { class: 'inner' }, this.segments, field, this.found), this.flame.node, this.table.node);
    }
    if (file.counters.length) parts.push(...counterParts(file.counters, before && before.counters));
    if (file.retainers && (file.retainers.sets.length || file.retainers.censuses.length || file.retainers.holders.length)) parts.push(...retainerParts(file.retainers));
    this.node.replaceChildren(...parts);
  }

  set(values) {
    Object.assign(this, values);
    redraw();
  }

  figures(report, before) {
    const figure = (key, word, value, text, note) => el('div', {}, el('dt', {}, word), el('dd', { 'data-stat': key, 'data-value': value, title: exact(value) }, text, ' ', el('small', {}, note)));
    const sum = ({ nodes }) => nodes.entries.reduce((all, one) => all + one, 0);
    if (report.samples) return sampleFigures(report, before, figure);
    if (report.ticky) {
      return el('dl', { class: 'stats' },
        figure('entries', 'Entries', sum(report), amount(sum(report), ''), before ? `from ${amount(sum(before), '')}` : 'of functions'),
        figure('alloc', 'Allocated by code', report.alloc, amount(report.alloc), before ? `from ${amount(before.alloc)}` : ''),
        figure('stacks', 'Functions', report.nodes.label.length - 1, exact(report.nodes.label.length - 1), before ? `from ${exact(before.nodes.label.length - 1)}` : ''));
    }
    return el('dl', { class: 'stats' },
      figure('seconds', 'Total time', report.seconds, `${report.seconds.toFixed(2)} s`, `${exact(report.ticks)} ticks of ${exact(report.tickUs)} µs${before ? `, from ${before.seconds.toFixed(2)} s` : ''}`),
      figure('alloc', 'Total allocation', report.alloc, amount(report.alloc), before ? `from ${amount(before.alloc)}` : 'without the profiler’s own'),
      figure('stacks', 'Stacks', report.nodes.label.length, exact(report.nodes.label.length), before ? `from ${exact(before.nodes.label.length)}` : ''));
  }

  tree() {
    const key = `${this.measure} ${this.group} ${this.turned}`;
    if (!this.trees.has(key)) {
      const grown = ({ report }) => (report.samples ? report.grow(this.measure, this.groupOf(report)) : makeTree(report, this.measure));
      let tree = grown(this.file);
      if (this.before) tree = lay(grown(this.before), tree);
      this.trees.set(key, this.turned ? invert(tree) : tree);
    }
    return this.trees.get(key);
  }

  /** The unit of what is weighed. */
  get unit() { return this.measured().unit; }

  measured() { return (this.file.report.measures || MEASURES)[this.measure]; }

  /** Numbers of labels are each file's own; their words are the same. */
  groupOf(report) {
    const [, word] = this.file.report.groups.find(([group]) => group === this.group);
    return (report.groups.find(([, other]) => other === word) || ['calls'])[0];
  }

  draw() {
    if (!this.file.report) return;
    for (const one of this.segments) one.sync();
    const tree = this.tree();
    this.flame.node.hidden = this.shape !== 'flame';
    this.table.node.hidden = this.shape !== 'tree';
    if (this.shape === 'flame') this.flame.draw(tree); else this.table.draw(tree);
    this.node.dataset.total = tree.root.total;
    const match = matcher(this.search);
    const { unit } = this;
    if (match) {
      // A frame inside another match is part of it already.
      let sum = 0;
      const open = [tree.root];
      while (open.length) {
        const node = open.pop();
        if (match(label(node))) sum += node.total; else for (const kid of node.kids) open.push(kid);
      }
      this.found.dataset.value = sum;
      this.found.textContent = `matching: ${amount(sum, unit)}, ${percent(sum, tree.root.total)}`;
    } else this.found.textContent = '';
    if (!tree.root.total && !tree.root.total0) this.found.textContent = `no ${this.measured().word} was recorded`;
  }

  /** How much a measure changed, and who changed most; names that changed less than rounded percentages tell are no answer. */
  changed() {
    if (!this.changes.has(this.measure)) {
      const sums = (file) => ownersOf(file.report, this.measure);
      const [before, after] = [sums(this.before), sums(this.file)];
      const total = (owners) => [...owners.values()].reduce((sum, { own }) => sum + own, 0);
      let most = null;
      for (const name of new Set([...before.keys(), ...after.keys()])) {
        const [was, is] = [before, after].map((owners) => owners.get(name) || { own: 0, blur: 0 });
        const step = is.own - was.own;
        if (Math.abs(step) > (was.blur + is.blur) * 1.000001 && (!most || Math.abs(step) > Math.abs(most.step))) most = { name, step };
      }
      this.changes.set(this.measure, { before: total(before), after: total(after), most });
    }
    return this.changes.get(this.measure);
  }

  /** The sentence of a page that compares. */
  words() {
    if (!this.before || !this.before.report || !this.file.report) return [];
    const { before, after, most } = this.changed();
    const { word, unit } = this.measured();
    return changeWords({ before, after, unit, what: unit === 'ticks' ? unit : word, most });
  }

  print(on) { if (this.file.report) this.table.grid.print(on); }
}

/** By name: what is its own, and how far that may be off. */
function ownersOf(report, measure) {
  const owners = new Map();
  if (report.samples) {
    for (const [name, own] of report.owners(measure)) owners.set(name, { own, blur: 0 });
    return owners;
  }
  for (const node of makeTree(report, measure).nodes) {
    const all = owners.get(label(node)) || { own: 0, blur: 0 };
    owners.set(label(node), { own: all.own + node.own, blur: all.blur + node.ownBlur });
  }
  return owners;
}

/** Ticky counters that counted anything, with what they were before. */
function counterParts(counters, before) {
  const old = new Map(before || []);
  const rows = counters.filter(([name, value]) => value || old.get(name));
  return [el('header', { style: { 'margin-top': '18px' } }, el('h2', {}, 'Counters'), el('span', { class: 'kind' }, `${exact(rows.length)} of ${exact(counters.length)} counted something${rows.length > MOST_PARTS ? `; the first ${exact(MOST_PARTS)}` : ''}`)),
    scrolling('Counters', el('table', { class: 'plain-table counters' },
      el('thead', {}, el('tr', {}, ['counter', ...(before ? ['before', 'after', 'change'] : ['value'])].map((text) => el('th', {}, text)))),
      el('tbody', {}, rows.slice(0, MOST_PARTS).map(([name, value]) => el('tr', { 'data-counter': name, 'data-value': value }, el('td', {}, name),
        (before ? [old.get(name) || 0, value, value - (old.get(name) || 0)] : [value]).map((one) => el('td', {}, exact(one)))))))) ];
}

function retainerParts({ sets, censuses, holders }) {
  const parts = [];
  const last = censuses[censuses.length - 1];
  if (censuses.length) {
    parts.push(el('p', { class: 'foot' }, `${censuses.length} retainer censuses, the last at ${last.seconds} seconds with ${last.visits.toFixed(2)} visits of each object${last.cost === null ? '' : `, ${amount(last.cost, 'bytes')} in ${last.sets} sets`}`));
  }
  if (holders.length) {
    parts.push(el('header', { style: { 'margin-top': '18px' } }, el('h2', {}, 'Who holds the retainers'),
      el('p', { class: 'kind' }, 'What holds most comes first; below each retainer, who holds that.')),
    el('div', { class: 'holders' }, firstOf(holders, ([depth, name, bytes]) => el('div', { style: { '--depth': String(depth) } },
      `${depth ? 'held by ' : ''}${memberText(name)} `, el('b', { 'data-bytes': bytes }, amount(bytes, 'bytes'))))));
  }
  if (!sets.length) return parts;
  const list = el('div', { class: 'sets', tabindex: '0', role: 'region', 'aria-label': 'Retainer sets' });
  const fill = (text) => {
    const match = matcher(text);
    list.replaceChildren(...firstOf(sets.filter((set) => !match || set.members.some(match) || String(set.number) === text),
      (set) => el('article', { 'data-set': set.number }, el('span', {}, set.number), el('ul', {}, set.members.map((member) => el('li', {}, memberText(member)))))));
  };
  fill('');
  parts.push(el('header', { style: { 'margin-top': '18px' } }, el('h2', {}, 'Retainer sets'),
    el('p', { class: 'kind' }, 'Each set is all the stacks that keep an object alive, innermost first. Numbers are those of the bands.')),
  el('div', { class: 'inner', style: { 'margin-top': '8px' } }, el('input', { type: 'search', placeholder: 'Search sets', 'aria-label': 'Search retainer sets', oninput: (event) => fill(event.target.value) })), list);
  return parts;
}
