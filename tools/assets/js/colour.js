// Colours. A name has the same colour in every file and at every zoom; neighbours differ in hue by the golden angle.

/** OKLCH to a CSS colour: equal lightness looks equal, which HSL does not give. */
function oklch(lightness, chroma, hue) {
  const a = chroma * Math.cos(hue * Math.PI / 180);
  const b = chroma * Math.sin(hue * Math.PI / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const gamma = (x) => {
    const y = clamp(x, 0, 1);
    return Math.round(255 * (y <= 0.0031308 ? 12.92 * y : 1.055 * y ** (1 / 2.4) - 0.055));
  };
  const red = gamma(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s);
  const green = gamma(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s);
  const blue = gamma(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s);
  return `rgb(${red},${green},${blue})`;
}

const dark = () => document.documentElement.dataset.theme === 'dark';

/** `share` of one colour over another, as an opaque colour. */
function mix(colour, paper, share) {
  const parts = (text) => (text[0] === '#' ? [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16)) : text.match(/\d+/g).map(Number));
  const [a, b] = [parts(colour), parts(paper)];
  return `rgb(${a.map((value, k) => Math.round(value * share + b[k] * (1 - share))).join(',')})`;
}

/** Black or white, whichever is read better on a colour. */
function readable(colour) {
  const light = colour.match(/\d+/g).map((value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2] > 0.18 ? '#14181c' : '#ffffff';
}

/** How far two colours of `palette.parts` are apart, as they look. */
const apart = (p, q) => Math.hypot(p.level - q.level, p.chroma * Math.cos(p.hue * Math.PI / 180) - q.chroma * Math.cos(q.hue * Math.PI / 180),
  p.chroma * Math.sin(p.hue * Math.PI / 180) - q.chroma * Math.sin(q.hue * Math.PI / 180));
/** Less than this and two areas beside each other look like one. */
const NEAR = 0.11;

const palette = {
  rank: new Map(),
  /** How much lighter or darker than its rank wants a name is, since it came to lie beside one that looks the same. */
  shift: new Map(),
  /** Ranks names by their size over all files, once for each set of data. */
  assign(names) { this.rank = new Map(names.map((name, index) => [name, index])); },
  of(name) {
    const { level, chroma, hue } = this.parts(name);
    return oklch(level, chroma, hue);
  },
  parts(name) {
    const life = LIFE[name];
    if (life) return { level: dark() ? life.light - 0.06 : life.light, chroma: life.chroma, hue: life.hue };
    const index = this.rank.get(name) ?? 0;
    const level = [0.7, 0.62, 0.79][index % 3] - (dark() ? 0.08 : 0) + (this.shift.get(name) || 0);
    return { level, chroma: index < 24 ? 0.105 : 0.07, hue: (205 + index * 137.508) % 360 };
  },
  /** Makes names that lie beside each other look so, from the bottom up. A name keeps its hue, and what it was given here, so
      that it looks the same in all files. */
  part(names) {
    let before = null;
    names.forEach((name, at) => {
      const next = at + 1 < names.length ? this.parts(names[at + 1]) : null;
      const far = () => Math.min(before ? apart(this.parts(name), before) : 1, next ? apart(this.parts(name), next) : 1);
      if (before && !LIFE[name] && apart(this.parts(name), before) < NEAR) {
        const tries = [0.11, -0.13, 0.16, -0.2].map((shift) => { this.shift.set(name, shift); return [far(), shift]; });
        // The least that serves, or else what serves best.
        this.shift.set(name, (tries.find(([distance]) => distance >= NEAR) || tries.reduce((best, one) => (one[0] > best[0] ? one : best)))[1]);
      }
      before = this.parts(name);
    });
  },
  other: () => (dark() ? 'rgb(74,80,87)' : 'rgb(201,200,195)'),
  /** A calm colour for a frame: hue by module, so that a module's frames stand together. */
  frame(name, module) {
    let hash = 0;
    for (const c of module || name) hash = (hash * 31 + c.codePointAt(0)) >>> 0;
    let shade = 0;
    for (const c of name) shade = (shade * 33 + c.codePointAt(0)) >>> 0;
    return oklch((dark() ? 0.5 : 0.82) + (shade % 7) * 0.012, 0.075, (hash % 360) + (shade % 61) - 30);
  },
  /** -1 … 1 from shrunk through nothing to grown. */
  change(x) {
    const strength = Math.min(1, Math.sqrt(Math.abs(x)));
    const base = dark() ? 0.38 : 0.93;
    return oklch(base + (dark() ? 0.18 : -0.22) * strength, 0.12 * strength, x > 0 ? 45 : 215);
  },
};

// The five lives of biographical profiling, the useful ones first: they are drawn from the bottom in this order.
const LIFE = {
  // A band may be called as what every object has.
  __proto__: null,
  USE: { light: 0.68, chroma: 0.09, hue: 165, word: 'use', waste: false, means: 'between its first and last use' },
  INHERENT_USE: { light: 0.8, chroma: 0.06, hue: 175, word: 'inherent use', waste: false, means: 'use can’t be seen: arrays, mutable variables, threads' },
  LAG: { light: 0.83, chroma: 0.1, hue: 88, word: 'lag', waste: true, means: 'made but not used yet' },
  DRAG: { light: 0.73, chroma: 0.12, hue: 58, word: 'drag', waste: true, means: 'will never be used again' },
  VOID: { light: 0.62, chroma: 0.14, hue: 32, word: 'void', waste: true, means: 'never used at all' },
};
