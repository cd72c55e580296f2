// A table that draws only the rows in sight: thousands of bands or stacks cost as much as a screenful.

const ROW = 28;

/** The window's height, asked for once after each change of it. */
const screenful = { known: 0, get() { return (this.known ||= innerHeight); } };
addEventListener('resize', () => { screenful.known = 0; });

class Grid {
  /** `columns`: [{key, title, hint, cls, sort}], `row(item, index, place)` gives a row as an element;
      `place` counts the rows in sight. */
  constructor({ cls, label, columns, row, onsort }) {
    this.row = row;
    this.items = [];
    this.head = el('div', { class: 'row head', role: 'row' });
    for (const column of columns) {
      const title = column.sort && onsort
        ? el('button', { type: 'button', title: column.hint, onclick: () => onsort(column.sort) }, column.title)
        : el('span', { title: column.hint }, column.title);
      this.head.append(el('div', { class: `${column.cls || ''} k-${column.key}`, role: 'columnheader', 'data-sort': column.sort }, title));
    }
    this.inside = el('div', { role: 'rowgroup' });
    this.body = el('div', { class: 'body', tabindex: '-1' }, this.inside);
    this.inside.style.position = 'relative';
    // Kept, since asking makes the browser lay out the page.
    this.scrolled = 0;
    this.body.addEventListener('scroll', () => {
      this.scrolled = this.body.scrollTop;
      this.paint();
    }, { passive: true });
    this.node = el('div', { class: `grid ${cls}`, role: 'table', 'aria-label': label }, this.head, this.body);
  }

  show(items, sort, reverse) {
    this.items = items;
    for (const cell of this.head.children) {
      const mine = cell.dataset.sort && cell.dataset.sort === sort;
      const up = (sort === 'name') !== Boolean(reverse);
      if (mine) cell.setAttribute('aria-sort', up ? 'ascending' : 'descending'); else cell.removeAttribute('aria-sort');
    }
    this.node.setAttribute('aria-rowcount', items.length);
    this.inside.style.height = `${items.length * ROW}px`;
    this.body.style.height = `${Math.min(this.tall(), items.length * ROW + 2)}px`;
    this.paint();
  }

  /** The most a table takes before it scrolls: most of a window, so that both ends can be seen. */
  tall() { return Math.max(430, Math.round(screenful.get() * 0.66)); }

  paint(all) {
    const from = all ? 0 : Math.max(0, Math.floor(this.scrolled / ROW) - 2);
    const to = all || Math.min(this.items.length, from + Math.ceil(this.tall() / ROW) + 5);
    const rows = [];
    for (let i = from; i < Math.min(to, this.items.length); i++) {
      const row = this.row(this.items[i], i, i - from);
      row.style.top = `${i * ROW}px`;
      rows.push(row);
    }
    this.inside.replaceChildren(...rows);
  }

  /** On paper nothing scrolls: the first rows are laid out, and the rest are counted. */
  print(on) {
    if (!on) return this.show(this.items);
    const rows = Math.min(this.items.length, 60);
    this.inside.style.height = `${rows * ROW}px`;
    this.body.style.height = 'auto';
    this.paint(rows);
  }
}
