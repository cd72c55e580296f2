// A tree as a table that folds: own weight, weight with all below, entries, place.

class TreeTable {
  /** Samples have no entries; they and counters are of functions. */
  constructor(view, diff, { samples, ticky }) {
    this.view = view;
    this.open = new Set();
    const columns = diff
      ? [{ key: 'name', title: samples || ticky ? 'Function' : 'Cost centre' }, { key: 'before', title: 'Before', cls: 'num' }, { key: 'after', title: 'After', cls: 'num' },
        { key: 'delta', title: 'Change', cls: 'num' }, { key: 'bar', unseen: 'Change as a bar' }]
      : [{ key: 'name', title: samples || ticky ? 'Function' : 'Cost centre' }, { key: 'src', title: 'Source' }, { key: 'entries', title: samples ? 'Objects' : 'Entries', hint: samples && 'Of its own, without what it called', cls: 'num' },
        { key: 'own', title: 'Own', hint: 'Without what it called' }, { key: 'total', title: 'With all below', hint: 'Own and everything called from here' }];
    this.grid = new Grid({ cls: `tree${diff ? ' changes' : ''}`, label: 'Stacks', columns, row: (item) => (diff ? this.changeRow(item) : this.plainRow(item)) });
    this.node = this.grid.node;
  }

  weight(node) { return Math.max(node.total, node.total0); }

  /** Opens what carries the weight, so that the first look already shows the path that matters. */
  unfold(tree) {
    this.open = new Set([tree.root]);
    const whole = this.weight(tree.root);
    for (const node of tree.nodes) if (this.weight(node) > whole * 0.08 && (!this.view.turned || node === tree.root)) this.open.add(node);
  }

  draw(tree) {
    if (tree !== this.tree) { this.tree = tree; this.unfold(tree); }
    this.node.classList.toggle('turned', this.view.turned);
    const last = $('.k-total span', this.grid.head);
    if (last) last.textContent = this.view.turned ? 'Own, and by caller' : 'With all below';
    const match = matcher(this.view.search);
    let wanted = null;
    if (match) {
      wanted = new Set();
      for (const node of tree.nodes) if (match(label(node))) for (let at = node; at && !wanted.has(at); at = at.parent) wanted.add(at);
    }
    const rows = [];
    const open = [[tree.root, 0]];
    while (open.length) {
      const [node, depth] = open.pop();
      if (wanted && !wanted.has(node)) continue;
      rows.push({ node, depth, hit: match && match(label(node)) });
      if (this.open.has(node) || wanted) for (let i = node.kids.length - 1; i >= 0; i--) open.push([node.kids[i], depth + 1]);
    }
    this.grid.show(rows);
  }

  name({ node, depth, hit }) {
    const open = this.open.has(node);
    return el('div', { class: 'name', role: 'cell', title: label(node), style: indented(depth) },
      node.kids.length ? el('button', { type: 'button', class: 'twist', 'aria-expanded': String(open), 'aria-label': `${open ? 'Fold' : 'Unfold'} ${label(node)}`, onclick: () => this.toggle(node) }, open ? '▾' : '▸') : el('span', { class: 'twist' }),
      hit ? el('b', {}, label(node)) : el('span', {}, label(node)));
  }

  toggle(node) {
    if (!this.open.delete(node)) this.open.add(node);
    redraw();
  }

  meter(value, whole, unit, cls = '') {
    return el('div', { class: `meter ${cls}`, role: 'cell', title: `${exact(value)} ${unit}`, style: { '--w': `${whole ? Math.max(0, 100 * value / whole) : 0}%` } }, el('i'), el('b', {}, percent(value, whole)));
  }

  plainRow(item) {
    const { node } = item;
    const { unit } = this.view;
    const whole = this.tree.root.total;
    return el('div', { class: 'row', role: 'row', 'data-total': node.total, 'data-own': node.own }, this.name(item),
      el('div', { class: 'src k-src', role: 'cell', title: node.src }, node.src), el('div', { class: `num k-entries${node.entries ? '' : ' faint'}`, role: 'cell' }, exact(node.entries)),
      this.meter(node.own, whole, unit, 'own'), this.meter(node.total, whole, unit));
  }

  changeRow(item) {
    const { node } = item;
    const { unit } = this.view;
    const step = node.total - node.total0;
    return el('div', { class: 'row', role: 'row', 'data-before': node.total0, 'data-after': node.total }, this.name(item), ...changeCells(node.total0, node.total, step, Math.max(this.tree.root.total, this.tree.root.total0), unit, node.blur));
  }
}

/** A name deep in a tree keeps half of its column. */
const indented = (depth) => ({ 'padding-left': `min(${Math.min(depth, 40)} * var(--indent), 50%)` });

/** Before, after, change and a bar to the right for growth, to the left for less. A change within `blur` may be none. */
function changeCells(before, after, step, whole, unit, blur = 0) {
  if (step && Math.abs(step) <= blur * 1.000001) {
    const cells = changeCells(before, after, 0, whole, unit);
    cells[2].textContent = '≈ 0';
    cells[2].title = `${exact(step)}: less than the percentages tell`;
    return cells;
  }
  const side = step > 0 ? 'up' : step < 0 ? 'down' : 'faint';
  const cell = (value, text, cls = '') => el('div', { class: `num ${cls}`, role: 'cell', title: exact(value) }, text);
  return [cell(before, amount(before, unit), 'k-before'), cell(after, amount(after, unit), 'k-after'), cell(step, step ? signed(step, unit) : '0', side),
    el('div', { class: 'delta k-bar', role: 'cell' }, step ? el('i', { class: side, style: { '--w': `${clamp(50 * Math.abs(step) / (whole || 1), 0.5, 50)}%` } }) : null)];
}
