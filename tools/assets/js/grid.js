// A table that draws only the rows in sight: thousands of bands or stacks cost as much as a screenful.

const ROW = 28;

/** The window's height, asked for once after each change of it. */
const screenful = { known: 0, get() { return (this.known ||= innerHeight); } };
addEventListener('resize', () => { screenful.known = 0; });

class Grid {
  /** `columns`: [{key, title or unseen, hint, cls, sort}], `row(item, index, place)` gives a row as an element;
      `place` counts the rows in sight. */
  constructor({ cls, label, columns, row, onsort }) {
    this.row = row;
    this.items = [];
    this.printing = false;
    this.head = el('div', { class: 'row head', role: 'row' });
    for (const column of columns) {
      const title = column.sort && onsort
        ? el('button', { type: 'button', title: column.hint, onclick: () => onsort(column.sort) }, column.title)
        : el('span', column.unseen ? { class: 'visually-hidden' } : { title: column.hint }, column.unseen || column.title);
      this.head.append(el('div', { class: `${column.cls || ''} k-${column.key}`, role: 'columnheader', 'data-sort': column.sort }, title));
    }
    this.inside = el('div', { role: 'presentation' });
    this.body = el('div', { class: 'body', role: 'rowgroup' }, this.inside);
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
    this.node.setAttribute('aria-rowcount', items.length + 1);
    this.inside.style.height = `${items.length * ROW}px`;
    if (this.printing) {
      this.spread();
      return;
    }
    // What scrolls is reached by the keyboard.
    const scrolls = items.length * ROW + 2 > this.tall();
    if (scrolls) this.body.setAttribute('tabindex', '0'); else this.body.removeAttribute('tabindex');
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
      row.setAttribute('aria-rowindex', i + 2);
      rows.push(row);
    }
    this.inside.replaceChildren(...rows);
  }

  print(on) {
    this.printing = on;
    if (on) this.spread(); else this.show(this.items);
  }

  /** On paper nothing scrolls: the first rows are laid out, however often the page is drawn for another width. */
  spread() {
    const rows = Math.min(this.items.length, 60);
    this.inside.style.height = `${rows * ROW}px`;
    this.body.style.height = 'auto';
    this.paint(rows);
  }
}
