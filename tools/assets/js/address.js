// What the user has chosen, behind the `#` of the page's address: a view can be kept, sent and gone back to.

/** What differs from the beginning, as `name=value` pairs. */
const CHOICES = {
  window: { read: (text) => { const ends = text.split('~').map(Number); return ends.length === 2 && ends[0] < ends[1] && ends.every(Number.isFinite) ? ends : null; }, write: (window) => window && window.map((time) => Number(time.toPrecision(9))).join('~') },
  mode: { read: (text) => oneOf(MODES.map(([mode]) => mode), text, 'stack'), write: (mode) => mode !== 'stack' && mode },
  sort: { read: (text) => oneOf(Object.keys(SORTS), text, 'size'), write: (sort) => sort !== 'size' && sort },
  reverse: { read: (text) => text === '1', write: (on) => on && '1' },
  count: { name: 'top', read: (text) => (/^\d{1,4}$/.test(text) ? Number(text) : 20), write: (count) => count !== 20 && String(count) },
  search: { read: (text) => text || '', write: (text) => text },
  units: { read: (text) => oneOf(['binary', 'decimal'], text, 'binary'), write: (units) => units !== 'binary' && units },
  axis: { read: (text) => oneOf(['time', 'samples'], text, 'time'), write: (axis) => axis !== 'time' && axis },
  hidden: { name: 'hide', many: true, read: (texts) => new Set(texts), write: (names) => [...names].slice(0, MOST_HIDDEN) },
  focus: { name: 'band', read: (text) => text || null, write: (name) => name },
  pin: { read: (text) => (text && Number.isFinite(Number(text)) ? Number(text) : null), write: (time) => time !== null && String(Number(time.toPrecision(9))) },
};
/** An address has to fit into a message. */
const MOST_HIDDEN = 50;

const oneOf = (list, text, otherwise) => (list.includes(text) ? text : otherwise);

function toAddress() {
  const pairs = new URLSearchParams();
  for (const [key, { name = key, many, write }] of Object.entries(CHOICES)) {
    const value = write(state[key]);
    if (many) for (const each of value) pairs.append(name, each); else if (value) pairs.set(name, value);
  }
  return pairs.toString();
}

/** Takes the choices of the address. What it does not name is as at the beginning. */
function fromAddress() {
  const pairs = new URLSearchParams(location.hash.slice(1));
  for (const [key, { name = key, many, read }] of Object.entries(CHOICES)) state[key] = read(many ? pairs.getAll(name) : pairs.get(name) ?? '');
}

const address = {
  timer: 0,
  /** Called after each drawing. Browsers refuse an address that changes with every movement of a finger. */
  keep() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const text = toAddress();
      if (text === location.hash.slice(1)) return;
      // An empty one leaves no `#` behind.
      history.replaceState(null, '', text ? `#${text}` : location.pathname + location.search);
    }, 250);
  },
};
