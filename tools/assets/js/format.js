// Numbers, units and names as people read them. The exact number is always kept in a title or data attribute.

const BINARY = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
const DECIMAL = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];
const PLAIN = ['', 'k', 'M', 'G', 'T', 'P'];

const digits = (x) => (Math.abs(x) >= 100 ? x.toFixed(0) : Math.abs(x) >= 10 ? x.toFixed(1) : x.toFixed(2));

function scaleOf(unit) {
  if (unit !== 'bytes') return [1000, PLAIN];
  return state.units === 'binary' ? [1024, BINARY] : [1000, DECIMAL];
}

/** 1234567 bytes as "1.18 MiB"; values of any other unit as "1.23 M". */
function amount(value, unit = 'bytes') {
  const [step, names] = scaleOf(unit);
  let size = Math.abs(value);
  let at = 0;
  while (size >= step * 0.9995 && at < names.length - 1) { size /= step; at++; }
  const text = at === 0 ? (Number.isInteger(size) ? String(size) : digits(size)) : digits(size);
  return `${value < 0 ? '−' : ''}${text}${names[at] ? ` ${names[at]}` : ''}`;
}

const signed = (value, unit) => (value > 0 ? '+' : '') + amount(value, unit);
const EXACT = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const exact = (value) => EXACT.format(Math.round(value));
const counted = (count, what) => `${exact(count)} ${what}${count === 1 ? '' : 's'}`;
const percent = (part, whole) => (whole ? `${(100 * part / whole).toFixed(1)}%` : '0.0%');

/** A time with as many decimals as `span` needs to tell two pixels apart. */
function moment(time, span = time) {
  const places = clamp(3 - Math.floor(Math.log10(Math.abs(span) || 1)), 0, 9);
  return time.toFixed(places);
}

/** A step of 1, 2 or 5 times a power of ten, or a power of two for bytes, that parts `range` into at most `count`: 500 KiB
    and the like are no round parts of a MiB. */
function niceStep(range, count, binary) {
  const raw = range / Math.max(1, count);
  if (!(raw > 0)) return 1;
  if (binary) return Math.max(1, 2 ** Math.ceil(Math.log2(raw)));
  const power = 10 ** Math.floor(Math.log10(raw));
  const lead = raw / power;
  return (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10) * power;
}

/** The multiples of a step from one number to another, at most 200. Numbers can be so large that a step does not change them. */
function axisTicks(from, to, step) {
  const first = Math.ceil(from / step);
  const found = [];
  for (let k = 0; k < 200; k++) {
    const at = (first + k) * step;
    if (!(at <= to) || at === found[k - 1]) break;
    found.push(at);
  }
  return found;
}

/** The number at a tick of an axis that ends at `top`: all ticks in one unit, with no more decimals than each needs. */
function tick(value, top, unit = 'bytes') {
  if (!value) return '0';
  const [step, names] = scaleOf(unit);
  let at = 0;
  for (let size = Math.abs(top); size >= step && at < names.length - 1; size /= step) at++;
  return `${Number((value / step ** at).toPrecision(6))}${names[at] ? ` ${names[at]}` : ''}`;
}

/** Cuts the middle out of a long name: its beginning says who, its end says where. */
function shorten(name, length) {
  if (name.length <= length) return name;
  const head = Math.ceil((length - 1) * 0.6);
  return `${name.slice(0, head)}…${name.slice(name.length - (length - 1 - head))}`;
}

/** "(306)mkWords/words" as its number and its text. */
function numbered(name) {
  const match = /^\((\d+)\)(.*)$/s.exec(name);
  return match ? { number: Number(match[1]), text: match[2] } : { number: null, text: name };
}

/** A search text as a test of names: /…/ is a regular expression, anything else is found as it stands, in any case. */
function matcher(text) {
  if (!text) return null;
  const inner = /^\/(.+)\/i?$/.exec(text);
  if (inner) {
    try {
      const re = new RegExp(inner[1], 'iu');
      return (name) => re.test(name);
    } catch { /* an unfinished expression is searched for as text until it is whole */ }
  }
  const low = text.toLowerCase();
  return (name) => name.toLowerCase().includes(low);
}
