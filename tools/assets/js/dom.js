// Small words over the DOM, and the one place where drawing is put off to the next frame.

const $ = (selector, root = document) => root.querySelector(selector);
const clamp = (x, low, high) => Math.max(low, Math.min(high, x));

/** Makes an element. `on…` attributes listen, `style` takes variables, null and false leave an attribute out. */
function el(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else if (key === 'style') for (const [name, v] of Object.entries(value)) node.style.setProperty(name, v);
    else node.setAttribute(key, value === true ? '' : value);
  }
  // One by one: as arguments a browser takes some 100,000.
  for (const child of children.flat()) if (child !== null && child !== undefined) node.append(child);
  return node;
}

/** The same for pictures, of the kind that the page's own mark is; attributes are all text. */
function svg(tag, attributes, ...children) {
  const node = document.createElementNS($('.mark').namespaceURI, tag);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value); else node.setAttribute(key, value);
  }
  for (const child of children.flat()) node.append(child);
  return node;
}

/** A page with more parts than these in one place is slow. */
const MOST_PARTS = 1000;

/** Elements of the first of a list, and how many are left out. */
const firstOf = (list, part) => list.slice(0, MOST_PARTS).map(part)
  .concat(list.length > MOST_PARTS ? el('p', { class: 'foot' }, `${exact(list.length - MOST_PARTS)} more`) : []);

/** A row of buttons of which one is pressed. `options` is [[value, text, title], …]. */
function segment(label, options, get, set) {
  const box = el('div', { class: 'seg', role: 'group', 'aria-label': label });
  for (const [value, text, title] of options) {
    box.append(el('button', { type: 'button', 'data-value': value, title, onclick: () => set(value) }, text));
  }
  box.sync = () => {
    for (const button of box.children) button.setAttribute('aria-pressed', String(button.dataset.value === get()));
  };
  box.sync();
  return box;
}

/** What may be wider than the page, in a box that scrolls by itself. */
const scrolling = (label, node) => el('div', { class: 'scrolling', role: 'region', 'aria-label': label, tabindex: '0' }, node);

/** The size of an element, which is asked for again only when it changes: asking makes the browser lay out the page. */
class Size {
  constructor(node) {
    this.node = node;
    this.known = null;
    new ResizeObserver(([{ contentRect: { width, height } }]) => {
      if (this.known && Math.abs(width - this.known.width) < 0.5 && Math.abs(height - this.known.height) < 0.5) return;
      this.known = null;
      redraw();
    }).observe(node);
  }

  get() {
    if (!this.known || !this.known.width || this.round !== Size.round) {
      this.known = this.node.getBoundingClientRect();
      this.round = Size.round;
    }
    return this.known;
  }

  /** All are asked again: an observer tells of a new width too late for paper. */
  static forget() { Size.round++; }

  static round = 0;
}

/** A canvas context whose unit is the CSS pixel; resizes the backing store only when it has to. */
function context(canvas, width, height) {
  const ratio = window.devicePixelRatio || 1;
  const w = Math.round(width * ratio);
  const h = Math.round(height * ratio);
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
  }
  const ctx = canvas.getContext('2d');
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  ctx.clearRect(0, 0, width, height);
  return ctx;
}

/** The value of a CSS variable, so that canvases follow the theme. Kept for each theme: asking lays out the page. */
const inks = new Map();
function ink(name) {
  const key = `${document.documentElement.dataset.theme} ${name}`;
  let value = inks.get(key);
  if (!value) inks.set(key, (value = getComputedStyle(document.documentElement).getPropertyValue(name).trim()));
  return value;
}

const tip = {
  show(event, ...content) {
    const box = $('#tip');
    box.replaceChildren(...content);
    box.hidden = false;
    const { width, height } = box.getBoundingClientRect();
    const left = event.clientX + 18 + width < innerWidth ? event.clientX + 18 : Math.max(4, event.clientX - width - 18);
    const top = clamp(event.clientY - height / 2, 4, Math.max(4, innerHeight - height - 4));
    box.style.left = `${left}px`;
    box.style.top = `${top}px`;
  },
  hide() { $('#tip').hidden = true; },
};

function say(text) { $('#said').textContent = text; }
